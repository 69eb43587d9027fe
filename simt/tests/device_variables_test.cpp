// What the rewriter adds to device code, and what it reads in the text.

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "simt/rewrite/refusals.h"
#include "simt/rewrite/rewrite.h"

namespace kv::simt {
namespace {

void expect_rewritten(const std::string& source, const std::string& expected) {
  EXPECT_EQ(rewrite_cuda(source, "a.cu"), "#line 1 \"a.cu\"\n" + expected);
}

void expect_untouched(const std::string& source) {
  expect_rewritten(source, source);
}

std::vector<std::string> kinds_in(const std::string& source) {
  DeclaredNames names;
  collect_names(source, names);
  std::vector<std::string> kinds;
  for (const Refusal& refusal : find_refusals(source, names)) kinds.push_back(refusal.kind);
  return kinds;
}

void expect_refused(const std::string& source, const std::string& kind) {
  EXPECT_EQ(kinds_in(source), std::vector<std::string>{kind}) << source;
}

void expect_accepted(const std::string& source) {
  EXPECT_EQ(kinds_in(source), std::vector<std::string>{}) << source;
}

TEST(DeviceVariable, GetsASection) {
  expect_rewritten("__device__ int x;", "KV_SIMT_SECTION(\"kv_simt_device\") int x;");
  expect_rewritten("__managed__ int x = 5;",
                   "__managed__ KV_SIMT_SECTION(\"kv_simt_managed\") int x = 5;");
  expect_rewritten("__device__ int x;\n#endif\n",
                   "KV_SIMT_SECTION(\"kv_simt_device\") int x;\n#endif\n");
  expect_rewritten("static __device__ float a[4] = {1};",
                   "static KV_SIMT_SECTION(\"kv_simt_device\") float a[4] = {1};");
  expect_rewritten("__constant__ float a[4];", "KV_SIMT_SECTION(\"kv_simt_unset\") float a[4];");
}

TEST(DeviceVariable, MayBeInline) {
  expect_rewritten("static __device__ inline int x = 1;",
                   "static KV_SIMT_SECTION(\"kv_simt_device\") inline int x = 1;");
  expect_untouched("__device__ inline int f(int x);");
}

TEST(DeviceVariable, MayBeDeclaredThroughAMacro) {
  const std::string section = "KV_SIMT_SECTION(\"kv_simt_device\") ";
  expect_rewritten("#define DEVICE static __device__\nDEVICE int x;",
                   "#define DEVICE static __device__\nDEVICE " + section + "int x;");
  expect_rewritten(
      "#define TABLE(T, name) \\\n  __device__ T name[2] = {1, 2}\nTABLE(int, x);",
      "#define TABLE(T, name) \\\n  " + section + "T name[2] = {1, 2}\nTABLE(int, x);");
  expect_rewritten("#define COUNTER(name) __device__ int name\nCOUNTER(x);",
                   "#define COUNTER(name) " + section + "int name\nCOUNTER(x);");
  expect_untouched("#define DEVICE __device__ inline\nDEVICE int f(int x);");
  expect_untouched("#define FUNCTION(T) __device__ T\nFUNCTION(int) f(int x);");
  expect_untouched("#define GET(name) __device__ int name() { return 1; }\nGET(x)");
}

TEST(DeviceVariable, IsNoFunctionLambdaOrMacro) {
  expect_untouched("__device__ int f(int x);");
  expect_untouched("__host__ __device__ int f() { return 1; }");
  expect_untouched("auto f = [] __device__ { return 1; };");
  expect_untouched("#define HD __device__\nint x;");
  expect_untouched("struct V { __device__ V operator+(V other); };");
  expect_untouched("__constant__ float a[2] = {1, 2};");
  expect_untouched("#define HD \\\n  __device__\nint x;\n");
}

TEST(LaunchBounds, AreComparedInTheKernel) {
  const std::string check = "::kv::simt::check_launch_bounds(";
  expect_rewritten("__global__ void __launch_bounds__(128) k() {}",
                   "__global__ void __launch_bounds__(128) k() {" + check + "128 ); }");
  expect_rewritten("__launch_bounds__(kSize, 2) __global__ void k(int n) {}",
                   "__launch_bounds__(kSize, 2) __global__ void k(int n) {" + check + "kSize ); }");
  expect_untouched("__global__ void __launch_bounds__(128) k();");
}

TEST(Refusals, AreFound) {
  expect_refused("void k() {}\nint main() { k<<<1, 1>>>(); }", "not-a-kernel");
  expect_refused("__global__ void k() {}\nint main() { k(); }", "kernel-without-launch");
  expect_refused("template <int N> __global__ void k() {}\nint main() { k<4>(); }",
                 "kernel-without-launch");
  expect_refused("float f(float x) { return x; }\n__global__ void k() { f(1); }", "host-function");
  expect_refused("__global__ int k() { return 1; }", "kernel-returns-value");
  expect_refused("__global__ void k() { throw 1; }", "exception");
  expect_refused("#define DEVICE __device__\nDEVICE void f() { throw 1; }", "exception");
  expect_refused("float a[2];\n__global__ void k(int i) { use(a[i]); }", "host-variable");
}

TEST(Refusals, KnowLinesOfDeviceCode) {
  const std::string source =
      "int f() {\n  return 1;\n}\n#define DEVICE __device__\nDEVICE int g() {\n  return 2;\n}\n";
  for (const std::size_t line : {1u, 2u, 4u, 8u, 100u}) {
    EXPECT_FALSE(is_device_line(source, line)) << line;
  }
  for (const std::size_t line : {5u, 6u}) EXPECT_TRUE(is_device_line(source, line)) << line;
}

TEST(Refusals, AreNotGuessed) {
  expect_accepted("__global__ void k();\nvoid run() { k<<<1, 1>>>(); }");
  expect_accepted("__global__ void k() {}\nvoid run(void (*k)()) { k(); }");
  expect_accepted("float f(float x) { return x; }\n__global__ void k(Row r) { r.f(1); }");
  expect_accepted(
      "float f(float x) { return x; }\n__device__ float f(double x);\n"
      "__global__ void k() { f(1); }");
  expect_accepted("DEVICE float f(float x) { return x; }\n__global__ void k() { f(1); }");
  expect_accepted("constexpr int f(int x) { return x; }\n__global__ void k() { f(1); }");
  expect_accepted("float f(float x) { throw x; }\n__host__ __device__ void g() { f(1); }");
  expect_accepted("__device__ float a[2];\n__global__ void k(int i) { use(a[i]); }");
  expect_accepted("float a[2];\n__global__ void k(float* a, int i) { use(a[i]); }");
  expect_accepted("float f() { return 1; }\n__global__ void k(float f) { use(f); }");
}

TEST(Refusals, OfTheDeviceInHostCode) {
  expect_refused("__device__ int f() { return 1; }\nint g() { return f(); }", "device-function");
  expect_refused("void g() { __syncthreads(); }", "device-function");
  expect_accepted("__device__ int f() { return 1; }\nint g(int f) { return (f); }");
  expect_accepted(
      "__device__ int f(int x) { return x; }\nint f(float x) { return 1; }\n"
      "int g() { return f(2.0f); }");
  expect_accepted("__host__ __device__ int f() { return 1; }\nint g() { return f(); }");
  expect_accepted("int g() {\n#ifdef __CUDA_ARCH__\n__syncthreads();\n#endif\n}");
}

TEST(Refusals, OfTheHostOnTheWayOfAKernel) {
  const std::string both = "int h() { return 1; }\n__host__ __device__ int b() { return h(); }\n";
  expect_accepted(both + "int g() { return b(); }");
  expect_refused(both + "__global__ void k(int* p) { *p = b(); }", "host-function");
  expect_refused(both +
                     "__host__ __device__ int c() { return b(); }\n"
                     "__global__ void k(int* p) { *p = c(); }",
                 "host-function");
}

TEST(Refusals, OfDeclarations) {
  expect_refused("struct S { static __global__ void k() {} };", "kernel-in-class");
  expect_accepted("struct S { friend __global__ void k(); };");
  expect_refused("__global__ void k(int a, __grid_constant__ int b) {}", "grid-constant");
  expect_accepted("__global__ void k(int a, const __grid_constant__ int b) {}");
  expect_refused("__global__ void k() { __shared__ int s[2] = {1, 2}; }", "shared-initializer");
  expect_refused("void g() { auto f = [=] __device__(int i) { return i; }; }", kLambdaOfDevice);
  expect_accepted("[[nodiscard]] __device__ int f() { return 1; }");
}

}  // namespace
}  // namespace kv::simt
