#include "simt/runtime/memory/program_image.h"

#include <cxxabi.h>
#include <elf.h>
#include <fcntl.h>
#include <link.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <iterator>
#include <string_view>

// Where kernels begin (simt/qualifiers.h): the linker sets both ends. There are none in a program
// without kernels.
extern "C" {
[[gnu::weak]] extern const std::uintptr_t __start___patchable_function_entries;
[[gnu::weak]] extern const std::uintptr_t __stop___patchable_function_entries;
}

namespace kv::simt {
namespace {

// A global variable has its plain name as its symbol; "i" alone would be the type int.
std::string demangled(const char* name) {
  if (!std::string_view(name).starts_with("_Z")) return name;
  int status = 0;
  char* const text = abi::__cxa_demangle(name, nullptr, nullptr, &status);
  const std::string result = status == 0 ? text : name;
  std::free(text);
  return result;
}

// How the symbols of the runtime begin.
constexpr const char* kRuntimeNames[] = {"_ZN2kv4simt",  "_ZNK2kv4simt", "__tsan_",
                                         "__sanitizer_", "__ubsan_",     "kv_simt_"};
// "_Z4copyPf" of its array "_ZZ4copyPfE4tile"; empty: not in a function.
std::string symbol_of_function(const std::string& variable) {
  const std::size_t end = variable.rfind('E');
  if (!variable.starts_with("_ZZ") || end == std::string::npos) return "";
  return "_Z" + variable.substr(3, end - 3);
}

// The file of this program. Why mapped: of many megabytes only the symbols are read.
class ProgramFile {
 public:
  ProgramFile() {
    const int descriptor = open("/proc/self/exe", O_RDONLY | O_CLOEXEC);
    struct stat status = {};
    fstat(descriptor, &status);
    bytes_ = static_cast<std::size_t>(status.st_size);
    data_ = mmap(nullptr, bytes_, PROT_READ, MAP_PRIVATE, descriptor, 0);
    close(descriptor);
  }
  ~ProgramFile() { munmap(data_, bytes_); }
  ProgramFile(const ProgramFile&) = delete;
  ProgramFile& operator=(const ProgramFile&) = delete;

  // A part of the contents as a table of structs.
  template <typename T>
  const T* table_at(std::size_t offset) const {
    return reinterpret_cast<const T*>(static_cast<const char*>(data_) + offset);
  }

