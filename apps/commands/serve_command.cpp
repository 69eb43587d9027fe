#include <regex>

#include "apps/commands/live_page.h"
#include "apps/commands/speaking_options.h"
#include "apps/commands/stack_program.h"
#include "base/page/page.h"

namespace kv::grader {
namespace {

struct ServeOptions : EngineOptions {
  std::string host = "127.0.0.1";
  int port = 8000;
  std::string allowed_origins = {};  // with commas between them
  std::string api_key = {};
  std::size_t max_requests = 128;
  std::string course = {};  // where a reader of the page begins; empty: nowhere
  std::string folder = {};  // gets files that need no server; empty: a server runs
};

// What is wrong with it; empty: nothing.
std::string problem_of_origin(const std::string& text) {
  static const std::regex kOrigin("[a-z][-+.a-z0-9]*://[-.:\\[\\]\\w]+");
  return std::regex_match(text, kOrigin) ? "" : "\"" + text + "\" is not like https://name:port";
}

std::string problem_of_course(const std::string& text) {
  static const std::regex kAddress("https?://.+|[-./\\w]+");
  return std::regex_match(text, kAddress) ? "" : "\"" + text + "\" is not like https://name/page";
}

void declare_page(CommandForm& form, ServeOptions& options) {
  form.option("--course", options.course,
              "the address of your course, to which the guide of the page leads at its end")
      .check(problem_of_course);
  form.option(
      "--static", options.folder,
      "starts no server: writes the page and its engine into this folder, for any web space");
}

void declare_serve(CommandForm& form, ServeOptions& options) {
  declare_engine(form, options);
  form.option("--port", options.port, "by default 8000; 0: any that is free").between(0, 65535);
  form.option("--host", options.host,
              "the address to listen at, by default 127.0.0.1: this machine only. 0.0.0.0 opens "
              "the server to everybody in your network");
  form.option("--allow-origin", options.allowed_origins,
              "pages from there may call the server, as https://name:port; pages of this "
              "machine always may. More than once for more than one")
      .check(problem_of_origin)
      .joined_by_commas();
  form.option("--api-key", options.api_key, "a word that calls have to give");
  form.option("--max-requests", options.max_requests,
              "answers at one time, running and waiting, by default 128; one more gets status "
              "429")
      .between(1, 1024);
  declare_page(form, options);
  form.footer(
      "A server of text from your own labs 01 to 05 and 07, with a page at / that\n"
      "shows the blocks at work, and the calls of OpenAI's clients:\n"
      "/v1/completions, /v1/chat/completions, /v1/models, /health, and /metrics with vLLM's "
      "names.\n"
      "It has ended ten seconds after Ctrl-C or SIGTERM, or two seconds after a second one.\n"
      "exit codes: 0 done, 2 wrong use, a model that cannot be read, steps that are not\n"
      "written, or code that breaks, 3 the kit itself is broken");
}

// A shell completes the name of a folder with a slash.
std::string name_of_folder(const std::string& folder) {
  const fs::path path = fs::absolute(folder).lexically_normal();
  return path.has_filename() ? path.filename() : path.parent_path().filename();
}

// The file of the page at /.
fs::path write_page(const Kit& kit, const ServeOptions& options) {
  pages::PageContent page =
      pool_page("apps/page/main.js",
                "labs 01 to 05 and 07 of " + options.tree + "/ manage its memory.", options.course);
  page.has_server = true;
  const fs::path file = kit.build / "serve.html";
  fs::create_directories(kit.build);
  write_file(file, pages::page_text(kit.root, page));
  return file;
}

std::vector<std::string> arguments_of(const Kit& kit,
                                      const LabSpec& lab,
                                      const ServeOptions& options) {
  const std::string name = options.model.empty() ? "pagedlab" : name_of_folder(options.model);
  std::vector<std::string> arguments = engine_arguments(kit, lab, options);
  arguments.insert(
      arguments.end(),
      {"model-name", name, "host", options.host, "port", std::to_string(options.port),
       "allow-origin", options.allowed_origins, "api-key", options.api_key, "max-requests",
       std::to_string(options.max_requests), "page", write_page(kit, options).string()});
  return arguments;
}

int write_static_page(const Kit& kit, const ServeOptions& options) {
  write_live_page(kit, options.tree, options.folder, options.course);
  std::printf("%s\n", ("open " + (fs::path(options.folder) / "index.html").string()).c_str());
  return kExitGraded;
}

int serve_command(const Kit& kit, const ServeOptions& options) {
  if (!options.folder.empty()) return write_static_page(kit, options);
  const LabSpec& lab = kit.manifest.lab("07");
  return run_stack(kit, lab, "serve", options.tree, arguments_of(kit, lab, options));
}

}  // namespace

void add_serve_command(CommandLine& line) {
  line.add<ServeOptions>("serve", declare_serve, serve_command);
}

}  // namespace kv::grader
