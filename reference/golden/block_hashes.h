#pragma once
// Block hashes computed without any code of the labs. make_block_hashes.py wrote the numbers:
// Python package xxhash 4.1.0, 2026-11-20.

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace kv::golden {

using Tokens = std::vector<std::int32_t>;

struct Block {
  Tokens token_ids;
  std::optional<std::uint64_t> parent;
  std::vector<std::string> extra_keys;
  std::uint64_t hash;
};

// A request of full blocks, each the parent of the next, without extra keys.
struct Chain {
  std::size_t block_size;
  Tokens token_ids;
  std::vector<std::uint64_t> hashes;
};

// kind 0: ids of a vocabulary, 1: any int32, 2: extremes. The script has the same generator.
inline Tokens draw_tokens(std::uint64_t seed, std::size_t kind, std::size_t count) {
  constexpr std::array<std::int32_t, 4> kExtremes = {INT32_MIN, -1, 0, INT32_MAX};
  Tokens token_ids;
  for (std::uint64_t state = seed; token_ids.size() < count;) {
    state = state * 6364136223846793005 + 1442695040888963407;
    const auto high = static_cast<std::uint32_t>(state >> 32);
    token_ids.push_back(kind == 0   ? static_cast<std::int32_t>(high % 151'936)
                        : kind == 1 ? static_cast<std::int32_t>(high)
                                    : kExtremes[high >> 30]);
  }
  return token_ids;
}

// For every block size, every parent and every list of extra keys, nested in this order.
inline constexpr std::array<std::uint64_t, 204> kBlockHashes = {
    0x032503ba0afe54dc, 0xa1cc2dbab1830658, 0x74fc9328d2013f71, 0xfd9028a1d9212e39,
    0xa1362bc0d0ce7abb, 0xf4558bbbb6552d1e, 0x9f1a906fa4315908, 0x05932824629cd2bf,
    0xd5896886e91ce66d, 0x5e28c807141da61c, 0x77ade327055a8824, 0xd906f74e648e7a59,
    0xaff5939807a3dbf9, 0x8ba747dd9ae751f3, 0x00b01e9f5d1b2ecb, 0x64faed0ca98fda0e,
    0xb6536dc379ce0ef3, 0xcea56171e415b3d8, 0xb7b30b9d1822f6b8, 0x9621da91a1466c14,
    0xa033e630121f4a87, 0x0ed657e613bbfea6, 0xc7fdb564987ee766, 0x8a68b8a39a8339fa,
    0x3ace50382ce32362, 0x9c27c353610b885b, 0x12bb35c3023529a8, 0x2efe04e5a254a42e,
    0xfcc1c780ece733dc, 0x79827fea007b14c7, 0x82bc8ad99f939bbc, 0xd7634c6d5de8acbe,
    0x763b63c1a4e21144, 0xd2311d57ef463c79, 0xdb8a64496d87b6dd, 0x7467ca0aa01db1e9,
    0x491626978ec3b9b3, 0x8348130fa2c2f37b, 0x4ae292107c8f4bbc, 0x6daf9f59d075535b,
    0x2aebd43790499b9d, 0xf663bd8cf32dd83f, 0x51c5473646cd4d38, 0x7bcefaadd7539006,
    0xb85c4840f031034b, 0x725c2c1aabb92434, 0xaaa6576c1cb21696, 0xac5963139003e761,
    0x6119d4b98ad8b578, 0x503401daa35f7040, 0x7e0d80f9fca8a1c9, 0xb7d3b30c4ae0a40f,
    0x0f17df2dcadd850a, 0x1042acac9b8f216b, 0x7bac6e07adf98a61, 0xed47787f8532817b,
    0x16e7ed0158f71e6c, 0x81caa179199e0847, 0x122a0bbfa6c64248, 0xac4e47b334b0ac10,
    0xe871764fcb21214f, 0x0a98fcaac63b2e1f, 0xa2234046ccfba847, 0xa439aeedb86dd2ed,
    0x09b6f0e462231fda, 0xda016f78c9213952, 0x211addc8f61ce3bd, 0xd5f236a74243c8ac,
    0x0ed09a5159b88b78, 0xfda6e499a541cc2e, 0x21cdd86067cb4892, 0xe14b58976c917479,
    0xa605167e2b0e2f09, 0x195e985b076380e3, 0x093d0d25f402d92c, 0x96f971f8d7cfe18a,
    0xa6d0ec3a4b6115b5, 0x31e60b1d097a356a, 0x4cf59f92214894a9, 0x88bca10395db892a,
    0xed9a47f594686397, 0x24cf81a7afa9983d, 0x9ed984a314414b02, 0x4158c5867e31238e,
    0x61b0cb8087f77ce2, 0x47bb2071fc316cd4, 0x3f1b357c952b2e7f, 0xed99c4f5147eeb56,
    0x45a1ca8ecb3b25fe, 0x227a31daf5574229, 0x2391728aa9a67ce7, 0x756baa5494ef90f3,
    0x8bfc1d41452bcb40, 0x158797e759566b9b, 0xb55abd5e84f90f13, 0x68bb61cd761e9193,
    0xc2df76c6d5a72062, 0x062fa506b8017c37, 0xf9988c7799001b9d, 0x0cc0773d59c42f36,
    0xf601fb75889910fc, 0xea80c7cdda8a501f, 0x836dc7823543394e, 0xaddafb573ea44cbc,
    0x24abf0ceee3a9d01, 0x687df9fb16e97c62, 0x1c75e18d5068454b, 0xe658880d43d13586,
    0xb4ebea0a74fd79c2, 0x93898b279cf59a9a, 0x2517dda5a817170e, 0xcdf17dabf950784e,
    0xe9885bb56cfc6dd4, 0x3d9ab6de2c29bc89, 0x43aa36a21dc28b70, 0xd8aacb93e183c673,
    0x24af95be38f19c67, 0xb6bcf7f5aa778dbb, 0x5d45d370164051c7, 0xfbaada40903a7806,
    0x3fa4707f0537b533, 0x63ec752674d62c1e, 0x388d3de2fa548753, 0x212a53b9db451a19,
    0x25ed2276f974a3bd, 0x96c82e88a63f86c4, 0xc691346ca21a5f5c, 0x5da46aa23fd16dd9,
    0x8cfc4f6a82373305, 0x9a3af37ca9358554, 0x37cda7df1fd00f08, 0xf8cc2d6e30d4f563,
    0x93326193c8e50f23, 0xf82cf465f138c928, 0x1bb85132791fe070, 0x479d09128f348ac5,
    0x1d5dc211763edac6, 0x0b85e741d11bbb19, 0x2fffe56fa021e65d, 0xf02ffd8691685653,
    0x6b1756367f253282, 0x89dce677bb135c21, 0x13da567b5104f8a5, 0x50e2268bdd083e2b,
    0xde3cd405d4dd0575, 0x6033ddc9bc2f1492, 0x158116ae7f67bb24, 0x945efb86df8c6863,
    0x4d5478f80731ca56, 0x6ae51fcf56094fc2, 0x44a2b74edb0ad67b, 0xf2963c9e78184b92,
    0xc5a52cede7f29499, 0x30e165f1423ada27, 0xa4da36b9de887beb, 0xe534d4a8acd82857,
    0x67473af729999781, 0xa104cf2a49edf069, 0x1ec5e628d3b49412, 0xde113afdb18441c9,
    0xef8aabd228f343d5, 0x5b3a76236c6295ff, 0x7aa203e700c904f0, 0x15b76d290d477214,
    0x76cbd8846830379d, 0x6914cb5413b66a66, 0x885601dbe1d647b1, 0xb9a50694d7cc04e9,
    0xc180b39b8f14c3c5, 0x28f4885460a304c3, 0x0b6fd53d1486c763, 0xc945c96a4fe37d09,
    0xecc825be5a341747, 0x96f3f14d9b64404e, 0x7c36b353f5d3577b, 0x19401219a06af132,
    0x1f355b87094b8daf, 0xba56fea95d741d34, 0x1b1953a9791573db, 0xfe2fafaddae04501,
    0xd0028ad1710f4cfc, 0x07cacdc06603ffb9, 0x3f2d397f4579c30f, 0xbb7687545d478314,
    0xce43f201a42297e1, 0x462fff6d912cf846, 0x11bfb9662bcb4526, 0x222ca3b7b2a94845,
    0x3e26998b15c32706, 0x58e37d2bfa8693e6, 0x31556c4f715f38dd, 0x63fc48b49cc23b87,
    0xa2d610c108bd57b0, 0x2bbc3efe086393b0, 0xf08e4c51feb55b91, 0xefb04b620a034cca,
    0xad2de64ddf416253, 0x08533ed7dd805062, 0x4e791cd428476e64, 0x97722b388b8f7a52,
    0xe1c8dab6b2137fc7, 0x740f4e54e098c7f9, 0x6503534301e3676c, 0x80230554d992d769};

// The hashes of one request after the other.
inline constexpr std::array<std::uint64_t, 32> kChainHashes = {
    0x032503ba0afe54dc, 0xdb0a6fde1e87976d, 0xb2b9650fff36427d, 0x8e463831f2d9e41a,
    0x0244d4f02e11f3d0, 0xd6ee101d1e535e7f, 0x60274ab0dbf12d7c, 0x85d185a725d5573d,
    0xf7c534570b517cf3, 0xbee58c051e2977bd, 0x8ab16bc599df8627, 0x6c98188e42b376d4,
    0x965ebfe804d19655, 0xc348ab86b968747e, 0x8d7dc2bf659b56c6, 0x081c510538447ae1,
    0x74dcd3c901f9ebcb, 0xe9903cdad504e426, 0x25b9a36db91ae9ac, 0x92f31a304b100584,
    0x246f68fa6bdc8b44, 0xd8370ca634880736, 0x222be3226dec07f4, 0x3e363d16a9f1f516,
    0x71fcd41e342de319, 0x4bcdb4c2a6d4b2ee, 0x4238e66adb2990ac, 0x416e26224d8f63e4,
    0x1991d72ccf119bbc, 0xd98f9a40f923451d, 0x9b3c8dded64c9d50, 0x74f799257d38452b};

inline std::vector<Block> blocks() {
  constexpr std::array<std::size_t, 17> kSizes = {1,  2,  3,  4,  5,  7,   8,   15, 16,
                                                  17, 31, 32, 33, 64, 128, 255, 256};
  const std::vector<std::optional<std::uint64_t>> parents = {std::nullopt, 0, 1, UINT64_MAX};
  const std::vector<std::vector<std::string>> extra_keys = {
      {}, {"lora=sql"}, {"", "image=0123456789abcdef0123456789abcd@-12", "salt=\xc3\xa9"}};
  std::vector<Block> all;
  for (const std::size_t size : kSizes) {
    for (const auto& parent : parents) {
      for (const auto& keys : extra_keys) {
        const std::size_t i = all.size();
        all.push_back({draw_tokens(i, i / 3 % 3, size), parent, keys, kBlockHashes[i]});
      }
    }
  }
  return all;
}

inline std::vector<Chain> chains() {
  constexpr std::size_t kNumBlocks = 8;
  std::vector<Chain> all;
  for (const std::size_t block_size : {1U, 2U, 4U, 16U}) {
    const auto* first = kChainHashes.data() + all.size() * kNumBlocks;
    all.push_back({block_size,
                   draw_tokens(all.size(), 0, block_size * kNumBlocks),
                   {first, first + kNumBlocks}});
  }
  return all;
}

}  // namespace kv::golden
