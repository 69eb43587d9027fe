#include "simt/rewrite/rewrite.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <sstream>
#include <string>
#include <vector>

#include "simt/rewrite/edited_source.h"

namespace kv::simt {
namespace {

void expect_rewritten(const std::string& source, const std::string& expected) {
  EXPECT_EQ(rewrite_cuda(source, "a.cu"), "#line 1 \"a.cu\"\n" + expected);
}

void expect_untouched(const std::string& source) {
  expect_rewritten(source, source);
}

void expect_refused(const std::string& source, const std::string& message) {
  try {
    rewrite_cuda(source, "a.cu");
    ADD_FAILURE() << "accepted: " << source;
  } catch (const MalformedCuda& error) {
    EXPECT_EQ(error.what(), message);
  }
}

TEST(Launch, BecomesACall) {
  expect_rewritten("add<<<1, 256>>>(a, n);", "KV_SIMT_LAUNCH(add).on(1, 256)(a, n);");
  expect_rewritten("add <<< g, b, 4 * n, s >>> (a);",
                   "KV_SIMT_LAUNCH(add ).on( g, b, 4 * n, s ) (a);");
}

TEST(Launch, MayHaveBlanksInItsBrackets) {
  expect_rewritten("add << <1, 256>> >(a);", "KV_SIMT_LAUNCH(add  ).on(1, 256 )(a);");
  expect_rewritten("add<4><<  <1, 256 >>>(a);", "KV_SIMT_LAUNCH(add<4>  ).on(1, 256 )(a);");
  expect_rewritten("add<<<1, sizeof(A<B<int>>) >>\t>(a);",
                   "KV_SIMT_LAUNCH(add).on(1, sizeof(A<B<int>>)  )(a);");
  expect_untouched("const char* text = \"<< <>> >\";  // << <1>> >\nint n = a >> b > c;");
}

TEST(Launch, NamesAKernelInAnyWay) {
  const auto launch_of = [](const std::string& kernel, const std::string& before = "") {
    SCOPED_TRACE(kernel);
    expect_rewritten(before + kernel + "<<<1, 2>>>();",
                     before + "KV_SIMT_LAUNCH(" + kernel + ").on(1, 2)();");
  };
  launch_of("kv::lab::add");
  launch_of("::add");
  launch_of("add<float, 16>");
  launch_of("add<std::pair<int, std::vector<int>>>");
  launch_of("kv::Ops<float, 2>::add<(3 > 2), N <= 4>");
  launch_of("kernels[i + 1]");
  launch_of("table.at(0).kernel");
  launch_of("plan->kernel");
  launch_of("(wide ? add4 : add1)");
  launch_of("choose<float>(n)");
  launch_of("add", "return ");
  launch_of("::add", "return ");
  launch_of("::add", "if (n > 0) ");
  launch_of("(pick)", "if (n > 0) ");
  launch_of("add", "else ");
  launch_of("add", "x = 1; ");
  launch_of("add", "case 3: ");
  launch_of("add", "CHECK(f(1), 2, ");
}

TEST(Launch, TakesAnyGridAndBlock) {
  const auto launch_on = [](const std::string& shape) {
    SCOPED_TRACE(shape);
    expect_rewritten("f(k<<<" + shape + ">>>(x));", "f(KV_SIMT_LAUNCH(k).on(" + shape + ")(x));");
  };
  launch_on("(n + 255) / 256, 256");
  launch_on("dim3(n >> 5, 2), dim3{32, 8}, n << 2");
  launch_on("blocks<A<B<int>>>(n), 1");
  launch_on("blocks<A<B<C<int>>>>::of(n), 1");
  launch_on("[] { return 3 > 2; }(), 1");
}

TEST(Launch, SeveralInOneLine) {
  expect_rewritten("n > 1 ? a<<<1, 2>>>(x) : b<<<3, 4>>>(y); c<<<5, 6>>>(z);",
                   "n > 1 ? KV_SIMT_LAUNCH(a).on(1, 2)(x) : KV_SIMT_LAUNCH(b).on(3, 4)(y); "
                   "KV_SIMT_LAUNCH(c).on(5, 6)(z);");
}

TEST(Launch, StaysOnItsLines) {
  expect_rewritten("k<float>  // the kernel\n  <<<grid,  // <<< grid\n     block>>>(\n  x);\n",
                   "KV_SIMT_LAUNCH(k<float>  // the kernel\n  ).on(grid,  // <<< grid\n     "
                   "block)(\n  x);\n");
}

TEST(Launch, InAMacro) {
  expect_rewritten("#define RUN(k, ...) \\\n  k<<<1, 32>>>(__VA_ARGS__)\n",
                   "#define RUN(k, ...) \\\n  KV_SIMT_LAUNCH(k).on(1, 32)(__VA_ARGS__)\n");
}

TEST(Launch, Malformed) {
  expect_refused("\n\nk<<<1, 2(x);",
                 "a.cu:3: this <<< has no >>>; write kernel<<<blocks, threads>>>(arguments)");
  expect_refused("k<<<1, 2;\nk<<<1, 2>>>(x);",
                 "a.cu:1: this <<< has no >>>; write kernel<<<blocks, threads>>>(arguments)");
  expect_refused("k<<<1, 2>>>;",
                 "a.cu:1: no arguments follow >>>; write () if the kernel takes none");
  expect_refused("k<<<>>>(x);",
                 "a.cu:1: <<<>>> is empty; write how many blocks, and how many threads in each");
  expect_refused("x = <<<1, 2>>>(x);",
                 "a.cu:1: there is no kernel before <<<; write kernel<<<...>>>()");
  expect_refused("<<<", "a.cu:1: there is no kernel before <<<; write kernel<<<...>>>()");
}

TEST(Directives, EndWithTheirLines) {
  const EditedSource code("int a; # b\n  # if 1 \\\n c\n#define d\ne #f", "a.cu");
  std::string in_directives, beginnings;
  for (std::size_t i = 0; i < code.size(); ++i) {
    if (code.is_in_directive(i)) in_directives += code.text(i);
    if (code.begins_directive(i)) beginnings += code.text(code.directive_end(i) - 1);
  }
  EXPECT_EQ(in_directives, "#if1c#defined");
  EXPECT_EQ(beginnings, "cd");
}

TEST(DynamicShared, BecomesAPointer) {
  const std::string from = "(::kv::simt::dynamic_shared()); KV_SIMT_ONE_TYPE(s);";
  expect_rewritten("extern __shared__ float s[];", "  auto* const s = static_cast<float *>" + from);
  expect_rewritten("extern __shared__ __align__(16) unsigned char s[];",
                   "   auto* const s = static_cast<unsigned char *>" + from);
  expect_rewritten("extern __align__(8 * 2) __shared__ T s[];",
                   "     auto* const s = static_cast<T *>" + from);
  expect_rewritten("extern volatile __shared__ T* s[];",
                   " volatile  auto* const s = static_cast<T* *>" + from);
}

TEST(DynamicShared, MayNameALength) {
  expect_rewritten("extern __shared__ float s[4 * N];",
                   "  auto* const s = static_cast<float *  >"
                   "(::kv::simt::dynamic_shared()); KV_SIMT_ONE_TYPE(s);");
}

TEST(DynamicShared, BeginsAfterADirective) {
  const std::string from = "(::kv::simt::dynamic_shared()); KV_SIMT_ONE_TYPE(s);";
  expect_rewritten("#define SIZE 4\nextern __shared__ T s[];",
                   "#define SIZE 4\n  auto* const s = static_cast<T *>" + from);
  expect_rewritten("#if 1\nT extern __shared__ s[];\n#endif",
                   "#if 1\nauto* const s = static_cast<T   *>" + from + "\n#endif");
}

TEST(DynamicShared, OfSeveralDimensions) {
  expect_rewritten("extern __shared__ float tile[][33];",
                   "  auto* const tile = static_cast<float (*)[33]>"
                   "(::kv::simt::dynamic_shared()); KV_SIMT_ONE_TYPE(tile);");
}

TEST(DynamicShared, Malformed) {
  const std::string size = "extern __shared__ declares an array of unknown size; write name[]";
  expect_refused("extern __shared__ float s;", "a.cu:1: " + size);
  expect_refused("extern __shared__ float a[], b[];",
                 "a.cu:1: extern __shared__ declares one array here; give each its own line");
}

TEST(DynamicShared, WithItsWordsInAnyOrder) {
  const std::string from = "(::kv::simt::dynamic_shared()); KV_SIMT_ONE_TYPE(s);";
  expect_rewritten("extern float __shared__ s[];", " auto* const s = static_cast<float  *>" + from);
  expect_rewritten("__shared__ extern int s[];", "  auto* const s = static_cast<int *>" + from);
}

TEST(DynamicShared, AsTheFirstStatementOfABoundedKernel) {
  expect_rewritten("__global__ void __launch_bounds__(64) k() { extern __shared__ int s[]; }",
                   "__global__ void __launch_bounds__(64) k() { "
                   "::kv::simt::check_launch_bounds(64 );   auto* const s = static_cast<int *>"
                   "(::kv::simt::dynamic_shared()); KV_SIMT_ONE_TYPE(s); }");
}

TEST(Attributes, OfCppComeFirst) {
  expect_rewritten("static __shared__ int alignas(16) a[4];",
                   "alignas(16) static __shared__ int  a[4];");
  expect_rewritten("__global__ [[maybe_unused]] void k();",
                   "[[maybe_unused]] __global__  void k();");
  expect_untouched("alignas(16) int a[4];");
}

TEST(DeviceCode, HasAnArchitecture) {
  expect_rewritten("__global__ void k() {\n#ifdef __CUDA_ARCH__\nf(__CUDA_ARCH__);\n#endif\n}",
                   "__global__ void k() {\n#if 1\nf(800);\n#endif\n}");
  expect_untouched("__global__ void k() { f(__CUDA_ARCH__); }");
  expect_untouched("__global__ void k() {\n#ifndef KV_SIMT\nf(__CUDA_ARCH__);\n#endif\n}");
  expect_rewritten("__device__ int f() {\n#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ < 600\n}",
                   "__device__ int f() {\n#if (1) && 800 < 600\n}");
  expect_rewritten("#define D __device__ inline\nD int f() {\n#ifndef __CUDA_ARCH__\n}",
                   "#define D __device__ inline\nD int f() {\n#if 0\n}");
  expect_untouched("__host__ __device__ int f() {\n#ifdef __CUDA_ARCH__\n}");
  expect_untouched("#define D __device__\nint main() {\n#ifdef __CUDA_ARCH__\n}");
  expect_rewritten("#if __CUDA_ARCH__ >= 700\n__device__ int f() { return 1; }\n#endif",
                   "#if 800 >= 700\n__device__ int f() { return 1; }\n#endif");
  expect_untouched("#ifdef __CUDA_ARCH__\nint f() { return 1; }\n#endif");
  expect_untouched("#ifdef __CUDA_ARCH__\n__device__ int f() {}\n#else\nint f();\n#endif");
  expect_rewritten("__device__ int x;\nint f() { return __CUDA_ARCH__; }",
                   "KV_SIMT_SECTION(\"kv_simt_device\") int x;\nint f() { return __CUDA_ARCH__; }");
}

TEST(DeviceCode, NamesWhatIsNotHere) {
  expect_rewritten("__global__ void f(int n) { if (n) return; g(); }",
                   "__global__ void f(int n) { if (n) return ::kv::simt::returns_early(); g(); }");
  expect_untouched("__global__ void f(int n) { g(n); return; }\nvoid h() { if (n) return; }");
  expect_rewritten("__device__ void f(int n) { if (n) { return; } }",
                   "__device__ void f(int n) { if (n) { return ::kv::simt::returns_early(); } }");
  expect_rewritten("__device__ void f() { asm volatile(\"ret;\"); }",
                   "__device__ void f() { KV_SIMT_ASM (\"ret;\"); }");
  expect_rewritten("__global__ void k() { p = malloc(4); free(p); q = new T; }",
                   "__global__ void k() { p = KV_SIMT_malloc(4); KV_SIMT_free(p); "
                   "q = new (KV_SIMT_HEAP) T; }");
  expect_rewritten("__global__ void k() { child<<<1, 2>>>(); }",
                   "__global__ void k() { KV_SIMT_LAUNCH(child).in_kernel_on(1, 2)(); }");
  expect_untouched("__device__ void f() { asm volatile(\"\"); new (p) T; arena.malloc(4); }");
  expect_untouched("void f() { p = malloc(4); asm(\"nop\"); q = new T; }");
}

TEST(Launch, WithoutItsType) {
  expect_rewritten("cudaLaunchKernel((void*)k, g, b, a);", "cudaLaunchKernel(k, g, b, a);");
  expect_rewritten("cudaLaunchKernel((const void *)k<T>, g);", "cudaLaunchKernel(  k<T>, g);");
  expect_rewritten("cudaLaunchKernel(reinterpret_cast<void*>(&k), g);",
                   "cudaLaunchKernel((&k), g);");
  expect_untouched("cudaLaunchKernel(k, g, b, a); cudaLaunchKernel((k), g, b, a);");
}

TEST(Rewrite, LeavesOrdinaryCodeAlone) {
  expect_untouched("a = b << 3 >> c; std::map<int, std::set<std::set<int>>> m;");
  expect_untouched("// k<<<1, 2>>>(x)\n/* k<<<1 \n */ // goes on \\\n k<<<1, 2>>>(x)\n");
  expect_untouched("f(\"k<<<1, 2>>>(x)\", '\"', R\"cu(k<<<1, 2>>>(x) \" )cu\", u8R\"(<<<)\");");
  expect_untouched("int n = 1'000'000; char c = '\\''; \"\\\"<<<\"; 0x1'0p3; 1'0");
  expect_untouched("#error don't write k\nextern int n; extern \"C\" void f(int[]);");
  expect_untouched("friend S& operator<<<T>(S&, T);");
  expect_untouched("__shared__ float s[32];");
}

TEST(Rewrite, QuotesTheNameOfTheFile) {
  EXPECT_EQ(rewrite_cuda("", "a \"b\"\\c.cu"), "#line 1 \"a \\\"b\\\"\\\\c.cu\"\n");
}

// The sources of simt, and of what it needs, are ordinary C++. This file, with its many strings, is
// one of them.
TEST(Rewrite, LeavesOrdinarySourcesAlone) {
  int num_files = 0;
  std::vector<std::filesystem::directory_entry> entries;
  for (const std::string folder : {"/base", "/simt"}) {
    std::ranges::copy(std::filesystem::recursive_directory_iterator(KV_KIT_FOLDER + folder),
                      std::back_inserter(entries));
  }
  for (const auto& entry : entries) {
    const std::string extension = entry.path().extension().string();
    if (extension != ".cpp" && extension != ".h") continue;
    std::stringstream text;
    text << std::ifstream(entry.path()).rdbuf();
    SCOPED_TRACE(entry.path());
    expect_untouched(text.str());
    ++num_files;
  }
  EXPECT_GT(num_files, 50);
}

}  // namespace
}  // namespace kv::simt
