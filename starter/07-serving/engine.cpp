#include "07-serving/engine.h"

#include "kv/todo.h"

namespace kv {

std::vector<EngineCoreOutput> Engine::step() {
  propose_drafts();
  KV_TODO("7.11 step");
}

}  // namespace kv
