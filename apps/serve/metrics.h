#pragma once
// The metrics page, in the text format of Prometheus.

#include <string>

#include "apps/serve/engine/engine_stats.h"

namespace kv::serve {

// The names are vLLM's (vllm/v1/metrics/loggers.py).
std::string metrics_page(const EngineStats& stats, const std::string& model);

}  // namespace kv::serve
