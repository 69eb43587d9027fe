#pragma once
// What a unit test that reads the kit's own files begins with.

#include <gtest/gtest.h>
#include <stdlib.h>

#include <string>

#include "base/kit/kit.h"
#include "base/text/errors.h"

namespace kv::grader {

// The folder of builds is empty, and the test's own.
class KitTest : public testing::Test {
 protected:
  ~KitTest() override {
    std::error_code error;
    fs::remove_all(kit.build, error);
  }

  const Kit kit = {.root = KV_KIT_FOLDER,
                   .build = new_folder(),
                   .program = {},
                   .manifest = load_manifest(fs::path(KV_KIT_FOLDER) / "labs")};

 private:
  static fs::path new_folder() {
    std::string name = testing::TempDir() + "pagedlab.XXXXXX";
    if (::mkdtemp(name.data()) == nullptr) throw MachineFailed("no folder " + name);
    return name;
  }
};

}  // namespace kv::grader
