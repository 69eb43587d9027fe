#pragma once
// Lists of extra keys, no two of which are equal. Code that cuts, joins, sorts or counts keys takes
// one of them for another one.

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "03-block-hashing/block_hash.h"

namespace kv::grader {

using NamedKeys = std::pair<std::string, ExtraKeys>;  // the name is for messages

inline std::vector<NamedKeys> different_keys() {
  std::vector<NamedKeys> lists = {{"no key", {}},
                                  {"one empty key", {""}},
                                  {"lora=a", {"lora=a"}},
                                  {"lora=b", {"lora=b"}},
                                  {"lora=a twice", {"lora=a", "lora=a"}},
                                  {"lora=a, then salt=b", {"lora=a", "salt=b"}},
                                  {"lora=a, then salt=c", {"lora=a", "salt=c"}},
                                  {"salt=b, then lora=a", {"salt=b", "lora=a"}},
                                  {"lora=asalt=b in one key", {"lora=asalt=b"}}};
  for (const char byte : std::string_view("\0\n\t\x1f ,;|", 8)) {
    lists.push_back({"lora=a, the byte " + std::to_string(byte) + " and salt=b in one key",
                     {"lora=a" + std::string(1, byte) + "salt=b"}});
  }
  for (const std::size_t size : {300u, 70'000u}) {
    for (const char last : {'a', 'b'}) {
      lists.push_back({"a key of " + std::to_string(size) + " bytes that ends in " + last,
                       {std::string(size - 1, 'a') + last}});
    }
  }
  for (const char* last : {"image=cat@0", "image=dog@0"}) {
    lists.push_back({std::string("300 keys, the last is ") + last, ExtraKeys(300, "image=cat@0")});
    lists.back().second.back() = last;
  }
  return lists;
}

}  // namespace kv::grader
