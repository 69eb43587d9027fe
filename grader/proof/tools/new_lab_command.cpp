#include <algorithm>
#include <cctype>
#include <iostream>

#include "base/commands/command_line.h"
#include "base/kit/json.h"
#include "base/text/errors.h"

namespace kv::grader {
namespace {

struct NewLabOptions {
  std::string folder;  // "04-kv-cache-manager"
};

// The template is a lab of its own, called "NN-new-lab". Each of its names, and what stands for it
// in a lab called `folder`.
using Names = std::vector<std::pair<std::string, std::string>>;

Names names_for(const std::string& folder) {
  const std::string id = folder.substr(0, 2);
  std::string words = folder.substr(3);
  std::ranges::replace(words, '-', ' ');
  std::string type;  // "KvCacheManager"
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (words[i] == ' ') continue;
    const bool is_first = i == 0 || words[i - 1] == ' ';
    type += is_first ? static_cast<char>(std::toupper(words[i])) : words[i];
  }
  std::string title = words;
  title.front() = type.front();
  return {{"NN-new-lab", folder}, {"new_lab", replace_all(words, " ", "_")},     {"NewLab", type},
          {"New lab", title},     {"N.1", std::to_string(std::stoi(id)) + ".1"}, {"NN", id}};
}

std::string in_new_lab(std::string text, const Names& names) {
  for (const auto& [name, replacement] : names) text = replace_all(text, name, replacement);
  return text;
}

constexpr std::size_t kMaxLength = 32;

// Two digits, then words of small letters and digits with a hyphen before each.
bool is_folder_name(const std::string& name) {
  if (name.size() < 4 || name.size() > kMaxLength || name.ends_with('-')) return false;
  const auto is_digit = [](char c) { return c >= '0' && c <= '9'; };
  const auto is_letter = [](char c) { return c >= 'a' && c <= 'z'; };
  if (!is_digit(name[0]) || !is_digit(name[1]) || name[2] != '-' || !is_letter(name[3])) {
    return false;
  }
  return name.find("--") == std::string::npos && std::ranges::all_of(name.substr(3), [&](char c) {
           return is_digit(c) || is_letter(c) || c == '-';
         });
}

void check_folder(const Kit& kit, const std::string& folder) {
  if (!is_folder_name(folder)) {
    throw UsageError("\"" + folder +
                     "\" is not a name for a lab; it takes two digits, then words of " +
                     "small letters with - between them, at most " + std::to_string(kMaxLength) +
                     " characters, as 04-kv-cache-manager");
  }
  for (const LabSpec& lab : kit.manifest.labs) {
    if (lab.id == folder.substr(0, 2)) {
      throw UsageError("lab " + lab.id + " exists already, in labs/" + lab.folder);
    }
  }
}

// Path in the template -> path in the kit.
std::vector<std::pair<fs::path, fs::path>> files_to_write(const Kit& kit, const Names& names) {
  const fs::path from = kit.root / "grader" / "proof" / "new_lab";
  std::vector<std::pair<fs::path, fs::path>> files;
  for (const fs::directory_entry& entry : fs::recursive_directory_iterator(from)) {
    if (!entry.is_regular_file()) continue;
    const fs::path path = in_new_lab(fs::relative(entry.path(), from).string(), names);
    if (fs::exists(kit.root / path)) throw UsageError(path.string() + " exists already");
    files.emplace_back(entry.path(), path);
  }
  std::ranges::sort(files);
  return files;
}

void add_to_manifest(const Kit& kit, const std::string& folder) {
  const fs::path path = kit.root / "labs" / "manifest.json";
  Json manifest = Json::parse(read_file(path));
  std::vector<std::string> labs = manifest.at("labs");
  labs.insert(std::ranges::upper_bound(labs, folder), folder);
  manifest["labs"] = labs;
  write_file(path, manifest.dump(2) + "\n");
}

void declare_new_lab(CommandForm& form, NewLabOptions& options) {
  form.argument("NAME", options.folder, "its folder, as 04-kv-cache-manager").required();
}

int new_lab_command(const Kit& kit, const NewLabOptions& options) {
  check_folder(kit, options.folder);
  const Names names = names_for(options.folder);
  for (const auto& [from, to] : files_to_write(kit, names)) {
    write_file(kit.root / to, in_new_lab(read_file(from), names));
    std::cout << "wrote " << to.string() << '\n';
  }
  add_to_manifest(kit, options.folder);
  std::cout << "added " << options.folder << " to labs/manifest.json\n"
            << "next: grader/proof/docs/add-a-lab.md\n";
  return kExitGraded;
}

}  // namespace

void add_new_lab_command(CommandLine& line) {
  line.add<NewLabOptions>("new-lab", declare_new_lab, new_lab_command);
}

}  // namespace kv::grader
