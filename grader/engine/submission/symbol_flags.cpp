#include <algorithm>
#include <regex>
#include <set>

#include "base/process/process.h"
#include "grader/engine/submission/flags.h"

namespace kv::grader {
namespace {

// A symbol as nm prints it. U: undefined. Small letters but v and w: not seen by other files.
struct Symbol {
  char kind;
  std::string mangled;
  std::string readable;  // demangled, without version

  bool is_undefined() const { return kind == 'U' || kind == 'v' || kind == 'w'; }
  bool is_local() const { return !is_undefined() && kind != 'u' && kind >= 'a' && kind <= 'z'; }
};

// Functions and variables of kv, of the standard library and of the compiler's, with what belongs
// to them: tables of virtual functions, type information, guards. By mangled name, because the
// readable one may begin with the type of a result.
bool is_of_contract_or_library(const std::string& mangled) {
  static const std::regex expected(
      "_Z(T[VTIShvc][hvn0-9_]*|GV|GR|GTt)?Z*N?[VKrRO]*L?(S[tabsiod]|2kv|5Eigen|9__gnu_cxx|"
      "10__cxxabiv1|12_GLOBAL__N_1).*");
  static const std::regex of_grader("_Z(T[VTIS]|GV)?Z*N?[VK]*2kv6grader.*");
  return std::regex_match(mangled, expected) && !std::regex_match(mangled, of_grader);
}

// Files are of the standard library, too, and the pipe to the grader is one.
bool is_of_files(const std::string& mangled) {
  static const std::regex expected(
      "_Z.*St1[0-9]basic_[a-z]*(filebuf|ifstream|ofstream|fstream).*|_ZNK?St10filesystem.*");
  return std::regex_match(mangled, expected);
}

// What an object needs beside them: memory, arithmetic, exceptions, threads, printing, and what
// the instrumentation of the build and the simulator add.
bool is_expected_reference(const std::string& mangled) {
  static const std::regex expected(
      "_Zn[wa].*|_Zd[la].*|__cxa_.*|_Unwind_Resume|__g(cc|xx)_personality_v0|"
      "__sanitizer_cov_trace_pc|"
      "kv_simt_.*|__tsan_.*|__asan_.*|__ubsan_.*|_GLOBAL_OFFSET_TABLE_|__dso_handle|"
      "__stack_chk_fail|__tls_get_addr|__assert_fail|__errno_location|__libc_single_threaded|"
      "(__)?(w?mem(cpy|move|set|cmp|chr)|strlen|strcmp)(_chk)?|bcmp|madvise|"
      "XXH.*|pthread_(mutex|cond|once|rwlock).*|pthread_create|pthread_self|"
      "pthread_(get|set)specific|"
      "(exp|exp2|expm1|log|log2|log10|log1p|pow|sqrt|fma|fmax|fmin|fmod|floor|ceil|round|lround|"
      "llround|trunc|rint|nearbyint|lrint|ldexp|frexp|scalbn|tanh|sin|cos|erf)[fl]?|"
      "(v?f?printf|puts|putchar|fputs|fputc|fflush|std(out|err))|"
      "blockDim|blockIdx|threadIdx|gridDim|warpSize|cuda[A-Z].*|__float2bfloat.*");
  return is_of_contract_or_library(mangled) || std::regex_match(mangled, expected);
}

// A definition that other files see. `main` and operator new are none of these. clang++ adds two
// that each file may have: what ends a program in which a destructor throws, and the constants of
// the simulator's classes.
bool is_expected_definition(const Symbol& symbol) {
  static const std::regex of_clang("__clang_call_terminate|_ZN6nvcuda4wmma8fragment.*E5kTileE");
  const bool is_shared = symbol.kind == 'W' || symbol.kind == 'V';
  return is_of_contract_or_library(symbol.mangled) || symbol.mangled.starts_with("DW.ref.") ||
         (is_shared && std::regex_match(symbol.mangled, of_clang));
}

// macOS puts an underscore before each name.
#ifdef __APPLE__
constexpr std::size_t kAddedToNames = 1;
#else
constexpr std::size_t kAddedToNames = 0;
#endif

std::vector<Symbol> symbols_of(const fs::path& object) {
  const auto lines = [&](const char* form) {
    return split_lines(run({.argv = {"nm", "-p", form, object.string()}}).output);
  };
  const std::vector<std::string> mangled = lines("--no-demangle");
  const std::vector<std::string> readable = lines("--demangle");
  constexpr std::size_t kKindColumn = 17;  // after the address
  std::vector<Symbol> symbols;
  for (std::size_t i = 0; i < std::min(mangled.size(), readable.size()); ++i) {
    if (mangled[i].size() < kKindColumn + 3) continue;
    symbols.push_back({mangled[i][kKindColumn], mangled[i].substr(kKindColumn + 2 + kAddedToNames),
                       printable(readable[i].substr(kKindColumn + 2))});
  }
  return symbols;
}

// Why without one: -fsanitize=thread puts it into each file for the simulator, g++ with the
// priority 99, and clang++ as the one address of the priority 0.
bool runs_before_main(const fs::path& object) {
  static const std::regex of_simulator(R"(\.init_array\.(00099|0 +0*8 ))");
  const std::string sections =
      std::regex_replace(run({.argv = {"objdump", "-h", object.string()}}).output, of_simulator, "",
                         std::regex_constants::format_first_only);
  return std::ranges::any_of(
      std::vector<std::string>{".init_array", ".preinit_array", ".ctors"},
      [&](const std::string& section) { return sections.find(section) != sections.npos; });
}

void add_flags(const fs::path& object, std::set<std::string>& flags) {
  const std::string file = object.stem().string();
  bool has_iostream = false;
  for (const Symbol& symbol : symbols_of(object)) {
    has_iostream |= symbol.readable.starts_with("std::ios_base::Init");
    if (symbol.is_local()) continue;
    if (is_of_files(symbol.mangled)) {
      flags.insert(file + " uses files");
      continue;
    }
    if (symbol.is_undefined() && !is_expected_reference(symbol.mangled))
      flags.insert(file + " refers to " + symbol.readable);
    if (!symbol.is_undefined() && !is_expected_definition(symbol))
      flags.insert(file + " defines " + symbol.readable);
  }
  if (runs_before_main(object))
    flags.insert(file + " runs code before main" + (has_iostream ? " (<iostream> does)" : ""));
}

}  // namespace

std::vector<std::string> symbol_flags(const fs::path& objects_folder) {
  std::set<std::string> flags;
  if (!fs::is_directory(objects_folder)) return {};
  for (const fs::directory_entry& entry : fs::recursive_directory_iterator(objects_folder)) {
    if (entry.path().extension() == ".o") add_flags(entry.path(), flags);
  }
  return {flags.begin(), flags.end()};
}

}  // namespace kv::grader
