// The program of `./lab chat`.

#include "apps/chat/chat.h"
#include "apps/speaker/run_program.h"

int main(int argc, char** argv) {
  return kv::run_program("chat", kv::kGrade, [&] {
    kv::chat::watch_for_interrupt();
    kv::chat::Terminal terminal;
    kv::chat::Chat(kv::chat::read_options(kv::read_pairs(argc, argv)), terminal).run();
  });
}
