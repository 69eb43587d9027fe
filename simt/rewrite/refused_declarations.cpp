#include <algorithm>

#include "base/cpp_text/declaration.h"
#include "simt/rewrite/refusals.h"

namespace kv::simt {
namespace {

using grader::Token;
using Tokens = std::vector<Token>;

// A place in the tokens of a file, and what is refused there.
class Declarations {
 public:
  Declarations(std::string_view source, std::vector<Refusal>& refusals)
      : source_(source),
        tokens_(grader::tokenize(source, grader::Directives::kSkip)),
        refusals_(refusals) {}

  void read() {
    std::size_t begin = 0;  // where the declaration begins
    for (std::size_t i = 0; i < tokens_.size(); ++i) {
      const Token& token = tokens_[i];
      if (token.is("__global__") && is_in_class()) refuse_member(i);
      is_kernel_ = token.is("__global__") || (is_kernel_ && !token.is("{") && !token.is(";"));
      if (is_kernel_ && token.is("...") && i + 1 < tokens_.size() && tokens_[i + 1].is(")"))
        refuse_dots(i);
      if (token.is("__grid_constant__")) read_grid_constant(i);
      if (token.is("__shared__")) read_shared(i);
      if ((token.is("__device__") || token.is("__host__")) && is_of_lambda(i)) refuse_lambda(i);
      if (token.is("{")) opens_class_.push_back(opens_class(begin, i));
      if (token.is("}") && !opens_class_.empty()) opens_class_.pop_back();
      if (token.is("{") || token.is("}") || token.is(";")) begin = i + 1;
      if (token.is("friend")) begin_of_friend_ = i;
    }
  }

 private:
  bool is_in_class() const { return !opens_class_.empty() && opens_class_.back(); }

  bool opens_class(std::size_t begin, std::size_t end) const {
    const grader::Tokens declaration(tokens_.data() + begin, end - begin);
    const std::size_t first = grader::after_template_header(declaration, 0);
    return first < declaration.size() && grader::begins_type(declaration[first]);
  }

  // "friend __global__ void scale(float*);" declares no member.
  void refuse_member(std::size_t i) {
    if (begin_of_friend_ + 1 == i) return;
    refuse(
        i, "kernel-in-class", "a class has a kernel as its member",
        "nvcc refuses this: a kernel stands outside of classes. It may call a __device__ member.");
  }

  void refuse_dots(std::size_t i) {
    if (i == 0 || !tokens_[i - 1].is(",")) return;  // a pack of parameters without a name
    refuse(
        i, "kernel-with-dots", "a kernel takes any number of arguments",
        "nvcc refuses this: a kernel names its parameters, or is a template with a pack of them.");
  }

  // The parameter that the word is in reads from a comma or a bracket to the next one.
  void read_grid_constant(std::size_t i) {
    const auto ends = [&](std::size_t k) {
      return tokens_[k].is(",") || tokens_[k].is("(") || tokens_[k].is(")");
    };
    std::size_t first = i, last = i;
    while (first > 0 && !ends(first - 1)) --first;
    while (last < tokens_.size() && !ends(last)) ++last;
    const auto at = [&](std::size_t k) { return tokens_.begin() + static_cast<std::ptrdiff_t>(k); };
    if (std::any_of(at(first), at(last), [](const Token& t) { return t.is("const"); })) return;
    refuse(i, "grid-constant", "a parameter is __grid_constant__ and not const",
           "nvcc refuses this: write const before the parameter's type.");
  }

  // "__shared__ int sum = 0;", with other specifiers and brackets between.
  void read_shared(std::size_t i) {
    while (++i < tokens_.size() && !tokens_[i].is(";") && !tokens_[i].is("{")) {
      if (tokens_[i].is("=")) {
        return refuse(i, "shared-initializer", "a __shared__ variable has an initializer",
                      "nvcc refuses this: let one thread write the value, then __syncthreads().");
      }
      if (grader::nesting(tokens_[i].text) > 0) i = grader::matching_bracket(tokens_, i, 1);
    }
  }

  // [=] __device__ (int i) {...}, and not the attribute of a function: [[nodiscard]] __device__.
  bool is_of_lambda(std::size_t i) const {
    if (i == 0 || !tokens_[i - 1].is("]")) return false;
    const std::size_t open = grader::matching_bracket(tokens_, i - 1, -1);
    return open < tokens_.size() && !tokens_[open + 1].is("[");
  }

  void refuse_lambda(std::size_t i) {
    refuse(i, kLambdaOfDevice, "a lambda is __device__ or __host__",
           "nvcc refuses this without --extended-lambda: give that option to nvcc and to simt.");
  }

  void refuse(std::size_t i, const char* kind, std::string what, std::string means) {
    const std::string_view before = source_.substr(0, tokens_[i].begin);
    const auto line = static_cast<std::size_t>(std::ranges::count(before, '\n')) + 1;
    refusals_.push_back({kind, line, std::move(what), std::move(means)});
  }

  std::string_view source_;
  Tokens tokens_;
  std::vector<Refusal>& refusals_;
  std::vector<bool> opens_class_ = {};  // for each brace that is open
  bool is_kernel_ = false;              // the declaration has said __global__
  std::size_t begin_of_friend_ = static_cast<std::size_t>(-2);
};

}  // namespace

void find_refused_declarations(std::string_view source, std::vector<Refusal>& refusals) {
  Declarations(source, refusals).read();
}

}  // namespace kv::simt