 private:
  void* data_;
  std::size_t bytes_;
};

}  // namespace

ProgramImage::ProgramImage() {
  find_segments();
  read_symbols();
  read_shared_arrays();
  find_kernels();
}

void ProgramImage::find_segments() {
  dl_iterate_phdr(
      [](dl_phdr_info* object, std::size_t, void* self) {
        auto& image = *static_cast<ProgramImage*>(self);
        const bool is_program = image.read_only_.empty();  // the first object
        if (is_program) image.bias_ = object->dlpi_addr;
        for (int i = 0; i < object->dlpi_phnum; ++i) {
          const ElfW(Phdr)& segment = object->dlpi_phdr[i];
          const Range range{object->dlpi_addr + segment.p_vaddr, segment.p_memsz};
          const bool is_writable = (segment.p_flags & PF_W) != 0;
          if (segment.p_type == PT_LOAD && !is_writable) image.read_only_.push_back(range);
          if (!is_program) continue;
          if (segment.p_type == PT_LOAD && is_writable) image.variables_.push_back(range);
          if (segment.p_type == PT_TLS) {
            image.thread_locals_ = {reinterpret_cast<std::uintptr_t>(object->dlpi_tls_data),
                                    segment.p_memsz};
          }
        }
        return 0;
      },
      this);
}

void ProgramImage::read_symbols() {
  const ProgramFile file;
  const auto& header = *file.table_at<ElfW(Ehdr)>(0);
  const auto* const sections = file.table_at<ElfW(Shdr)>(header.e_shoff);
  const auto* const section_names = file.table_at<char>(sections[header.e_shstrndx].sh_offset);
  for (int i = 0; i < header.e_shnum; ++i) {
    const std::string section_name = section_names + sections[i].sh_name;
    if (section_name.starts_with("kv_simt_")) {
      own_sections_.push_back(
          {section_name, bias_ + sections[i].sh_addr, sections[i].sh_size, false});
    }
    if (sections[i].sh_type != SHT_SYMTAB) continue;
    const auto* const names = file.table_at<char>(sections[sections[i].sh_link].sh_offset);
    const auto* const symbols = file.table_at<ElfW(Sym)>(sections[i].sh_offset);
    for (std::size_t k = 0; k < sections[i].sh_size / sizeof(ElfW(Sym)); ++k) {
      const ElfW(Sym)& symbol = symbols[k];
      const int type = symbol.st_info & 0xf;
      if (type != STT_TLS && type != STT_OBJECT && type != STT_FUNC) continue;
      if (type != STT_TLS && symbol.st_size == 0) continue;
      const std::uintptr_t start = type == STT_TLS ? thread_locals_.first : bias_;
      (type == STT_TLS      ? shared_arrays_
       : type == STT_OBJECT ? objects_
                            : functions_)
          .push_back({names + symbol.st_name, start + symbol.st_value, symbol.st_size, false});
    }
  }
}

void ProgramImage::read_shared_arrays() {
  for (Symbol& array : shared_arrays_) {
    array.is_guard = array.name.starts_with("_ZGV");
    if (!array.is_guard) shared_bytes_[symbol_of_function(array.name)] += array.bytes;
    array.name = short_name(demangled(array.name.c_str()));
  }
}

void ProgramImage::find_kernels() {
  for (const std::uintptr_t* begin = &__start___patchable_function_entries;
       begin < &__stop___patchable_function_entries; ++begin) {
    const Symbol* const kernel = function_around(*begin);
    if (kernel != nullptr) kernels_.push_back({kernel->address, kernel->bytes});
  }
  std::ranges::sort(kernels_, {}, &Range::first);
}

bool ProgramImage::is_in_kernel(std::uintptr_t address) const {
  const auto after = std::ranges::upper_bound(kernels_, address, {}, &Range::first);
  return after != kernels_.begin() && std::prev(after)->contains(address);
}

bool ProgramImage::is_in(const std::vector<Range>& ranges, std::uintptr_t address) {
  return std::any_of(ranges.begin(), ranges.end(),
                     [&](const Range& range) { return range.contains(address); });
}

std::string ProgramImage::function_at(const void* address) const {
  const auto at = reinterpret_cast<std::uintptr_t>(address);
  for (const Symbol& function : functions_) {
    if (function.address == at) return demangled(function.name.c_str());
  }
  return "a kernel";
}

const Symbol* ProgramImage::function_around(std::uintptr_t address) const {
  const auto found = std::find_if(
      functions_.begin(), functions_.end(),
      [&](const Symbol& function) { return address - function.address < function.bytes; });
  return found == functions_.end() ? nullptr : &*found;
}

bool ProgramImage::is_in_library(const void* address) const {
  constexpr std::array<std::string_view, 6> kNamespaces = {
      "_ZN4cuda", "_ZNK4cuda", "_ZSt", "_ZNSt", "_ZNKSt", "_ZN9__gnu_cxx"};
  const Symbol* const function = function_around(reinterpret_cast<std::uintptr_t>(address));
  return function != nullptr && std::ranges::any_of(kNamespaces, [&](std::string_view name) {
           return function->name.starts_with(name);
         });
}

const void* ProgramImage::function_of(const void* address) const {
  const Symbol* const function = function_around(reinterpret_cast<std::uintptr_t>(address));
  return function == nullptr ? nullptr : reinterpret_cast<const void*>(function->address);
}

bool ProgramImage::is_own_code(std::uintptr_t address) const {
  const Symbol* const function = function_around(address);
  return function != nullptr &&
         std::none_of(std::begin(kRuntimeNames), std::end(kRuntimeNames),
                      [&](const char* prefix) { return function->name.starts_with(prefix); });
}

std::size_t ProgramImage::shared_bytes_of(std::uintptr_t address) const {
  const Symbol* const function = function_around(address);
  const auto known = function == nullptr ? shared_bytes_.end() : shared_bytes_.find(function->name);
  return known == shared_bytes_.end() ? 0 : known->second;
}

std::vector<Symbol> ProgramImage::functions_with_more_shared(std::size_t bytes) const {
  std::vector<Symbol> all;
  for (const Symbol& function : functions_) {
    const auto known = shared_bytes_.find(function.name);
    if (known == shared_bytes_.end() || known->second <= bytes) continue;
    all.push_back({demangled(function.name.c_str()), function.address, known->second, false});
  }
  return all;
}

const ProgramImage& program_image() {
  static const ProgramImage image;
  return image;
}

std::string name_of_variable(const Symbol& symbol) {
  return short_name(demangled(symbol.name.c_str()));
}

std::string short_name(const std::string& demangled) {
  const std::size_t colons = demangled.rfind("::");
  return colons == std::string::npos ? demangled : demangled.substr(colons + 2);
}

}  // namespace kv::simt
