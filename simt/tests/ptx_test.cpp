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

TEST(Ptx, LoadsAndStoresSharedMemoryByItsOwnAddresses) {
  expect_cpp("ld.shared.v2.f32 {%0, %1}, [%2 + 8];",
             "ptx::load<float>(ptx::in_shared(r[2]+8), r[0], r[1]); ");
  expect_cpp("st.volatile.shared.u16 [%0], %1;",
             "ptx::store<std::uint16_t>(ptx::in_shared(r[0]), r[1]); ");
  expect_cpp("{ .reg .u64 whole; cvta.to.shared.u64 whole, %1; cvt.u32.u64 %0, whole; }",
             "r[30] = ptx::to_shared(r[1]); "
             "r[0] = ptx::bits(static_cast<std::uint32_t>(ptx::as<std::uint64_t>(r[30]))); ");
}

TEST(Ptx, CopiesInTheBackground) {
  expect_cpp("cp.async.ca.shared.global [%0], [%1], %2, %3;",
             "ptx::copy_async(ptx::in_shared(r[0]), r[1], ptx::as<unsigned>(r[2]), "
             "ptx::as<unsigned>(r[3])); ");
  expect_cpp("cp.async.commit_group; cp.async.wait_group 2;",
             "::kv::simt::close_batch(); ::kv::simt::wait_for_batches(ptx::as<unsigned>(2)); ");
}

TEST(Ptx, WaitsAtBarriers) {
  expect_cpp("bar.sync 0;", "::kv::simt::wait_at_barrier(ptx::as<unsigned>(0), 0); ");
  expect_cpp("barrier.cta.sync.aligned %0, %1;",
             "::kv::simt::wait_at_barrier(ptx::as<unsigned>(r[0]), ptx::as<unsigned>(r[1])); ");
  expect_cpp("bar.arrive 1, 64;",
             "::kv::simt::arrive_at_barrier(ptx::as<unsigned>(1), ptx::as<unsigned>(64)); ");
  expect_cpp("bar.warp.sync 0xffffffff;", "__syncwarp(ptx::as<unsigned>(0xffffffff)); ");
  expect_unknown("bar.red.popc.u32 %0, 1, p;", "bar.red.popc.u32 %0, 1, p");
}

TEST(Ptx, HasConditions) {
  expect_cpp("{ .reg .pred p; setp.ne.b32 p, %0, 0; @p mov.b32 %1, %2; @!p mov.b32 %1, 7; }",
             "r[30] = ptx::bits(ptx::as<std::uint32_t>(r[0]) != ptx::as<std::uint32_t>(0)); "
             "if (r[30]) { r[1] = ptx::bits(ptx::as<std::uint32_t>(r[2])); } "
             "if (!r[30]) { r[1] = ptx::bits(ptx::as<std::uint32_t>(7)); } ");
}

TEST(Ptx, TakesNumbersOfEachKind) {
  expect_cpp("add.f32 %0, %1, 0f3F800000;",
             "r[0] = ptx::bits(ptx::as<float>(r[1]) + ptx::as<float>(0x3F800000)); ");
  expect_cpp("add.f32 %0, %1, -1.5;",
             "r[0] = ptx::bits(ptx::as<float>(r[1]) + static_cast<float>(-1.5)); ");
}

TEST(Ptx, MultipliesMatrices) {
  expect_cpp("ldmatrix.sync.aligned.m8n8.x2.trans.shared.b16 {%0, %1}, [%2];",
             "ptx::load_matrices<true>(ptx::in_shared(r[2]), {&r[0], &r[1]}); ");
  expect_cpp(
      "mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32 {%0, %1, %2, %3}, {%4, %5, %6, "
      "%7}, {%8, %9}, {%0, %1, %2, %3};",
      "ptx::Mma<16, 8, 8, float, ptx::tf32, ptx::tf32, float>::run({&r[0], &r[1], &r[2], "
      "&r[3]}, {r[4], r[5], r[6], r[7]}, {r[8], r[9]}, {r[0], r[1], r[2], r[3]}, false); ");
}

void expect_mismatch(const std::string& ptx, const std::string& why) {
  SCOPED_TRACE(ptx);
  // %0 to %4 are "r", "l", "h", "f" and "d"; %5 is a number.
  const std::vector<std::string> types = {"b32", "b64", "b16", "f32", "f64", ""};
  try {
    ptx_to_cpp(ptx, types);
    EXPECT_EQ(why, "");
  } catch (const MismatchedPtx& mismatch) {
    EXPECT_EQ(mismatch.what(), why);
  }
}

