#pragma once
// The commands for teachers: a class, what is alike in it, copies for students, services, the site.

namespace kv::grader {

class CommandLine;

void add_course_commands(CommandLine& line);

}  // namespace kv::grader
