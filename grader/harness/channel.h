#pragma once
// The private pipe from a test process to the grading program. What a student's code prints cannot
// forge a verdict: a record counts only with the nonce, and the harness has read the nonce and
// closed its pipe before their code runs.
//
// A record:  <nonce> <kind> <payload bytes>\n<payload>\n

#include <string_view>

namespace kv::grader::channel {

// False if the tests run by hand or under ctest: then everything goes to standard output.
bool is_open();

// Safe inside a signal handler: allocates nothing.
void send(std::string_view kind, std::string_view payload);

// From now on nothing is sent: for a child process, whose end decides nothing.
void close();

bool is_finished();

// All tests have run; leaving the process before this counts as leaving early.
void finish();

}  // namespace kv::grader::channel
