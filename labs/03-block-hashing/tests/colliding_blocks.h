#pragma once
// Different blocks, and different extra keys, with equal hashes: a prefix cache that trusts the
// hash gives a wrong hit. The comment above each pair is the command that found it.

#include <array>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "03-block-hashing/block_hash.h"
#include "kv/types.h"

namespace kv::grader {

struct CollidingBlocks {
  std::array<TokenId, 16> a, b;
};

// Equal hashes without a parent.
inline constexpr std::array<CollidingBlocks, 3> kCollidingWithoutParent = {{
    // collide --vocabulary 151936 --block-size 16 --seed 1
    {{127938, 143249, 149210, 120654, 28258, 9751, 150416, 78238, 124309, 34163, 83171, 28748,
      31433, 149287, 140068, 41015},
     {127938, 99036, 149210, 120654, 28258, 34783, 150416, 78238, 124309, 109800, 83171, 28748,
      31433, 10260, 140068, 41015}},
    // collide --vocabulary 151936 --block-size 16 --seed 2
    {{121104, 70191, 119739, 125746, 27861, 25811, 128578, 51821, 54051, 137530, 90254, 43673,
      53910, 140655, 100032, 60122},
     {121104, 125263, 119739, 125746, 27861, 49783, 128578, 51821, 54051, 125620, 90254, 43673,
      53910, 26725, 100032, 60122}},
    // collide --vocabulary 151936 --block-size 16 --seed 3
    {{76296, 48597, 149066, 144972, 72932, 53279, 22976, 113626, 35139, 66858, 84642, 9572, 137474,
      101130, 108884, 148463},
     {76296, 52194, 149066, 144972, 72932, 46095, 22976, 113626, 35139, 91843, 84642, 9572, 137474,
      9214, 108884, 148463}},
}};

// Equal hashes after any parent, if it is the same for both.
inline constexpr std::array<CollidingBlocks, 3> kCollidingAfterAnyParent = {{
    // collide --vocabulary 151936 --block-size 16 --seed 1
    {{143249, 69096, 149210, 120654, 9751, 146031, 150416, 78238, 34163, 36265, 83171, 28748,
      149287, 94229, 140068, 41015},
     {99036, 69096, 149210, 120654, 34783, 146031, 150416, 78238, 109800, 36265, 83171, 28748,
      10260, 94229, 140068, 41015}},
    // collide --vocabulary 151936 --block-size 16 --seed 2
    {{70191, 67201, 119739, 125746, 25811, 40399, 128578, 51821, 137530, 113175, 90254, 43673,
      140655, 6213, 100032, 60122},
     {125263, 67201, 119739, 125746, 49783, 40399, 128578, 51821, 125620, 113175, 90254, 43673,
      26725, 6213, 100032, 60122}},
    // collide --vocabulary 151936 --block-size 16 --seed 3
    {{48597, 28311, 149066, 144972, 53279, 33432, 22976, 113626, 66858, 16961, 84642, 9572, 101130,
      22927, 108884, 148463},
     {52194, 28311, 149066, 144972, 46095, 33432, 22976, 113626, 91843, 16961, 84642, 9572, 9214,
      22927, 108884, 148463}},
}};

// Two names with one XXH64 of "lora=NAME", computed with the algebra of collide.h, without a
// search: lane 1 reads the 8 bytes of the subject and the 8 bytes of the run. For two subjects, the
// runs have to differ by a number that the lane's first round gives; here both runs are printable.
inline std::pair<std::string, std::string> colliding_lora_names() {
  return {"my-attorney-adapter-trained-in-run-ahaa0a0a-with-rank-of-16",
          "my-sql-only-adapter-trained-in-run-5aw2fis7-with-rank-of-16"};
}

// A salt with which a first block of 16 tokens 7 has the same hash as without one. Computed, too:
// XXH64 can be undone, so the last word of a block gives any hash, and the last 8 bytes of a key
// any word.
inline std::string salt_hashed_as_none() {
  return "tenantaawtvEmVoO-zc";
}

// Lists of extra keys, no two of which are equal. Code that cuts, joins, sorts or counts keys takes
// one of them for another one.

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