TEST(Ptx, RefusesRegistersThatAnInstructionDoesNotTake) {
  expect_mismatch("add.u32 %0, %1, 1;", "nvcc refuses this add.u32: %1 has 64 bits and not 32");
  expect_mismatch("mov.u32 %0, %3;", "nvcc refuses this mov.u32: %3 is for floats");
  expect_mismatch("setp.eq.u32 %0, %0, 0;", "nvcc refuses this setp.eq.u32: %0 is no predicate");
  expect_mismatch("shl.b64 %1, %1, %1;", "nvcc refuses this shl.b64: %1 has 64 bits and not 32");
  expect_mismatch("cvt.u64.u32 %1, %2;",
                  "nvcc refuses this cvt.u64.u32: %2 has 16 bits and not 32");
  expect_mismatch("ld.global.u64 %0, [%1];",
                  "nvcc refuses this ld.global.u64: %0 has 32 bits and not 64");
  expect_mismatch("mov.b64 %1, {%2, %2};", "nvcc refuses this mov.b64: %2 has 16 bits and not 32");
  expect_mismatch("{ .reg .b64 t; add.u32 t, %0, 1; }",
                  "nvcc refuses this add.u32: t has 64 bits and not 32");
  expect_mismatch("mov.u64 %1, %%laneid;",
                  "nvcc refuses this mov.u64: it takes mov.u32 to read %laneid");
  expect_mismatch("mov.u32 %0, %%clock64;",
                  "nvcc refuses this mov.u32: it takes mov.u64 to read %clock64");
  expect_mismatch("add.u32 %0, %%laneid, 1;",
                  "nvcc refuses this add.u32: it takes mov.u32 to read %laneid");
}

TEST(Ptx, TakesRegistersAsPtxasDoes) {
  for (const char* const statement :
       {"add.f32 %3, %0, %3;", "mov.b32 %0, %3;", "shl.b64 %1, %1, %0;", "mov.u16 %2, %%tid.x;",
        "cvt.u32.u64 %1, %1;", "cvt.f32.f16 %3, %0;", "ld.global.u16 %0, [%1];",
        "ld.global.f32 %1, [%1];", "st.global.u32 [%1], %1;", "mov.b64 %1, {%2, %2, %2, %2};",
        "bar.sync %5;", "mov.u32 %0, %%clock_hi;"})
    expect_mismatch(statement, "");
}

TEST(Ptx, RefusesWhatItDoesNotKnow) {
  for (const std::string statement : {"cvta.shared.u64 %0, %1",
                                      "add.f32 %0, %1, 1",
                                      "add.rz.f32 %0, %1, %2",
                                      "add",
                                      "add.f32",
                                      "add.f32 %0, %1",
                                      "add.f32 %0, low, %1",
                                      "mov.u32 %0, %gridid",
                                      "ld.global.u32 %0, %1",
                                      "@p bra done",
                                      "@p mov.u32 %0, %1",
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

TEST(Ptx, RefusesKindsOfCopiesAndProductsThatItDoesNotKnow) {
  const std::string registers = " {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3}";
  const std::string mma = "mma.sync.aligned.m16n8k16.row.";
  for (const std::string& statement :
       {std::string("cp.async.ca.shared.global [%0], [%1]"),
        std::string("cp.async.shared.global [%0], [%1], 16"),
        std::string("cp.async.bulk.commit_group"), std::string("cp.async"),
        std::string("cp.async.mbarrier.arrive.shared.b64 [%0]"),
        std::string("ldmatrix.sync.aligned.m8n8.x2.shared.b16 {%0}, [%1]"),
        std::string("ldmatrix.sync.aligned.m8n8.x1.shared.b8 {%0}, [%1]"),
        mma + "row.f32.f16.f16.f32" + registers, mma + "col.f32.f16.bf16.f32" + registers}) {
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

bool rewrites(const std::string& source, const std::string& to) {
  return rewrite_cuda(source, "a.cu").find(to) != std::string::npos;
}

TEST(InlineAsm, OfAMacroThatDeviceCodeUses) {
  const std::string kernel = "__global__ void k() { TWICE(0); }\n";
  const std::string macro = "#define TWICE(n) ONCE(n); ONCE(n)\n#define ONCE(n) \\\n asm volatile(";
  EXPECT_TRUE(rewrites(macro + "\"cp.async.wait_group %0;\" ::\"n\"(n))\n" + kernel,
                       "{ namespace ptx = ::kv::simt::ptx; ::kv::simt::wait_for_batches("));
  EXPECT_TRUE(rewrites(macro + "\"wgmma.fence;\" ::\"n\"(n))\n" + kernel, "KV_SIMT_ASM"));
}

TEST(InlineAsm, OfAMacroOfTheHostStays) {
  const std::string host = "#define REST() asm volatile(\"pause\")\nvoid f() { REST(); }\n";
  EXPECT_TRUE(rewrites(host, host));
}

TEST(InlineAsm, OfAMacroOfAHeaderIsPtxIfItReadsAsPtx) {
  EXPECT_TRUE(rewrites("#define CLOSE() asm volatile(\"cp.async.commit_group;\" ::)\n",
                       "::kv::simt::close_batch()"));
}

}  // namespace
}  // namespace kv::simt
