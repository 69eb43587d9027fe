# The programs that a finished stack is used for. The lab.json of a lab says which link its files.
set(LAB_APPS "${CMAKE_CURRENT_LIST_DIR}")

# lab_student_apps(<id> <tree> <overlay> <warnings> <objects that the student's files need>)
function(lab_student_apps id tree overlay warnings needed)
  lab_manifest_list(${id} apps apps)
  if(LAB_NATIVE)
    if(replay IN_LIST apps)
      lab_student_replay(${id} "${overlay}" "${needed}")
    endif()
  elseif(NOT LAB_COUNTING)
    if(generate IN_LIST apps)
      lab_student_generate(${id} "${overlay}" "${needed}")
    endif()
    if(speaker IN_LIST apps)
      lab_student_stack(${id} "${tree}" "${warnings}")
    endif()
  endif()
endfunction()

# lab04_replay, for `./lab replay`: with the student's files, in the build of the benches.
function(lab_student_replay id overlay needed)
  file(GLOB sources CONFIGURE_DEPENDS "${LAB_APPS}/replay/*.cpp")
  lab_objects(lab${id}_replay_objects "${overlay}" FILES ${sources} FLAGS ${LAB_WARNINGS})
  target_link_libraries(lab${id}_replay_objects PRIVATE CLI11::CLI11 nlohmann_json::nlohmann_json)
  # Why one compilation, and -O1: most of it is templates of JSON and of the options. Only the file
  # that is timed is as fast as a bench; no loop in it calls a step for each block.
  set_source_files_properties("${LAB_APPS}/replay/cache_replay.cpp" PROPERTIES COMPILE_OPTIONS -O3)
  target_compile_options(lab${id}_replay_objects PRIVATE -O1)
  set_target_properties(lab${id}_replay_objects PROPERTIES UNITY_BUILD ON UNITY_BUILD_BATCH_SIZE 20
                                                           INTERPROCEDURAL_OPTIMIZATION OFF)
  add_executable(lab${id}_replay EXCLUDE_FROM_ALL)
  target_link_libraries(lab${id}_replay PRIVATE lab${id}_replay_objects lab${id}_student ${needed}
                                                Threads::Threads)
  set_target_properties(lab${id}_replay PROPERTIES LINKER_LANGUAGE CXX)
endfunction()

# lab07_generate, for `./lab generate`: with the student's files, in a build of type Release. Why not
# with LAB_NATIVE: see CMakeLists.txt.
function(lab_student_generate id overlay needed)
  lab_need_unicode()
  lab_note_lack_of_unicode(lab${id}_generate)
  if(NOT LAB_UNICODE)
    return()
  endif()
  file(GLOB sources CONFIGURE_DEPENDS "${LAB_APPS}/generate/*.cpp" "${LAB_APPS}/speaker/*.cpp")
  lab_executable(lab${id}_generate "${overlay}" FILES ${sources} LINK lab${id}_student ${needed})
  lab_link_unicode(lab${id}_generate)
  set_target_properties(lab${id}_generate PROPERTIES EXCLUDE_FROM_ALL ON UNITY_BUILD ON)
endfunction()

# What a tokenizer is read with (apps/speaker).
function(lab_link_unicode target)
  target_include_directories(${target} SYSTEM PRIVATE "${PCRE2_INCLUDE_DIR}" "${UTF8PROC_INCLUDE_DIR}")
  target_link_libraries(${target} PRIVATE ${LAB_UNICODE})
endfunction()

function(lab_note_lack_of_unicode target)
  set(lack "")
  if(NOT LAB_UNICODE)
    string(REGEX REPLACE "^lab[0-9]+_" "" command "${target}")
    string(CONCAT lack "./lab ${command} needs PCRE2 and utf8proc, which are not installed here; "
                       "install libpcre2-dev and libutf8proc-dev, or pcre2 and utf8proc of Homebrew")
  endif()
  lab_note_lack(${target} "${lack}")
endfunction()

# lab07_chat, lab07_serve and lab07_vllm, for the commands of these names, and lab07_stack: the
# student's files of this lab and of all labs that it needs. Why the tree as overlay: each of these labs
# may have headers of its own there.
function(lab_student_stack id tree warnings)
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
  lab_program_of_stack(vllm ${id} "${tree}")
  lab_need_unicode()
  lab_note_lack_of_unicode(lab${id}_chat)
  lab_note_lack_of_unicode(lab${id}_serve)
  if(NOT LAB_UNICODE)
    return()
  endif()
  lab_speaking_program_of_stack(chat ${id} "${tree}")
  lab_edit_lines(lab${id}_chat)
  lab_need_httplib()
  set(lack "")
  if(NOT LAB_HTTPLIB)
    string(CONCAT lack "./lab serve needs cpp-httplib and pkg-config, which are not installed here; "
                       "install libcpp-httplib-dev and pkgconf, or cpp-httplib and pkgconf of Homebrew")
  endif()
  lab_note_lack(lab${id}_serve "${lack}")
  if(LAB_HTTPLIB)
    lab_speaking_program_of_stack(serve ${id} "${tree}")
    target_link_libraries(lab${id}_serve PRIVATE ${LAB_HTTPLIB} Threads::Threads)
  endif()
endfunction()

function(lab_program_of_stack program id tree)
  file(GLOB sources CONFIGURE_DEPENDS "${LAB_APPS}/${program}/*.cpp" "${LAB_APPS}/${program}/*/*.cpp")
  lab_executable(lab${id}_${program} "${tree}" FILES ${sources} LINK lab${id}_stack)
  set_target_properties(lab${id}_${program} PROPERTIES EXCLUDE_FROM_ALL ON UNITY_BUILD ON)
endfunction()

function(lab_speaking_program_of_stack program id tree)
  lab_program_of_stack(${program} ${id} "${tree}")
  file(GLOB sources CONFIGURE_DEPENDS "${LAB_APPS}/speaker/*.cpp")
  target_sources(lab${id}_${program} PRIVATE ${sources})
  lab_link_unicode(lab${id}_${program})
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
