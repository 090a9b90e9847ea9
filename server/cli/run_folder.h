// A private folder for a socket and a worker's messages.
#pragma once

#include <string>

#include "absl/status/statusor.h"

namespace mmtune {

/// Made 0700 below $XDG_RUNTIME_DIR, $TMPDIR or /tmp; removed with what is in it when destroyed. Move-only.
class RunFolder {
 public:
  static absl::StatusOr<RunFolder> Create();
  RunFolder(RunFolder&& other) noexcept;
  RunFolder& operator=(RunFolder&& other) noexcept;
  ~RunFolder();

  const std::string& path() const { return path_; }

 private:
  explicit RunFolder(std::string path) : path_(std::move(path)) {}
  std::string path_;
};

}  // namespace mmtune
