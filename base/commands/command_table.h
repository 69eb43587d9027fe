#pragma once
// The commands of ./lab: the program that has one, what is typed, and what it is for. The script
// ./lab prints its help from this file and looks here for the program to start. A command's own
// --help and what a shell completes say the same words.

namespace kv::grader {

inline constexpr const char* kCommandTable = R"(
For students:
student | grade [LAB ...] | grade your work in starter/, or another tree
watch | watch [LAB] | grade after each save: the step at hand first, one page, single keys
student | next [LAB] | the step at hand: what to read, and where to write
student | list [LAB ...] | all steps: not written, wrong or done, and their points
student | hint [STEP] | the next hint for the step at hand, or for 2.3
student | reset STEP | put the stub of one function back; yours is kept in a file
watch | predict LAB | the questions of a lab's README: you answer, then see what is right
bench | bench LAB | how fast your code is, beside the solution and the machine's limit
watch | diff [TREE] [LAB] | compare your functions with the solution, when you are done
lab | doctor | what is installed, what is missing, and how to get it
and to look further:
watch | play LOG | an event log, or a lab's worked example, as a page to step through
bench | replay [TRACE] | a trace of requests through your lab 04: hit rates, memory use
bench | generate "Once ..." | a model speaks through your lab 07, and the hash of its logits
bench | chat | a model answers you through your own labs 01 to 05 and 07
bench | serve | a server for OpenAI's clients, on the same labs
bench | model NAME | a model for them, as smollm2, which is fetched and converted
bench | vllm [LAB] | vLLM's own unit tests, and its scheduler, on your code
simt | simt FILE.cu | run a CUDA program on the CPU: what is wrong, and what it costs

For teachers:
course | class FOLDER | grade the submissions of a class, each by itself
course | similar FOLDER | which submissions of a class have much text in common
course | handout FOLDER | a copy of the kit for students, without solutions that are not open
course | bundle SERVICE DIR | what Gradescope or Classroom 50 grades with
course | results SERVICE ... | grade one submission there; the bundles run this
kit | viva SUBMISSION LAB | questions for a talk, made from a student's own code, with answers
course | site [--out DIR] | the course as pages to read, in a browser, with a search

For work on the kit:
kit | test [--full] | test the kit itself
kit | mutate [LAB ...] | change the solution in one place at a time: does a test fail?
kit | new-lab NN-name | make the files of a new lab, to add one to the kit
kit | signatures [LAB ...] | compute again which tests each known bug fails
kit | completion SHELL | a script for bash, zsh or fish that completes what you type after ./lab
)";

}  // namespace kv::grader
