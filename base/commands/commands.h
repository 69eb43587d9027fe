#pragma once
// Every command of ./lab, in the order of ./lab help. NAME is in the file NAME_command.cpp of its
// room: what it is for, its options, and the function that carries it out.

#include <filesystem>
#include <functional>

namespace kv::grader {

class CommandLine;
struct Kit;
struct Report;

// Writes the page of `grade --html` (grader/desk/pages/grading_page.h). Why handed over: the
// student's program has none, so that the first grading does not wait for it.
using PageWriter = std::function<void(const Kit&, const Report&, const std::filesystem::path&)>;

// grader/desk
void add_grade_command(CommandLine& line, const PageWriter& write_page);  // grade
void add_watch_command(CommandLine& line);                                // watch
void add_next_command(CommandLine& line);                                 // steps
void add_list_command(CommandLine& line);                                 // steps
void add_hint_command(CommandLine& line);                                 // steps
void add_reset_command(CommandLine& line);                                // steps
void add_predict_command(CommandLine& line);                              // predict
void add_bench_command(CommandLine& line);                                // bench
void add_diff_command(CommandLine& line);                                 // handed_in
void add_play_command(CommandLine& line);                                 // pages

// apps
void add_replay_command(CommandLine& line);    // commands
void add_generate_command(CommandLine& line);  // commands
void add_chat_command(CommandLine& line);      // commands
void add_serve_command(CommandLine& line);     // commands
void add_model_command(CommandLine& line);     // commands
void add_vllm_command(CommandLine& line);      // commands

// grader/classroom
void add_class_command(CommandLine& line);    // class
void add_similar_command(CommandLine& line);  // similar
void add_handout_command(CommandLine& line);  // handout
void add_bundle_command(CommandLine& line);   // bundles
void add_results_command(CommandLine& line);  // bundles
void add_site_command(CommandLine& line);     // site

// grader/proof
void add_test_command(CommandLine& line);        // check
void add_mutate_command(CommandLine& line);      // mutate
void add_new_lab_command(CommandLine& line);     // tools
void add_signatures_command(CommandLine& line);  // check
void add_completion_command(CommandLine& line);  // tools
void add_viva_command(CommandLine& line);        // viva

// simt/cli has add_simt_command, in simt.h.

}  // namespace kv::grader
