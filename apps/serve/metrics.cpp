#include "apps/serve/metrics.h"

#include <sstream>

namespace kv::serve {
namespace {

// The value of a label, without its quotes.
std::string escaped(const std::string& text) {
  std::string escaped;
  for (const char letter : text) {
    if (letter == '"' || letter == '\\') escaped += '\\';
    escaped += letter == '\n' ? "\\n" : std::string(1, letter);
  }
  return escaped;
}

class Page {
 public:
  explicit Page(const std::string& model) : label_("model_name=\"" + escaped(model) + "\"") {}

  void add(const std::string& type,
           const std::string& name,
           const std::string& help,
           double value) {
    begin(type, name, help);
    line(name, "", value);
  }

  void begin(const std::string& type, const std::string& name, const std::string& help) {
    text_ << "# HELP vllm:" << name << ' ' << help << "\n# TYPE vllm:" << name << ' ' << type
          << '\n';
  }

  void line(const std::string& name, const std::string& more_labels, double value) {
    text_ << "vllm:" << name << '{' << label_ << more_labels << "} " << value << '\n';
  }

  void add(const std::string& name, const std::string& help, const Histogram& histogram) {
    begin("histogram", name, help);
    for (std::size_t i = 0; i < Histogram::kBounds.size(); ++i) {
      std::ostringstream bound;
      bound << ",le=\"" << Histogram::kBounds[i] << '"';
      line(name + "_bucket", bound.str(), static_cast<double>(histogram.num_at_most[i]));
    }
    line(name + "_bucket", ",le=\"+Inf\"", static_cast<double>(histogram.count));
    line(name + "_sum", "", histogram.sum);
    line(name + "_count", "", static_cast<double>(histogram.count));
  }

  std::string text() const { return text_.str(); }

 private:
  std::string label_;
  std::ostringstream text_ = [] {
    std::ostringstream text;
    text.precision(15);
    return text;
  }();
};

}  // namespace

std::string metrics_page(const EngineStats& stats, const std::string& model) {
  const auto number = [](std::size_t count) { return static_cast<double>(count); };
  Page page(model);
  page.add("gauge", "num_requests_running", "Requests that have blocks.",
           number(stats.num_requests_running));
  page.add("gauge", "num_requests_waiting", "Requests that wait for blocks.",
           number(stats.num_requests_waiting));
  page.add("gauge", "kv_cache_usage_perc", "Used blocks of all; 1 is all of them.",
           number(stats.num_used_blocks) / number(stats.num_blocks));
  page.add("counter", "num_preemptions_total", "Requests that lost their blocks to another.",
           number(stats.num_preemptions));
  page.add("counter", "prompt_tokens_total", "Tokens of prompts.", number(stats.num_prompt_tokens));
  page.add("counter", "generation_tokens_total", "Tokens of answers.",
           number(stats.num_generation_tokens));
  page.add("counter", "prefix_cache_queries_total", "Tokens looked for in the prefix cache.",
           number(stats.num_prompt_tokens));
  page.add("counter", "prefix_cache_hits_total", "Tokens found there.",
           number(stats.num_prefix_cache_hits));
  page.begin("counter", "request_success_total", "Requests that have ended, by their reason.");
  page.line("request_success_total", ",finished_reason=\"stop\"", number(stats.num_stopped));
  page.line("request_success_total", ",finished_reason=\"length\"", number(stats.num_at_length));
  page.line("request_success_total", ",finished_reason=\"abort\"", number(stats.num_aborted));
  page.add("time_to_first_token_seconds", "From the call to its first token.",
           stats.time_to_first_token_s);
  page.add("inter_token_latency_seconds", "From a token to the next one.",
           stats.inter_token_latency_s);
  return page.text();
}

}  // namespace kv::serve
