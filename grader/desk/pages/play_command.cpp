#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>

#include "base/commands/command_line.h"
#include "base/page/page.h"
#include "base/process/process.h"
#include "base/text/errors.h"
#include "base/text/text.h"
#include "grader/desk/pages/worked_example.h"
#include "grader/desk/steps/places.h"

namespace kv::grader {
namespace {

// The name of the program; nullptr if nothing can be shown here.
const char* opener() {
#ifdef __APPLE__
  return "open";
#else
  const bool has_display = std::getenv("DISPLAY") != nullptr || std::getenv("WAYLAND_DISPLAY");
  return has_display && is_installed("xdg-open") ? "xdg-open" : nullptr;
#endif
}

// Opens the page in the reader's browser, which goes on when this program ends. false: no display
// is there, or no program that opens files. Why not run(): it ends whatever the program has
// started.
bool open_in_browser(const fs::path& page) {
  const char* program = opener();
  if (program == nullptr) return false;
  const std::string path = page.string();
  const pid_t child = ::fork();
  if (child < 0) return false;
  if (child == 0) {
    if (::setsid() < 0 || ::fork() != 0) ::_exit(0);
    const int nothing = ::open("/dev/null", O_RDWR);
    for (const int fd : {0, 1, 2}) ::dup2(nothing, fd);
    ::execlp(program, program, path.c_str(), nullptr);
    ::_exit(1);
  }
  ::waitpid(child, nullptr, 0);
  return true;
}

struct PlayOptions {
  std::string log;             // a file, or a lab
  std::string html_file = {};  // empty: in the build folder
  bool no_open = false;
};

struct Recording {
  std::string title;
  std::string name;  // name of the page's file
  pages::EventLog log;
};

void refuse_without_example(const Kit& kit, const LabSpec& lab) {
  if (!pages::worked_example(kit, lab).empty()) return;
  std::vector<std::string> others;
  for (const LabSpec& other : kit.manifest.labs) {
    if (!pages::worked_example(kit, other).empty()) others.push_back(other.id);
  }
  throw UsageError("lab " + lab.id +
                   " has no example to play; those that have one: " + join(others, ", "));
}

Recording example_of(const Kit& kit, const LabSpec& lab) {
  refuse_without_example(kit, lab);
  const PredictPrograms programs = build_predict_programs(kit, lab, {});
  return {.title = "Lab " + lab.id + ", a worked example",
          .name = lab.folder,
          .log = pages::log_of_example(pages::worked_example(kit, lab), programs)};
}

Recording recording_of(const Kit& kit, const std::string& what) {
  if (fs::is_regular_file(what))
    return {.title = fs::path(what).filename().string(),
            .name = fs::path(what).stem().string(),
            .log = pages::read_event_log(what)};
  if (const LabSpec* lab = kit.manifest.find(what)) return example_of(kit, *lab);
  throw UsageError("\"" + what + "\" is no file and no lab; try ./lab play 01");
}

// Why not the error as it is: a page is no score.
void write_page(const Kit& kit, const Recording& recording, const fs::path& file) {
  const std::string num_calls = std::to_string(recording.log.num_calls);
  const pages::PageContent content{
      .script = "grader/page/main.js",
      .title = printable(recording.title),
      .data = {{"kind", "play"}, {"title", recording.title}, {"subtitle", num_calls + " calls"}},
      .log = recording.log.lines};
  try {
    write_file(file, pages::page_text(kit.root, content));
  } catch (const MachineFailed& error) {
    throw UsageError(error.what());
  }
}

void declare_play(CommandForm& form, PlayOptions& options) {
  form.argument("LOG", options.log,
                "an event log, as ./lab replay --events writes it; or a lab, as 01")
      .required();
  declare_output(form, "--html", options.html_file, "write the page to this file");
  form.flag("--no-open", options.no_open, "write the page, and open no browser");
  form.footer(
      "Makes a page on which you go through the calls, forwards and backwards: the free queue,\n"
      "each block with its ref_cnt and its hash, the block tables of the requests, and which of\n"
      "them wait and which run. Of a lab it plays the worked example of the README, on the\n"
      "solution. The page is one file, and needs no network. Where a display is, it is opened;\n"
      "the keys are the arrows, Home and End.");
}

int play_command(const Kit& kit, const PlayOptions& options) {
  const Recording recording = recording_of(kit, options.log);
  const fs::path page = options.html_file.empty() ? kit.build / "play" / (recording.name + ".html")
                                                  : fs::path(options.html_file);
  write_page(kit, recording, page);
  const bool is_opened = !options.no_open && open_in_browser(fs::absolute(page));
  std::printf("%zu calls: %s%s\n", recording.log.num_calls,
              printable(steps::shown_path(kit, fs::absolute(page))).c_str(),
              is_opened ? "" : "\nopen it in a browser; it needs no network and no other file");
  return kExitGraded;
}

}  // namespace

void pages::write_example_page(const Kit& kit, const LabSpec& lab, const fs::path& file) {
  write_page(kit, example_of(kit, lab), file);
}

void add_play_command(CommandLine& line) {
  line.add<PlayOptions>("play", declare_play, play_command);
}

}  // namespace kv::grader
