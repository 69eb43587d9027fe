#include "grader/program/maintainer/check/browser.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <csignal>
#include <map>
#include <stdexcept>
#ifdef __linux__
#include <sys/prctl.h>
#endif

#include "grader/program/base/process/process.h"

namespace kv::grader {
namespace {

constexpr int kPatienceMilliseconds = 60'000;

// The browser reads commands from 3 and writes to 4.
[[noreturn]] void become_browser(std::vector<std::string> argv, int socket) {
#ifdef __linux__
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
#endif
  ::setsid();
  const int nothing = ::open("/dev/null", O_RDWR);
  constexpr int kAbove = 10;  // Why: ours may have one of the numbers that are given out here.
  const int own = ::fcntl(socket, F_DUPFD, kAbove);
  for (const int fd : {0, 1, 2}) ::dup2(nothing, fd);
  for (const int fd : {3, 4}) ::dup2(own, fd);
  close_all_from(5);
  std::vector<char*> words;
  for (std::string& word : argv) words.push_back(word.data());
  words.push_back(nullptr);
  ::execvp(words[0], words.data());
  ::_exit(127);
}

std::vector<std::string> command_line(const std::string& program, const fs::path& profile) {
  std::vector<std::string> argv = {program,
                                   "--headless=new",
                                   "--remote-debugging-pipe",
                                   "--user-data-dir=" + profile.string(),
                                   "--no-first-run",
                                   "--disable-gpu",
                                   "--disable-dev-shm-usage",
                                   "--disable-background-networking",
                                   "about:blank"};
  // Why: its sandbox cannot be set up by root, as in a container.
  if (::geteuid() == 0) argv.emplace_back("--no-sandbox");
  return argv;
}

}  // namespace

std::optional<std::string> Browser::find() {
  for (const std::string name : {"chromium", "chromium-browser", "google-chrome"}) {
    if (is_installed(name)) return name;
  }
  return std::nullopt;
}

Browser::Browser(const std::string& program, const fs::path& profile) {
  fs::create_directories(profile);
  std::array<int, 2> ends{};
  if (::socketpair(AF_UNIX, SOCK_STREAM, 0, ends.data()) != 0)
    throw std::runtime_error("no socket for the browser");
  for (const int fd : ends) ::fcntl(fd, F_SETFD, FD_CLOEXEC);
  pid_ = ::fork();
  if (pid_ == 0) become_browser(command_line(program, profile), ends[1]);
  ::close(ends[1]);
  socket_ = ends[0];
  const Json target = call("Target.createTarget", {{"url", "about:blank"}})["targetId"];
  const Json attached = call("Target.attachToTarget", {{"targetId", target}, {"flatten", true}});
  session_ = attached["sessionId"];
  for (const char* domain : {"Page", "Runtime", "Log", "Network"})
    call(std::string(domain) + ".enable");
}

Browser::~Browser() {
  ::kill(-pid_, SIGKILL);
  ::waitpid(pid_, nullptr, 0);
  ::close(socket_);
}

void Browser::open(const fs::path& page) {
  is_loaded_ = false;
  complaints_.clear();
  address_ = "file://" + replace_all(fs::absolute(page).string(), " ", "%20");
  call("Page.navigate", {{"url", address_}});
  while (!is_loaded_) take_event(next_message());
}

Json Browser::value_of(const std::string& expression) {
  const Json answer =
      call("Runtime.evaluate", {{"expression", expression}, {"returnByValue", true}});
  if (answer.contains("exceptionDetails"))
    throw std::runtime_error(expression + ": " + answer["exceptionDetails"].dump());
  return answer["result"].value("value", Json());
}

void Browser::press(const std::string& key) {
  static const std::map<std::string, int> kCodes = {
      {"Tab", 9},   {"Enter", 13},     {"PageUp", 33},  {"PageDown", 34},   {"End", 35},
      {"Home", 36}, {"ArrowLeft", 37}, {"ArrowUp", 38}, {"ArrowRight", 39}, {"ArrowDown", 40}};
  for (const std::string type : {"keyDown", "keyUp"}) {
    Json event = {
        {"type", type}, {"key", key}, {"code", key}, {"windowsVirtualKeyCode", kCodes.at(key)}};
    if (key == "Enter") event["text"] = "\r";
    call("Input.dispatchKeyEvent", event);
  }
}

void Browser::set_width(int pixels) {
  call("Emulation.setDeviceMetricsOverride",
       {{"width", pixels}, {"height", 800}, {"deviceScaleFactor", 1}, {"mobile", false}});
}

void Browser::set_dark(bool is_dark) {
  is_dark_ = is_dark;
  emulate_media();
}

void Browser::set_printing(bool is_printing) {
  is_printing_ = is_printing;
  emulate_media();
}

void Browser::emulate_media() {
  const Json feature = {{"name", "prefers-color-scheme"}, {"value", is_dark_ ? "dark" : "light"}};
  call("Emulation.setEmulatedMedia",
       {{"media", is_printing_ ? "print" : ""}, {"features", Json::array({feature})}});
}

Json Browser::call(const std::string& method, Json parameters) {
  Json command = {{"id", ++num_calls_}, {"method", method}, {"params", std::move(parameters)}};
  if (!session_.empty()) command["sessionId"] = session_;
  const std::string text = command.dump() + '\0';
  for (std::size_t sent = 0; sent < text.size();) {
    const ssize_t size = ::send(socket_, text.data() + sent, text.size() - sent, MSG_NOSIGNAL);
    if (size <= 0) throw std::runtime_error("the browser does not read");
    sent += static_cast<std::size_t>(size);
  }
  for (;;) {
    const Json message = next_message();
    if (message.value("id", 0) != num_calls_) {
      take_event(message);
    } else if (message.contains("error")) {
      throw std::runtime_error(method + ": " + message["error"].dump());
    } else {
      return message["result"];
    }
  }
}

Json Browser::next_message() {
  std::size_t end = 0;
  while ((end = received_.find('\0')) == std::string::npos) {
    pollfd ready{.fd = socket_, .events = POLLIN, .revents = 0};
    if (::poll(&ready, 1, kPatienceMilliseconds) <= 0)
      throw std::runtime_error("the browser does not answer");
    std::array<char, 1 << 16> piece;
    const ssize_t size = ::read(socket_, piece.data(), piece.size());
    if (size <= 0) throw std::runtime_error("the browser has ended");
    received_.append(piece.data(), static_cast<std::size_t>(size));
  }
  Json message = Json::parse(received_.substr(0, end));
  received_.erase(0, end + 1);
  return message;
}

void Browser::take_event(const Json& message) {
  const std::string method = message.value("method", "");
  const Json parameters = message.value("params", Json::object());
  is_loaded_ |= method == "Page.loadEventFired";
  if (method == "Runtime.exceptionThrown") complaints_.push_back(parameters.dump());
  if (method == "Log.entryAdded" && parameters["entry"]["level"] == "error")
    complaints_.push_back(parameters["entry"].dump());
  if (method == "Runtime.consoleAPICalled" && parameters["type"] == "error")
    complaints_.push_back(parameters.dump());
  if (method != "Network.requestWillBeSent") return;
  const std::string url = parameters["request"]["url"];
  if (url != address_) complaints_.push_back("a request: " + url);
}

}  // namespace kv::grader
