#pragma once
// ./lab simt on the command line.

namespace kv::grader {

class CommandLine;

void add_simt_command(CommandLine& line);

}  // namespace kv::grader
