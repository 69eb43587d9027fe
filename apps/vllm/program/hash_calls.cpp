// Lab 03: requests, and the names of their blocks.

#include "apps/vllm/program/objects.h"

namespace kv::vllm {
namespace {

std::vector<MultiModalFeature> features_of(const Json& list) {
  std::vector<MultiModalFeature> features;
  for (const Json& feature : list)
    features.push_back({.identifier = feature[0].get<std::string>(),
                        .offset = feature[1].get<std::size_t>(),
                        .num_tokens = feature[2].get<std::size_t>()});
  return features;
}

// ["new_request", id, block size, salt, [[image, offset, tokens], ...]]
Json new_request(Objects& objects, const Json& call) {
  ServedRequest request;
  request.request_id = call[1].get<std::string>();
  request.block_size = call[2].get<std::size_t>();
  request.cache_salt = call[3].get<std::string>();
  request.mm_features = features_of(call[4]);
  return objects.requests.add(std::move(request));
}

// The hash and the extra keys of each block that the new tokens made full.
Json append_tokens(Objects& objects, const Json& call) {
  ServedRequest& request = objects.requests.at(call[1]);
  const std::size_t num_before = request.block_hashes.size();
  append_output_token_ids(request, call[2].get<std::vector<TokenId>>());

  Json blocks = Json::array();
  for (std::size_t i = num_before; i < request.block_hashes.size(); ++i)
    blocks.push_back({request.block_hashes[i], request.block_extra_keys.at(i)});
  return blocks;
}

}  // namespace

void add_hash_calls(Calls& calls) {
  calls["new_request"] = new_request;
  // ["set_adapter", request, name, path]
  calls["set_adapter"] = [](Objects& objects, const Json& call) {
    ServedRequest& request = objects.requests.at(call[1]);
    request.lora_name = call[2].get<std::string>();
    request.lora_path = call[3].get<std::string>();
    return Json();
  };
  calls["append_tokens"] = append_tokens;
  calls["generate_block_hash_extra_keys"] = [](Objects& objects, const Json& call) {
    return Json(generate_block_hash_extra_keys(
        objects.requests.at(call[1]), call[2].get<std::size_t>(), call[3].get<std::size_t>()));
  };
  calls["hash_block_tokens"] = [](Objects&, const Json& call) {
    return Json(hash_block_tokens(optional_of<BlockHash>(call[1]),
                                  call[2].get<std::vector<TokenId>>(), call[3].get<ExtraKeys>()));
  };
}

}  // namespace kv::vllm
