#include "apps/commands/speaking_options.h"
#include "apps/commands/stack_program.h"

namespace kv::grader {
namespace {

struct ChatOptions : SpeakingOptions {
  ChatOptions() { max_tokens = 100; }
  std::string system = {};
};

void declare_chat(CommandForm& form, ChatOptions& options) {
  declare_engine(form, options);
  declare_sampling(form, options);
  form.option("--system", options.system,
              "what the model is told before the conversation, if it has learned such messages");
  form.footer(
      "A model goes on with what you write, through your own labs 01 to 05 and 07; one that\n"
      "has learned conversations answers it. A line below the text says what the engine does;\n"
      "/help lists what else there is. Through a pipe, each line is a prompt, and only the\n"
      "answers are printed.\n"
      "exit codes: 0 done, 2 wrong use, a model that cannot be read, steps that are not\n"
      "written, or code that breaks, 3 the kit itself is broken");
}

int chat_command(const Kit& kit, const ChatOptions& options) {
  const LabSpec& lab = kit.manifest.lab("07");
  std::vector<std::string> arguments = speaking_arguments(kit, lab, options);
  arguments.insert(arguments.end(), {"system", options.system});
  return run_stack(kit, lab, "chat", options.tree, arguments);
}

}  // namespace

void add_chat_command(CommandLine& line) {
  line.add<ChatOptions>("chat", declare_chat, chat_command);
}

}  // namespace kv::grader
