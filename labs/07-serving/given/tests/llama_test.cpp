// What the model computes, beside its formulas in double.

#include "07-serving/given/llama.h"

#include <algorithm>
#include <cmath>

#include "07-serving/tests/served_texts.h"
#include "07-serving/tests/tiny_llama.h"
#include "grader/harness/expectations.h"

namespace kv::grader {
namespace {

double log_of_sum(const std::vector<double>& logits) {
  const double largest = *std::ranges::max_element(logits);
  double sum = 0;
  for (const double logit : logits) sum += std::exp(logit - largest);
  return largest + std::log(sum);
}

// A norm of the heads changes what each of them attends to: a text shows whether it is computed.
TEST(Llama, ProbabilitiesOfATextAreThoseOfTheFormulas) {
  for (const bool qk_norm : {false, true}) {
    LlamaConfig config = tiny_config();
    config.qk_norm = qk_norm;
    const TinyLlama llama(2, config);
    const oracle::LlamaOracle oracle = llama.as_oracle();
    Text text = {3, 1, 4, 1, 5, 9, 2};
    ServingEngine engine(llama.model(), {.block_size = 4});
    engine.add("A", {text, {.max_tokens = 16, .num_logprobs = 0}});
    engine.finish();

    for (const SampledToken& sampled : engine.raw().take_sampled("A")) {
      const auto& [token, logprob] = sampled.chosen;
      const std::vector<double> logits = oracle.logits(text);
      // A sum of 24 terms of up to some units, after two layers.
      EXPECT_NEAR(logprob, logits.at(static_cast<std::size_t>(token)) - log_of_sum(logits), 1e-4)
          << "token " << text.size() << (qk_norm ? ", with norms of the heads" : "");
      text.push_back(token);
    }
    EXPECT_SAME(text.size(), 23u) << "tokens of the prompt and of the text";
  }
}

}  // namespace
}  // namespace kv::grader
