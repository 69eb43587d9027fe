#pragma once
// The kinds of records on the private pipe (channel.h), for the side that writes and the side that
// reads.

#include <string_view>

namespace kv::grader::record_kind {

inline constexpr std::string_view kStart = "start";      // a test begins: its full name
inline constexpr std::string_view kSource = "source";    // FILE:LINE of the test or of its check
inline constexpr std::string_view kSpec = "spec";        // the sentence that the test checks
inline constexpr std::string_view kQuote = "quote";      // the words of the contract that it checks
inline constexpr std::string_view kHeading = "heading";  // the README heading that states it
inline constexpr std::string_view kTodo = "todo";        // a stub was called: its step
inline constexpr std::string_view kStory = "story";      // a story begins; a new one replaces it
inline constexpr std::string_view kStoryPart = "part";   // the next bytes of the story
inline constexpr std::string_view kHistory = "history";  // the shortest calls that fail
inline constexpr std::string_view kWrong = "wrong";      // the first expectation that failed
inline constexpr std::string_view kCalls = "calls";      // in progress then: kTooDeep, addresses
inline constexpr std::string_view kFault = "fault";      // SIGSEGV: kRead, kWrite; the address
inline constexpr std::string_view kSteps = "steps";      // basic blocks that it ran, and may run
inline constexpr std::string_view kEndless = "endless";  // a loop without end: where, and why
inline constexpr std::string_view kTimeIsUp = "time";    // one is likely: the same
inline constexpr std::string_view kFinding = "finding";  // the simulator's finding, line by line:
                                                         // file, line, kind, where, what, means
inline constexpr std::string_view kTraffic = "traffic";  // what a line of a kernel moved: its file;
                                                         // below it, as numbers: line, is_shared,
                                                         // is_read, width, requests, moved, least
inline constexpr std::string_view kEnd = "end";          // the test is over: kPass or kFail
inline constexpr std::string_view kDone = "done";        // all tests have run

inline constexpr std::string_view kPass = "pass";
inline constexpr std::string_view kFail = "fail";

inline constexpr std::string_view kTooDeep = "deep";  // more calls than a right answer makes
inline constexpr std::string_view kRead = "read";
inline constexpr std::string_view kWrite = "write";
inline constexpr std::string_view kAccess = "access";  // a read or a write

}  // namespace kv::grader::record_kind
