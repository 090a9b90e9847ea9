// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A folder of a test's own.
#pragma once

#include <stdlib.h>

#include <cstdio>
#include <filesystem>
#include <string>

namespace mmtune {

/// Made where temporary files go; removed, with what is in it, when destroyed.
class TempFolder {
 public:
  TempFolder() : path_((std::filesystem::temp_directory_path() / "mmtune-test-XXXXXX").string()) {
    if (mkdtemp(path_.data()) != nullptr) return;
    std::perror(path_.c_str());
    std::abort();
  }
  ~TempFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  TempFolder(const TempFolder&) = delete;
  TempFolder& operator=(const TempFolder&) = delete;

  const std::string& path() const { return path_; }
  std::string File(const std::string& name) const { return path_ + "/" + name; }

 private:
  std::string path_;
};

}  // namespace mmtune
