#pragma once
// Submissions of a class, made from trees of the kit.

#include <string>

#include "grader/program/base/kit/kit.h"

namespace kv::grader {

class ClassFolder {
 public:
  // folder: removed, if it is there, and made again.
  explicit ClassFolder(const fs::path& folder);

  // The files of one lab of a tree, in its folder.
  void add_lab(const std::string& name, const LabSpec& lab, const fs::path& tree);

  // Puts text at the top of a file that was added.
  void put_on_top(const std::string& name,
                  const LabSpec& lab,
                  const std::string& file,
                  const std::string& text);

  // Files without the folder of their lab: name.tar.gz.
  void add_flat_archive(const std::string& name, const LabSpec& lab, const fs::path& tree);

  // A whole clone in an archive with one folder around it: name.zip. starter: the tree handed in.
  void add_wrapped_zip(const std::string& name,
                       const LabSpec& lab,
                       const Kit& kit,
                       const fs::path& starter);

  void add_file(const std::string& file, const std::string& content);

  // A submission whose file is a link to that of another one.
  void add_link(const std::string& name,
                const LabSpec& lab,
                const std::string& file,
                const std::string& other);

  const fs::path& path() const { return folder_; }
  fs::path file_of(const std::string& name, const LabSpec& lab, const std::string& file) const {
    return folder_ / name / lab.folder / file;
  }

 private:
  void archive(const std::string& file, const fs::path& content, const std::string& format);

  fs::path folder_;
  fs::path scratch_;
};

}  // namespace kv::grader
