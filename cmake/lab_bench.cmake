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

function(lab_bench_program name)
  add_executable(${name})
  target_link_libraries(${name} PRIVATE ${ARGN} benchmark::benchmark Threads::Threads)
  lab_link_given(${name})
endfunction()
