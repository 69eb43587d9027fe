#include "apps/replay/report.h"

#include <sys/resource.h>

#include <cmath>
#include <cstdio>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>

namespace kv::replay {

namespace {

constexpr double kMegabyte = 1e6;

std::string bar(double share) {
  constexpr double kWidth = 30;
  if (!(share >= 0)) return "";
  const auto filled = static_cast<std::size_t>(std::lround(kWidth * std::min(share, 1.0)));
  return std::string(filled, '#') + std::string(static_cast<std::size_t>(kWidth) - filled, '.');
}

// 1234567 -> "1 234 567"
std::string grouped(std::size_t number) {
  std::string text = std::to_string(number);
  for (std::size_t at = text.size(); at > 3;) text.insert(at -= 3, " ");
  return text;
}

std::string percent(double share) {
  if (std::isnan(share)) return "-";
  char text[16];
  std::snprintf(text, sizeof text, "%.1f %%", 100 * share);
  return text;
}

void print_trace(const Trace& trace, const Options& options) {
  std::size_t num_prompt = 0, num_output = 0;
  for (const TraceRequest& request : trace.requests) {
    num_prompt += request.input_length;
    num_output += request.output_length;
  }
  std::printf("%s requests of %s: %s prompt tokens, %s output tokens\n",
              grouped(trace.requests.size()).c_str(),
              std::filesystem::path(trace.name).filename().c_str(), grouped(num_prompt).c_str(),
              grouped(num_output).c_str());
  if (trace.num_bad_lines > 0) std::printf("left out: %zu malformed lines\n", trace.num_bad_lines);
  std::printf("%s different blocks of %zu tokens\n",
              grouped(trace.num_distinct_ids * kTraceBlock / options.block_size).c_str(),
              options.block_size);
}

void print_reference(const HitRate& row) {
  const double ours = row.manager.seconds;
  std::printf("%14s  hits %s; time of the manager: %.2f x, with equal tokens too %.2f x\n",
              "reference", row.agrees() ? "equal" : "DIFFERENT", ours / row.reference->seconds,
              ours / row.exact_reference->seconds);
}

void print_hit_rates(std::size_t num_all, const Options& options, const Results& results) {
  std::printf("\nhit rate by capacity: one request after the other\n");
  std::printf("%14s%10s%12s%14s%14s\n", "blocks", "hit rate", "when warm", "evictions",
              "requests/s");
  for (const HitRate& row : results.hit_rates) {
    const CacheReplay& replay = row.manager;
    const auto num_requests = static_cast<double>(num_all);
    std::printf("%14s%10.4f%12.4f%14s%14.0f  %s\n", grouped(replay.capacity).c_str(),
                replay.hit_rate(), replay.hit_rate_when_warm(),
                grouped(replay.num_evictions).c_str(), num_requests / replay.seconds,
                bar(replay.hit_rate()).c_str());
    if (replay.num_unfit > 0)
      std::printf("%14s  %s requests have more blocks than that\n", "",
                  grouped(replay.num_unfit).c_str());
    if (options.beside_reference) print_reference(row);
  }
}

void print_scheme(const Scheme& scheme) {
  const double share = scheme.use.of_pool();
  const double batch = scheme.use.mean_running();
  std::printf("  %-28s%9s%14s%9s%11s  %s\n", scheme.name.c_str(), percent(share).c_str(),
              percent(scheme.use.of_reserved()).c_str(),
              std::isnan(batch) ? "-" : std::to_string(std::lround(batch)).c_str(),
              grouped(scheme.num_steps).c_str(), bar(share).c_str());
}

void print_memory_use(const Options& options, const Results& results) {
  std::printf("\nmemory for %s tokens, requests of at most %s, while one waits for memory\n",
              grouped(options.serving.pool_tokens).c_str(),
              grouped(options.serving.max_model_len).c_str());
  std::printf("  %-28s%9s%14s%9s%11s\n", "share that holds tokens", "of all", "of reserved",
              "batch", "steps");
  for (const Scheme& scheme : results.contiguous) print_scheme(scheme);
  for (const Serving& serving : results.paged) print_scheme(serving.scheme);
  if (std::isnan(results.paged.front().scheme.use.of_pool()))
    std::printf("  no request had to wait; try a smaller --pool-tokens\n");
}

// "36.6 %": of the tokens of all prompts that are served.
std::string percent_of_prompts(const Serving& serving, std::size_t num_tokens) {
  return percent(static_cast<double>(num_tokens) / static_cast<double>(serving.num_prompt_tokens));
}

void print_serving(const Options& options, const Results& results) {
  std::printf("\nthe first %s requests, served\n", grouped(options.serving.num_requests).c_str());
  for (const Serving& serving : results.paged) {
    std::printf(
        "  %s: %.0f of %s blocks in use, at most %s; %s preemptions; %s of the prompts found "
        "in the cache, %s with what preempted requests find again; %.0f requests/s\n",
        serving.scheme.name.c_str(), serving.mean_blocks,
        grouped(serving.num_usable_blocks).c_str(), grouped(serving.peak_blocks).c_str(),
        grouped(serving.scheme.num_preemptions).c_str(),
        percent_of_prompts(serving, serving.num_first_hits).c_str(),
        percent_of_prompts(serving, serving.num_hit_tokens).c_str(),
        static_cast<double>(options.serving.num_requests) / serving.seconds);
  }
}

}  // namespace

void print_report(const Trace& trace, const Options& options, const Results& results) {
  print_trace(trace, options);
  print_hit_rates(trace.requests.size(), options, results);
  if (!results.paged.empty()) print_memory_use(options, results);
  if (!results.paged.empty()) print_serving(options, results);
  std::printf("\npeak memory %.0f MB, %.0f MB of it the tokens and hashes of the prompts\n",
              static_cast<double>(peak_memory_bytes()) / kMegabyte,
              static_cast<double>(results.prompt_bytes) / kMegabyte);
  if (results.num_events > 0)
    std::printf("%s calls with their states are in %s\n", grouped(results.num_events).c_str(),
                options.events_file.c_str());
}

std::size_t peak_memory_bytes() {
  rusage usage{};
  ::getrusage(RUSAGE_SELF, &usage);
#ifdef __APPLE__
  return static_cast<std::size_t>(usage.ru_maxrss);
#else
  return static_cast<std::size_t>(usage.ru_maxrss) * 1024;
#endif
}

namespace {

using Json = nlohmann::ordered_json;

Json replay_json(const CacheReplay& replay) {
  return {{"num_hits", replay.num_hits},
          {"num_evictions", replay.num_evictions},
          {"num_unfit", replay.num_unfit},
          {"seconds", replay.seconds}};
}

Json hit_rate_json(const HitRate& row) {
  Json result = {{"capacity", row.manager.capacity},
                 {"num_blocks", row.manager.num_blocks},
                 {"hit_rate", row.manager.hit_rate()},
                 {"hit_rate_when_warm", row.manager.hit_rate_when_warm()},
                 {"num_hits_when_warm", row.manager.num_hits_when_warm},
                 {"num_tokens_when_warm", row.manager.num_tokens_when_warm}};
  result.update(replay_json(row.manager));
  if (row.reference) result["reference"] = replay_json(*row.reference);
  if (row.exact_reference) result["exact_reference"] = replay_json(*row.exact_reference);
  return result;
}

// null: no request has waited for memory.
Json share(double value) {
  return std::isnan(value) ? Json(nullptr) : Json(value);
}

Json scheme_json(const Scheme& scheme) {
  return {{"name", scheme.name},
          {"held_of_pool", share(scheme.use.of_pool())},
          {"held_of_reserved", share(scheme.use.of_reserved())},
          {"mean_running", share(scheme.use.mean_running())},
          {"num_steps", scheme.num_steps},
          {"num_preemptions", scheme.num_preemptions}};
}

Json serving_json(const Serving& serving) {
  Json result = scheme_json(serving.scheme);
  result.update({{"num_prompt_tokens", serving.num_prompt_tokens},
                 {"num_hit_tokens", serving.num_hit_tokens},
                 {"num_first_hits", serving.num_first_hits},
                 {"num_usable_blocks", serving.num_usable_blocks},
                 {"mean_blocks", serving.mean_blocks},
                 {"peak_blocks", serving.peak_blocks},
                 {"seconds", serving.seconds}});
  return result;
}

}  // namespace

void write_json(std::ostream& out,
                const Trace& trace,
                const Options& options,
                const Results& results) {
  Json hit_rates = Json::array(), memory = Json::array();
  for (const HitRate& row : results.hit_rates) hit_rates.push_back(hit_rate_json(row));
  for (const Scheme& scheme : results.contiguous) memory.push_back(scheme_json(scheme));
  for (const Serving& serving : results.paged) memory.push_back(serving_json(serving));
  const Json report = {{"format", 1},
                       {"trace", trace.name},
                       {"num_requests", trace.requests.size()},
                       {"num_bad_lines", trace.num_bad_lines},
                       {"num_distinct_ids", trace.num_distinct_ids},
                       {"block_size", options.block_size},
                       {"hit_rates", hit_rates},
                       {"serving",
                        {{"num_requests", options.serving.num_requests},
                         {"pool_tokens", options.serving.pool_tokens},
                         {"max_model_len", options.serving.max_model_len},
                         {"max_num_batched_tokens", options.serving.max_num_batched_tokens},
                         {"max_num_seqs", options.serving.max_num_seqs},
                         {"watermark", options.serving.watermark},
                         {"schemes", memory}}},
                       {"prompt_bytes", results.prompt_bytes},
                       {"peak_memory_bytes", peak_memory_bytes()}};
  // Why replaced: the name of a file need not be UTF-8.
  out << report.dump(2, ' ', false, Json::error_handler_t::replace) << '\n';
}

}  // namespace kv::replay
