# The benches, with LAB_NATIVE=ON: lab01_bench measures the solution and lab01_student_bench the
# student's files. Both are the same sources with the same options; `./lab bench` runs both.

# lab_bench(<id> <lab's folder>): the first, if the lab has a bench.
function(lab_bench id lab)
  file(GLOB sources CONFIGURE_DEPENDS "${lab}/bench/*.cpp")
  if(NOT sources)
    return()
  endif()
  lab_whole_solution(${id} solution)
  # Why objects: both programs link them, and they take long to compile.
  lab_objects(lab${id}_bench_objects "" FILES ${sources} FLAGS ${LAB_WARNINGS})
  target_link_libraries(lab${id}_bench_objects PRIVATE benchmark::benchmark CLI11::CLI11)
  lab_bench_program(lab${id}_bench lab${id}_bench_objects ${solution})
endfunction()

# lab_student_bench(<id> <lab's folder> <overlay> <objects that the student's files need>)
function(lab_student_bench id lab overlay needed)
  if(NOT TARGET lab${id}_bench)
    return()
  endif()
  set(objects lab${id}_bench_objects)
  if(overlay)  # Then the bench has to see the student's copy of a header.
    set(objects lab${id}_student_bench_objects)
    file(GLOB sources CONFIGURE_DEPENDS "${lab}/bench/*.cpp")
    lab_objects(${objects} "${overlay}" FILES ${sources} FLAGS ${LAB_WARNINGS})
    target_link_libraries(${objects} PRIVATE benchmark::benchmark CLI11::CLI11)
  endif()
  lab_bench_program(lab${id}_student_bench ${objects} lab${id}_student ${needed})
  set_target_properties(lab${id}_student_bench PROPERTIES EXCLUDE_FROM_ALL ON)
endfunction()

# lab04_replay, for `./lab replay`: the files of bench/replay/ with the student's files.
function(lab_student_replay id lab overlay needed)
  file(GLOB sources CONFIGURE_DEPENDS "${lab}/bench/replay/*.cpp")
  if(NOT LAB_NATIVE OR NOT sources)
    return()
  endif()
  lab_objects(lab${id}_replay_objects "${overlay}" FILES ${sources} FLAGS ${LAB_WARNINGS})
  target_link_libraries(lab${id}_replay_objects PRIVATE CLI11::CLI11 nlohmann_json::nlohmann_json)
  # Why one compilation, and -O1: most of it is templates of JSON and of the options. Only the file
  # that is timed is as fast as a bench; no loop in it calls a step for each block.
  set_source_files_properties("${lab}/bench/replay/cache_replay.cpp" PROPERTIES COMPILE_OPTIONS -O3)
  target_compile_options(lab${id}_replay_objects PRIVATE -O1)
  set_target_properties(lab${id}_replay_objects PROPERTIES UNITY_BUILD ON UNITY_BUILD_BATCH_SIZE 20
                                                           INTERPROCEDURAL_OPTIMIZATION OFF)
  add_executable(lab${id}_replay EXCLUDE_FROM_ALL)
  target_link_libraries(lab${id}_replay PRIVATE lab${id}_replay_objects lab${id}_student ${needed}
                                                Threads::Threads)
  set_target_properties(lab${id}_replay PROPERTIES LINKER_LANGUAGE CXX)
endfunction()

# lab07_generate, for `./lab generate`: the files of bench/generate/ with the student's files, in a
# build of type Release. Why not with LAB_NATIVE: see CMakeLists.txt.
function(lab_student_generate id lab overlay needed)
  file(GLOB sources CONFIGURE_DEPENDS "${lab}/bench/generate/*.cpp" "${lab}/bench/speaker/*.cpp")
  if(LAB_NATIVE OR LAB_COUNTING OR NOT sources)
    return()
  endif()
  lab_executable(lab${id}_generate "${overlay}" FILES ${sources} LINK lab${id}_student ${needed})
  set_target_properties(lab${id}_generate PROPERTIES EXCLUDE_FROM_ALL ON UNITY_BUILD ON)
endfunction()

# lab07_chat and lab07_serve, for `./lab chat` and `./lab serve`, and lab07_stack: the student's files
# of this lab and of all labs that it needs. Why the tree as overlay: each of these labs may have
# headers of its own there.
function(lab_student_stack id lab tree warnings)
  if(LAB_NATIVE OR LAB_COUNTING OR NOT EXISTS "${lab}/bench/speaker")
    return()
  endif()
  set(stack "")
  lab_manifest_list(${id} needs needed_labs)
  foreach(lab_of_stack IN LISTS needed_labs ITEMS ${id})
    lab_files(${lab_of_stack} "${tree}" files)
    list(APPEND stack ${files})
  endforeach()
  foreach(file IN LISTS stack)
    if(NOT EXISTS "${file}")
      return()  # the command has said so
    endif()
  endforeach()
  lab_objects(lab${id}_stack "${tree}" FILES ${stack} FLAGS ${warnings})
  set_target_properties(lab${id}_stack PROPERTIES EXCLUDE_FROM_ALL ON)
  lab_program_of_stack(chat ${id} "${lab}" "${tree}")
  lab_edit_lines(lab${id}_chat)
  lab_need_httplib()
  set(lack "")
  if(NOT LAB_HTTPLIB)
    string(CONCAT lack "./lab serve needs cpp-httplib and pkg-config, which are not installed here; "
                       "install libcpp-httplib-dev and pkgconf, or cpp-httplib and pkgconf of Homebrew")
  endif()
  lab_note_lack(lab${id}_serve "${lack}")
  if(LAB_HTTPLIB)
    lab_program_of_stack(serve ${id} "${lab}" "${tree}")
    target_link_libraries(lab${id}_serve PRIVATE ${LAB_HTTPLIB} Threads::Threads)
  endif()
endfunction()

function(lab_program_of_stack program id lab tree)
  file(GLOB sources CONFIGURE_DEPENDS "${lab}/bench/${program}/*.cpp"
                                      "${lab}/bench/${program}/*/*.cpp" "${lab}/bench/speaker/*.cpp")
  lab_executable(lab${id}_${program} "${tree}" FILES ${sources} LINK lab${id}_stack)
  set_target_properties(lab${id}_${program} PROPERTIES EXCLUDE_FROM_ALL ON UNITY_BUILD ON)
endfunction()

# Keys that edit a line, if libedit is there.
function(lab_edit_lines target)
  find_path(EDITLINE_INCLUDE_DIR editline/readline.h)
  find_library(EDITLINE_LIBRARY edit)
  if(EDITLINE_INCLUDE_DIR AND EDITLINE_LIBRARY)
    target_compile_definitions(${target} PRIVATE KV_HAS_EDITLINE)
    target_include_directories(${target} SYSTEM PRIVATE "${EDITLINE_INCLUDE_DIR}")
    target_link_libraries(${target} PRIVATE "${EDITLINE_LIBRARY}")
  endif()
endfunction()

function(lab_bench_program name)
  add_executable(${name})
  target_link_libraries(${name} PRIVATE ${ARGN} benchmark::benchmark Threads::Threads)
  lab_link_given(${name})
endfunction()
