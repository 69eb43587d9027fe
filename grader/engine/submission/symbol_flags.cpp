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
      "(__)?(v?(f|sn?)?printf|puts|putchar|fputs|fputc|fflush)(_chk)?|std(out|err)|"
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

// Is it what <iostream> adds up to GCC 12, and nothing else? Whatever else is done there needs the
// address of something, or calls a function of this file.
bool starts_iostream_only(const fs::path& object) {
  static const std::regex begin("[0-9a-f]+ <.*(GLOBAL__sub_I|static_init|global_var_init).*>:");
  static const std::regex place(R"(\s*[0-9a-f]+: R_\S+\s+(\S+))");
  static const std::regex call(R"(.*\s(call|jmp|bl?)\s.*<(?!.*(static_init|global_var_init)).*)");
  static const std::regex expected(
      R"(_ZNSt8ios_base4Init[CD]1Ev.*|__cxa_atexit.*|__dso_handle.*|__sanitizer_cov_trace_pc.*|)"
      R"(.*(static_init|global_var_init).*)");
  const std::string all =
      run({.argv = {"objdump", "-dr", "--no-show-raw-insn", object.string()}}).output;
  std::set<std::string> variables;
  bool is_inside = false, is_call = false;
  for (const std::string& line : split_lines(all)) {
    if (line.ends_with(">:")) is_inside = std::regex_match(line, begin);
    if (!is_inside) continue;
    std::smatch found;
    const bool is_place = std::regex_match(line, found, place);
    if (is_call && !is_place) return false;
    is_call = !is_place && std::regex_match(line, call);
    if (is_place && !std::regex_match(found[1].str(), expected)) variables.insert(found[1]);
  }
  return variables.size() == 1;
}

// Why without one: -fsanitize=thread puts it into each file for the simulator, g++ with the
// priority 99, and clang++ as the one address of the priority 0.
bool runs_before_main(const fs::path& object) {
  static const std::regex of_simulator(R"(\.init_array\.(00099|0 +0*8 ))");
  static const std::regex of_iostream(R"(\.init_array +0*8 )");
  const auto without_first = [](const std::string& text, const std::regex& section) {
    return std::regex_replace(text, section, "", std::regex_constants::format_first_only);
  };
  std::string sections =
      without_first(run({.argv = {"objdump", "-h", object.string()}}).output, of_simulator);
  const std::string others = without_first(sections, of_iostream);
  if (others != sections && starts_iostream_only(object)) sections = others;
  return std::ranges::any_of(
      std::vector<std::string>{".init_array", ".preinit_array", ".ctors"},
      [&](const std::string& section) { return sections.find(section) != sections.npos; });
}

void add_flags(const fs::path& object, std::set<std::string>& flags) {
  const std::string file = object.stem().string();
  for (const Symbol& symbol : symbols_of(object)) {
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
  if (runs_before_main(object)) flags.insert(file + " runs code before main");
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
