# The program simt, its installation and its tests, where simt is built by itself.
file(GLOB sources CONFIGURE_DEPENDS main.cpp cli/*.cpp ../base/*/*.cpp)
add_executable(simt ${sources})
add_dependencies(simt simt_runtime)
target_include_directories(simt PRIVATE ${CMAKE_CURRENT_SOURCE_DIR}/..)
target_compile_options(simt PRIVATE ${LAB_WARNINGS})
target_compile_definitions(simt PRIVATE KV_SIMT_SOURCE="${CMAKE_CURRENT_SOURCE_DIR}/..")
target_link_libraries(simt PRIVATE
  simt_rewriter CLI11::CLI11 nlohmann_json::nlohmann_json Threads::Threads)
set_target_properties(simt PROPERTIES UNITY_BUILD ON UNITY_BUILD_BATCH_SIZE 20
                                      RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR})

# In share/simt the folders are as here, so the program finds them in the same way.
install(TARGETS simt RUNTIME DESTINATION bin)
install(FILES $<TARGET_FILE:simt_runtime> DESTINATION lib/simt)
install(DIRECTORY include flags page DESTINATION share/simt/simt)
install(DIRECTORY ../base/page DESTINATION share/simt/base FILES_MATCHING
        PATTERN *.js PATTERN *.css PATTERN *.html)
install(DIRECTORY docs examples DESTINATION share/doc/simt)
install(FILES README.md DESTINATION share/doc/simt)

enable_testing()
set(LAB_UNIT_TESTS ON)
include(../cmake/unit_tests.cmake)
add_subdirectory(tests)

file(GLOB right CONFIGURE_DEPENDS RELATIVE ${CMAKE_CURRENT_SOURCE_DIR} examples/*.cu)
file(GLOB broken CONFIGURE_DEPENDS RELATIVE ${CMAKE_CURRENT_SOURCE_DIR} examples/broken/*.cu)
foreach(file IN LISTS right broken)
  add_test(NAME ${file} COMMAND simt ${file} WORKING_DIRECTORY ${CMAKE_CURRENT_SOURCE_DIR})
endforeach()
set_tests_properties(${broken} PROPERTIES
  PASS_REGULAR_EXPRESSION "[1-9] finding.*(memcheck|racecheck|synccheck)")
