#include "simt/rewrite/ptx.h"

#include <gtest/gtest.h>

#include <string>

#include "simt/rewrite/rewrite.h"

namespace kv::simt {
namespace {

void expect_cpp(const std::string& ptx, const std::string& cpp) {
  SCOPED_TRACE(ptx);
  EXPECT_EQ(ptx_to_cpp(ptx), cpp);
}

void expect_unknown(const std::string& ptx, const std::string& statement) {
  try {
    ADD_FAILURE() << ptx << " became " << ptx_to_cpp(ptx);
  } catch (const UnknownPtx& unknown) {
    EXPECT_EQ(unknown.what(), statement);
  }
}

TEST(Ptx, ComputesWithTheTypeOfTheInstruction) {
  expect_cpp("add.f16x2 %0, %1, %2;",
             "r[0] = ptx::bits(ptx::as<__half2>(r[1]) + ptx::as<__half2>(r[2])); ");
  expect_cpp("  shl.b32 %0,%1,5 ;\n",
             "r[0] = ptx::bits(ptx::shift_left(ptx::as<std::uint32_t>(r[1]), "
             "ptx::as<std::uint32_t>(5))); ");
  expect_cpp("cvt.rn.f16x2.f32 %0, %1, %2;",
             "r[0] = ptx::bits(__half2(__half(ptx::as<float>(r[2])), "
             "__half(ptx::as<float>(r[1])))); ");
  expect_cpp("mov.u32 %0, %%laneid;", "r[0] = ptx::bits(ptx::laneid()); ");
}

TEST(Ptx, MovesWordsInParts) {
  expect_cpp("mov.b32 %0, {%1, %2};", "ptx::pack<std::uint32_t>(r[0], r[1], r[2]); ");
  expect_cpp("mov.b64 {%0, %1}, %2;", "ptx::unpack<std::uint64_t>(r[2], r[0], r[1]); ");
}

TEST(Ptx, HasRegistersOfItsOwn) {
  expect_cpp("{ .reg .b32 sum; add.u32 sum, %1, 1; mov.u32 %0, sum; }",
             "r[30] = ptx::bits(ptx::wrapping(ptx::as<std::uint32_t>(r[1])) + "
             "ptx::wrapping(ptx::as<std::uint32_t>(1))); "
             "r[0] = ptx::bits(ptx::as<std::uint32_t>(r[30])); ");
}

TEST(Ptx, LoadsAndStores) {
  expect_cpp("ld.global.nc.L1::no_allocate.v2.f32 {%0, %1}, [%2 + 8];",
             "ptx::load<float>(r[2]+8, r[0], r[1]); ");
  expect_cpp("st.global.u16 [%0], %1;", "ptx::store<std::uint16_t>(r[0], r[1]); ");
}

TEST(Ptx, RefusesWhatItDoesNotKnow) {
  for (const std::string statement : {"cp.async.ca.shared.global [%0], [%1], 16",
                                      "add.rz.f32 %0, %1, %2",
                                      "add",
                                      "add.f32",
                                      "add.f32 %0, %1",
                                      "add.f32 %0, low, %1",
                                      "mov.u32 %0, %smid",
                                      "ld.shared.u32 %0, [%1]",
                                      "ld.global.u32 %0, %1",
                                      "@p bra done",
                                      ".reg .pred p",
                                      "mov.b32 {%0, %1}",
                                      "ld.global.u32",
                                      "add.f32 %0, , %1",
                                      "mov.b32 %0, {}",
                                      "mov.b32 %0, {%1, %2, %3}",
                                      "mov.b32 {%0, %1}, {%2, %3}",
                                      "ld.global.v2.u32 {%0, %1, %2}, [%3]",
                                      "ld.global.v2.u32 %0, [%3]",
                                      "mov.u32 %0, %%",
                                      "mov.u32 %0, %"}) {
    expect_unknown("mov.u32 %0, %1; " + statement + ";", statement);
  }
}

TEST(InlineAsm, KeepsItsOperandsOnTheirLines) {
  EXPECT_EQ(rewrite_cuda("__device__ void f() { asm volatile(\"not.b32 %0, %1;\"\n"
                         "  : \"=r\"(c)\n  : \"r\"(a[0]) : \"memory\"); }",
                         "a.cu"),
            "#include \"simt/ptx.h\"\n#line 1 \"a.cu\"\n"
            "__device__ void f() { ::kv::simt::ptx::run "
            "([](std::uint64_t* r) { namespace ptx = ::kv::simt::ptx; "
            "r[0] = ptx::bits(~ptx::as<std::uint32_t>(r[1])); }\n"
            "   , ::kv::simt::ptx::out(c)\n   , ::kv::simt::ptx::in(a[0])  ); }");
}

}  // namespace
}  // namespace kv::simt
