// A private folder that lives as long as its owner.
#pragma once

#include <string>

#include "absl/status/statusor.h"

namespace mmtune {

/// Mode 0700, under $TMPDIR or /tmp; removed with all it holds when destroyed. Move-only.
class ScratchFolder {
 public:
  static absl::StatusOr<ScratchFolder> Create();
  ScratchFolder(ScratchFolder&& other) noexcept;
  ScratchFolder& operator=(ScratchFolder&& other) noexcept;
  ~ScratchFolder();

  const std::string& path() const { return path_; }

 private:
  explicit ScratchFolder(std::string path) : path_(std::move(path)) {}
  std::string path_;
};

}  // namespace mmtune
