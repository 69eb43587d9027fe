# The language of every target.
set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
# Why: there is no module here, and a source that is searched for modules is left out of unity builds.
set(CMAKE_CXX_SCAN_FOR_MODULES OFF)
