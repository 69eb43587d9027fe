#include "simt/tests/expect_rewrite.h"

namespace kv::simt {
namespace {

TEST(Launch, BecomesACall) {
  expect_rewritten("add<<<1, 256>>>(a, n);", "KV_SIMT_LAUNCH(add).on(1, 256)(a, n);");
  expect_rewritten("add <<< g, b, 4 * n, s >>> (a);",
                   "KV_SIMT_LAUNCH(add ).on( g, b, 4 * n, s ) (a);");
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
                 "a.cu:1: no kernel stands before <<<; write kernel<<<...>>>()");
  expect_refused("<<<", "a.cu:1: no kernel stands before <<<; write kernel<<<...>>>()");
}

}  // namespace
}  // namespace kv::simt
