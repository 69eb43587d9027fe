#pragma once
// `./lab simt FILE.cu`: runs a CUDA program on the CPU, and reports its bugs and the cost of its
// kernels. simt/README.md explains how.

#include <string>
#include <vector>

#include "base/kit/json.h"
#include "base/kit/kit.h"

namespace kv::grader {

class CommandLine;

// Where simt has its own files, and where it writes.
struct SimtPlaces {
  fs::path root;                            // has simt/include, simt/flags, simt/page and base/page
  fs::path runtime;                         // libsimt_runtime.a
  fs::path build;                           // where the programs are built
  std::string manual;                       // the page that says what simt has
  std::vector<fs::path> more_headers = {};  // that programs find without -I
};

SimtPlaces places_in_kit(const Kit& kit);

struct SimtOptions {
  std::vector<std::string> files;
  std::vector<std::string> arguments = {};  // what the program is called with
  std::string input = {};                   // a file with the program's input; empty: none
  std::string call = {};                    // that its main function makes; empty: it has one
  std::vector<std::string> include_folders = {};
  std::vector<std::string> macros = {};  // NAME or NAME=VALUE
  std::string standard = {};             // "c++17"; empty: the oldest that simt's headers need
  std::string cuda = "13";               // 12
  bool has_extended_lambda = false;
  std::string schedule = "both";  // forward, reverse
  std::string level = {};         // 0 or 1: -O0 or -O1 for all; empty: see the command
  bool no_profile = false;
  bool occurrences = false;  // the profile without lockstep
  bool annotate = false;
  std::string format = "text";  // sanitizer, ncu
  std::string json_file = {};
  std::string page = {};  // an HTML file to write
  std::string compiler = {};
};

// words: of the command line, "simt" first. What CLI11 cannot read: "-std=c++17" becomes
// "--std=c++17", and each argument after "--" an option of its own, because files are positional,
// too.
std::vector<std::string> readable_simt_options(std::vector<std::string> words);

void add_simt_command(CommandLine& line, SimtPlaces (*find)(const Kit& kit) = places_in_kit);

// Runs a program in both orders of threads with checks, and once more with a profile. Returns the
// findings and counts of all runs, as --json writes them.
Json run_simt(const SimtPlaces& places, const SimtOptions& options);

// The output of `./lab simt`.
std::string simt_findings(const Json& all);

// "checked with g++ and clang++"
std::string simt_checkers(const Json& all);

// A table for each kernel's lines.
std::string simt_profile(const Json& all);

// The findings as compute-sanitizer prints them, the counts as Nsight Compute does.
std::string simt_sanitizer(const Json& all);
std::string simt_ncu(const Json& all);

// The source with the cost of each line.
std::string simt_listing(const Json& all);

// A page with the source, its costs, one access of each line, and a block step by step.
void write_simt_page(const SimtPlaces& places, const Json& all, const fs::path& file);

// "kernel.cu:12", of a finding, a note or an earlier access
std::string text_of_place(const Json& object);

// "(3,0,0)" of [3, 0, 0]
std::string text_of_index(const Json& index);

// The lines of a source file; none when it cannot be read.
std::vector<std::string> source_lines(const std::string& file);

}  // namespace kv::grader
