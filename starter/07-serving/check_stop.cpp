#include <algorithm>

#include "07-serving/scheduler.h"
#include "kv/todo.h"

namespace kv {

std::optional<FinishReason> check_stop(const ServedRequest& request, std::size_t max_model_len) {
  KV_TODO("7.7 check_stop");
}

}  // namespace kv
