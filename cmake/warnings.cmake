# Warnings for the kit's code. In the kit's own tests they are errors; a student's tree is never
# compiled with -Werror.
set(LAB_WARNINGS -Wall -Wextra -Wpedantic -Wshadow -Wconversion)

# Warnings for a tree with stubs, in which parameters, helpers and members are not used yet.
set(LAB_STUB_WARNINGS -Wall -Wextra -Wpedantic -Wno-unused-parameter -Wno-unused-function)
if(CMAKE_CXX_COMPILER_ID MATCHES "Clang")
  list(APPEND LAB_STUB_WARNINGS -Wno-unused-private-field)
endif()

if(LAB_WERROR)
  list(APPEND LAB_WARNINGS -Werror)
endif()
if(LAB_WERROR AND NOT LAB_WERROR STREQUAL KIT)
  list(APPEND LAB_STUB_WARNINGS -Werror)
endif()
