// Computes with __half and __nv_bfloat16 and prints one line for each operation: its name, how many
// cases, a digest of the results. Compiled twice, with our cuda_fp16.h and cuda_bf16.h and with the
// toolkit's, it has to print the same lines: the results are then equal bit for bit.
//
// With the name of an operation it prints every case of it, for diff.

#include <cuda_fp8.h>

#include <cstdio>
#include <cstring>

#include "narrow_cases.h"

namespace kv::simt {
namespace {

const char* wanted_operation = "";

class Line {
 public:
  Line(const char* format, const char* operation)
      : prints_cases_(std::strcmp(operation, wanted_operation) == 0),
        format_(format),
        operation_(operation) {}
  ~Line() { std::printf("%s %s %zu %016llx\n", format_, operation_, num_cases_, digest_); }

  void add(std::uint32_t result) {
    if (prints_cases_) std::printf("%zu %08x\n", num_cases_, result);
    digest_ = (digest_ ^ result) * 1099511628211ull;
    ++num_cases_;
  }
  void add(float result) { add(std::bit_cast<std::uint32_t>(result)); }

 private:
  bool prints_cases_;
  const char* format_;
  const char* operation_;
  std::size_t num_cases_ = 0;
  unsigned long long digest_ = 14695981039346656037ull;
};

template <typename Format>
void run_conversions() {
  Line to_float(Format::kName, "to_float");
  for (unsigned bits = 0; bits < 0x10000; ++bits)
    to_float.add(Format::to_float(Format::make(bits)));
  Line from_float(Format::kName, "from_float");
  Line from_double(Format::kName, "from_double");
  Line from_int(Format::kName, "from_int");
  Line pair(Format::kName, "pair");
  RandomBits random;
  for (const float f : floats_to_round<Format>()) {
    from_float.add(Format::bits(Format::from_float(f)));
    const double beside_any_float = std::nextafter(static_cast<double>(f), 0.0);
    from_double.add(Format::bits(Format::from_double(beside_any_float)));
    const auto integer = static_cast<int>(random.next() >> 40) - (1 << 23);
    from_int.add(Format::bits(typename Format::Value(integer)));
    const float2 back = Format::to_float2(Format::pair(make_float2(f, -f)));
    pair.add(back.x);
    pair.add(back.y);
  }
}

template <typename Format>
void run_arithmetic() {
  using T = typename Format::Value;
  struct Operation {
    const char* name;
    T (*apply)(T, T);
  };
  const Operation operations[] = {
      {"add", [](T a, T b) { return __hadd(a, b); }},
      {"sub", [](T a, T b) { return __hsub(a, b); }},
      {"mul", [](T a, T b) { return __hmul(a, b); }},
      {"div", [](T a, T b) { return __hdiv(a, b); }},
      {"max", [](T a, T b) { return __hmax(a, b); }},
      {"min", [](T a, T b) { return __hmin(a, b); }},
      {"neg_abs", [](T a, T b) { return __hadd(__hneg(a), __habs(b)); }},
      {"operators", [](T a, T b) { return (a + b) * (a - b) / -b; }},
  };
  const std::vector<std::uint32_t> pairs = operand_pairs();
  for (const Operation& operation : operations) {
    Line line(Format::kName, operation.name);
    for (const std::uint32_t two : pairs) {
      line.add(Format::bits(operation.apply(Format::make(two >> 16), Format::make(two & 0xffff))));
    }
  }
}

template <typename T>
std::uint32_t relations(T a, T b) {
  const bool holds[] = {__heq(a, b),       __hne(a, b), __hlt(a, b), __hle(a, b),
                        __hgt(a, b),       __hge(a, b), a == b,      a != b,
                        a<b, a <= b, a> b, a >= b,      __hisnan(a)};
  std::uint32_t bits = 0;
  for (const bool each : holds) bits = 2 * bits + (each ? 1 : 0);
  return bits;
}

// A bit for each comparison of both pairs, and two for the numbers of those that give pairs.
template <typename Pair>
std::uint32_t relations_of_pairs(Pair a, Pair b) {
  const bool holds[] = {__hbeq2(a, b), __hbne2(a, b), __hblt2(a, b),
                        __hble2(a, b), __hbgt2(a, b), __hbge2(a, b)};
  const Pair pairs[] = {__heq2(a, b), __hne2(a, b), __hlt2(a, b),
                        __hle2(a, b), __hgt2(a, b), __hge2(a, b)};
  std::uint32_t bits = 0;
  for (const bool each : holds) bits = 2 * bits + (each ? 1 : 0);
  for (const Pair& each : pairs) {
    bits = 4 * bits + 2 * (__low2float(each) == 1) + (__high2float(each) == 1);
  }
  return bits;
}

template <typename Format>
void run_pairs() {
  Line compare(Format::kName, "compare");
  Line compare_two(Format::kName, "compare_two");
  Line two_at_once(Format::kName, "two_at_once");
  typename Format::Pair previous(Format::make(0), Format::make(0));
  for (const std::uint32_t two : operand_pairs()) {
    const typename Format::Pair p(Format::make(two >> 16), Format::make(two & 0xffff));
    compare.add(relations(p.x, p.y));
    const auto q = __hmin2(__hadd2(p, previous), __hmul2(__hsub2(p, previous), p / previous));
    two_at_once.add(Format::bits(q.x) << 16 | Format::bits(q.y));
    two_at_once.add(__low2float(q) + __high2float(__hmax2(p, __hneg2(__habs2(q)))));
    two_at_once.add(p == previous ? 1u : 0u);
    compare_two.add(relations_of_pairs(p, previous));
    previous = p;
  }
}

// Floats of eight bits: every code, and every 4099th float.
template <typename Two, typename Four>
void run_several_of_eight_bits(const char* name) {
  Line several(name, "several");
  RandomBits random;
  for (int i = 0; i < 10000; ++i) {
    const auto draw = [&] { return std::ldexp(static_cast<float>(random.next() >> 48), -8); };
    const float2 two = make_float2(draw(), -draw());
    const float4 four = make_float4(draw(), -draw(), two.x, two.y);
    several.add(std::uint32_t{Two(two).__x});
    several.add(Four(four).__x);
    several.add(float2(Two(two)).y);
    several.add(float4(Four(four)).z);
  }
}

template <typename Value>
void run_eight_bits(const char* name) {
  Line to_float(name, "to_float");
  Line from_float(name, "from_float");
  for (unsigned code = 0; code < 256; ++code) {
    Value value;
    value.__x = static_cast<unsigned char>(code);
    const float number = float(value);
    to_float.add(number != number ? 0.5f : number);  // not every NaN has the same bits
  }
  for (std::uint64_t bits = 0; bits >> 32 == 0; bits += 4099) {
    const auto number = std::bit_cast<float>(static_cast<std::uint32_t>(bits));
    from_float.add(std::uint32_t{Value(number).__x});
  }
}

template <typename Format>
void run_all() {
  run_conversions<Format>();
  run_arithmetic<Format>();
  run_pairs<Format>();
}

}  // namespace
}  // namespace kv::simt

int main(int argc, char** argv) {
  if (argc > 1) kv::simt::wanted_operation = argv[1];
  kv::simt::run_all<kv::simt::Half>();
  kv::simt::run_all<kv::simt::Bfloat16>();
  kv::simt::run_eight_bits<__nv_fp8_e4m3>("e4m3");
  kv::simt::run_eight_bits<__nv_fp8_e5m2>("e5m2");
  kv::simt::run_several_of_eight_bits<__nv_fp8x2_e4m3, __nv_fp8x4_e4m3>("e4m3");
  kv::simt::run_several_of_eight_bits<__nv_fp8x2_e5m2, __nv_fp8x4_e5m2>("e5m2");
}
