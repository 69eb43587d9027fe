// The tokens of texts, for test_exact_tokens.py: the argument is a tokenizer.json, each line of the
// input a text as JSON, each line of the output its tokens.

#include <cstdio>
#include <exception>
#include <iostream>
#include <nlohmann/json.hpp>
#include <string>

#include "apps/speaker/exact_tokenizer.h"

int main(int, char** argv) {
  try {
    const kv::ExactTokenizer tokenizer{std::filesystem::path(argv[1])};
    for (std::string line; std::getline(std::cin, line);) {
      const std::string text = nlohmann::json::parse(line);
      std::cout << nlohmann::json(tokenizer.encode(text)).dump() << "\n";
    }
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 2;
  }
}
