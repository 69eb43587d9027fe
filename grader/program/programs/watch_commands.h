#pragma once
// The commands beside a student's editor that draw pages, ask questions or compare.

namespace kv::grader {

class CommandLine;

void add_watch_commands(CommandLine& line);

}  // namespace kv::grader
