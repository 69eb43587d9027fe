#pragma once
// The staged files from which a build folder was built, as copies in it.

#include "base/kit/manifest.h"

namespace kv::grader {

class BuiltFiles {
 public:
  // folder: of the build. stage: the tree that is built. together: its labs are linked with each
  // other, so each program may have files of every lab.
  BuiltFiles(const Manifest& manifest,
             const fs::path& stage,
             const fs::path& folder,
             bool together = false);

  // Removes the objects and programs that were made of a file with another content.
  void remove_outdated() const;

  // Around a build. Why: an object may be half written when a build is killed, so until its end
  // nothing counts as built.
  void begin() const;
  void end() const;

  // The names of the files, and the contents of the headers: CMake copies those, so it has to run
  // again when they change.
  std::string decides_configuration() const;

 private:
  struct File {
    const LabSpec* lab;
    fs::path path;  // in the stage and among the copies
    bool is_header;
  };

  void remove_made_of(const File& file) const;

  fs::path stage_;
  fs::path folder_;
  fs::path copies_;
  bool together_;
  std::vector<File> files_;
};

}  // namespace kv::grader
