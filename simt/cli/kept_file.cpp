#include "simt/cli/kept_file.h"

#include <algorithm>
#include <cctype>

namespace kv::grader {

std::string KeptFile::digest(const std::vector<fs::path>& read) const {
  std::string all = made_with_;
  for (const fs::path& file : read) all += "\n" + file.string() + "\n" + read_file(file);
  return std::to_string(std::hash<std::string>()(all));
}

bool KeptFile::is_current() const {
  if (!fs::exists(file_) || !fs::exists(stamp())) return false;
  const std::vector<std::string> lines = split_lines(read_file(stamp()));
  const std::vector<fs::path> read(lines.begin() + 1, lines.end());
  const bool are_all_here =
      std::ranges::all_of(read, [](const fs::path& file) { return fs::is_regular_file(file); });
  return are_all_here && digest(read) == lines.front();
}

void KeptFile::remember(const std::vector<fs::path>& read) const {
  std::string text = digest(read);
  for (const fs::path& file : read) text += "\n" + file.string();
  write_file(stamp(), text + "\n");
}

// "program.o: a.h \\\n b\\ c.h": a blank in a name has a backslash in front.
std::vector<fs::path> files_read(const fs::path& dependencies) {
  const std::string text =
      replace_all(divided(read_file(dependencies), ": ").second, "\\\n", " ") + " ";
  std::vector<fs::path> files;
  std::string name;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const bool is_space = std::isspace(static_cast<unsigned char>(text[i])) != 0;
    if (text[i] == '\\' && text[i + 1] == ' ') {
      name += text[++i];
    } else if (!is_space) {
      name += text[i];
    } else if (!name.empty()) {
      files.push_back(std::exchange(name, ""));
    }
  }
  return files;
}

}  // namespace kv::grader
