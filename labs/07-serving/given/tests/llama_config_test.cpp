// What is read of a config.json: transformers' defaults, the scaling of rope, and refusals that
// name the entry.

#include <fstream>
#include <nlohmann/json.hpp>

#include "07-serving/given/llama.h"
#include "grader/harness/expectations.h"

namespace kv::grader {
namespace {

using nlohmann::json;

class LlamaConfigFile : public testing::Test {
 protected:
  json config = {{"model_type", "llama"},    {"vocab_size", 50},
                 {"hidden_size", 48},        {"intermediate_size", 40},
                 {"num_hidden_layers", 2},   {"num_attention_heads", 4},
                 {"num_key_value_heads", 2}, {"head_dim", 6},
                 {"rms_norm_eps", 1e-5},     {"max_position_embeddings", 64}};

  LlamaConfig read() const {
    const auto file = std::filesystem::path(testing::TempDir()) / "kv_llama_config.json";
    std::ofstream(file) << config.dump();
    return read_llama_config(file);
  }

  // The sentence, or nothing.
  std::string refusal() const {
    try {
      read();
      return "";
    } catch (const std::runtime_error& error) {
      return error.what();
    }
  }

  void expect_refusal(const std::string& words) const {
    EXPECT_NE(refusal().find(words), std::string::npos)
        << "expected: " << words << "\nyours: " << refusal();
  }
};

TEST_F(LlamaConfigFile, WhatIsMissingOrNullHasTheDefaultOfTransformers) {
  for (const bool is_null : {true, false}) {
    for (const char* name : {"head_dim", "num_key_value_heads", "rms_norm_eps", "rope_theta",
                             "max_position_embeddings", "rope_parameters", "rope_scaling",
                             "attention_bias", "tie_word_embeddings", "hidden_act"}) {
      if (is_null)
        config[name] = nullptr;
      else
        config.erase(name);
    }
    const LlamaConfig llama = read();
    EXPECT_SAME(llama.head_dim, 12u) << "hidden_size / num_attention_heads";
    EXPECT_SAME(llama.num_key_value_heads, 4u) << "as many as num_attention_heads";
    EXPECT_SAME(llama.max_position_embeddings, 2048u) << "transformers' default";
    EXPECT_SAME(llama.rms_norm_eps, 1e-6) << "transformers' default";
    EXPECT_SAME(llama.rope_theta, 10000.0) << "transformers' default";
    EXPECT_SAME(llama.rope_scaling.factor, 1.0) << "no scaling";
  }
}

TEST_F(LlamaConfigFile, RopeScalingThatScalesNothing) {
  for (const json& scaling : {json::object(), json{{"rope_type", "default"}}}) {
    config["rope_scaling"] = scaling;
    EXPECT_SAME(read().rope_scaling.factor, 1.0) << scaling.dump();
  }
}

TEST_F(LlamaConfigFile, LinearScalingByBothNamesInBothPlaces) {
  for (const char* place : {"rope_scaling", "rope_parameters"}) {
    for (const char* type : {"rope_type", "type"}) {
      const json unchanged = config;
      config[place] = {{type, "linear"}, {"factor", 2}, {"rope_theta", 500.0}};
      EXPECT_SAME(read().rope_scaling.factor, 2.0) << place << " with " << type;
      EXPECT_SAME(read().rope_theta, 500.0) << place << " with " << type;
      config = unchanged;
    }
  }
}

// LlamaConfig of transformers 5.24.0 does the same; tried.
TEST_F(LlamaConfigFile, RopeScalingTakesThePlaceOfRopeParameters) {
  config["rope_parameters"] = {{"rope_type", "default"}, {"rope_theta", 500.0}};
  config["rope_scaling"] = {{"type", "linear"}, {"factor", 4}};
  EXPECT_SAME(read().rope_scaling.factor, 4.0) << "rope_scaling is read";
  EXPECT_SAME(read().rope_theta, 10000.0) << "rope_parameters is not";
}

TEST_F(LlamaConfigFile, RopeOfAKindThatIsNotComputedIsRefusedByName) {
  for (const char* type : {"yarn", "dynamic", "longrope"}) {
    config["rope_scaling"] = {{"type", type}, {"factor", 2}};
    expect_refusal(R"(has "type": ")" + std::string(type) +
                   R"("; only "default", "linear" or "llama3" is read there)");
  }
}

TEST_F(LlamaConfigFile, ScalingWithoutItsNumbersIsRefused) {
  config["rope_parameters"] = {{"rope_type", "llama3"}, {"factor", 8}, {"low_freq_factor", 1}};
  expect_refusal(R"(lacks "high_freq_factor": a number is needed)");
  config["rope_parameters"] = {{"rope_type", "linear"}, {"factor", 0}};
  expect_refusal(R"(has "factor": 0; only a number above 0 is read there)");
  config["rope_parameters"] = {{"rope_theta", 500.0}, {"partial_rotary_factor", 0.5}};
  expect_refusal(R"(has "partial_rotary_factor": 0.5; only 1.0 is read there)");
  config["rope_parameters"] = {{"full_attention", {{"rope_theta", 500.0}}}};
  expect_refusal("; only one object for all layers is read there");
}

TEST_F(LlamaConfigFile, EachRefusalNamesItsEntry) {
  struct Case {
    const char* name;
    json value;
    const char* words;
  };
  const json good = config;
  for (const auto& [name, value, words] : std::vector<Case>{
           {"model_type", "gpt2", R"(has "model_type": "gpt2"; only "llama" or "qwen3" is)"},
           {"hidden_act", "gelu", R"(has "hidden_act": "gelu"; only "silu" is read there)"},
           {"mlp_bias", true, R"(has "mlp_bias": true; only false is read there)"},
           {"hidden_size", nullptr, R"(lacks "hidden_size": a whole number from 0 on is needed)"},
           {"hidden_size", -1, R"(has "hidden_size": -1; only a whole number)"},
           {"vocab_size", 2.5, R"(has "vocab_size": 2.5; only a whole number)"},
           {"num_attention_heads", 0,
            R"(has "num_attention_heads": 0; only a whole number from 1)"},
           {"num_key_value_heads", 3, "; only a divisor of num_attention_heads is read there"},
           {"head_dim", 7, R"(has heads of size 7 ("head_dim", or)"},
           {"bos_token_id", 50, R"(has "bos_token_id": 50; only a token)"},
           {"eos_token_id", json::array({-1}), R"(has "eos_token_id": [-1]; only a token)"},
           {"rope_theta", "big", R"(has "rope_theta": "big"; only a number is read there)"},
           {"rope_scaling", 2, R"(has "rope_scaling": 2; only an object is read there)"}}) {
    config = good;
    config[name] = value;
    expect_refusal(words);
  }
}

TEST_F(LlamaConfigFile, QwenNormsItsHeadsAndSaysItsSizes) {
  EXPECT_FALSE(read().qk_norm);
  config["model_type"] = "qwen3";
  EXPECT_TRUE(read().qk_norm);

  const json good = config;
  for (const char* size : {"head_dim", "num_key_value_heads", "max_position_embeddings"}) {
    config = good;
    config.erase(size);
    expect_refusal("lacks \"" + std::string(size) + "\": a whole number from 0 on is needed");
  }

  config = good;
  config["use_sliding_window"] = true;
  expect_refusal(R"(has "use_sliding_window": true; only false is read there)");
  config["use_sliding_window"] = false;
  config["layer_types"] = {"full_attention", "sliding_attention"};
  expect_refusal(R"(; only "full_attention" is read there)");
}

// Against numbers of transformers' _compute_llama3_parameters, for Llama 3.2 1B.
TEST(RopeTurns, OfLlama3) {
  const auto turns = rope_turns(64, 500'000, {32, {{1, 4, 8192}}});
  const auto expect = [&](std::size_t i, double turn) {
    EXPECT_NEAR(turns.at(i) / turn, 1, 1e-12) << "turn " << i;
  };
  expect(0, 1.0);
  expect(14, 0.0032114459947525913);
  expect(15, 0.001290547928209264);
  expect(16, 0.00042955679655936815);
  expect(17, 9.70828780262767e-05);
  expect(18, 1.9461638184831125e-05);
  expect(31, 9.418306725434909e-08);
}

TEST(RopeTurns, LinearScalingDividesEach) {
  const auto plain = rope_turns(8, 10'000, {});
  const auto divided = rope_turns(8, 10'000, {.factor = 4});
  for (std::size_t i = 0; i < 4; ++i) EXPECT_SAME(divided[i], plain[i] / 4) << "turn " << i;
}

}  // namespace
}  // namespace kv::grader
