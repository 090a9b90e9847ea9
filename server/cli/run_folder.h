// A private folder for a socket and a worker's messages.
#pragma once

#include <string>

#include "absl/status/statusor.h"

namespace mmtune {

/// Made 0700 below $XDG_RUNTIME_DIR, $TMPDIR or /tmp; removed with what is in it when destroyed. A locked file inside
/// says that its owner lives, however it may end. Move-only.
class RunFolder {
 public:
  /// Also removes the folders of this user whose owners were killed.
  static absl::StatusOr<RunFolder> Create();
  RunFolder(RunFolder&& other) noexcept;
  RunFolder& operator=(RunFolder&& other) noexcept;
  ~RunFolder();

  const std::string& path() const { return path_; }

 private:
  explicit RunFolder(std::string path) : path_(std::move(path)) {}
  bool MarkOwned();

  std::string path_;
  int lock_fd_ = -1;
};

}  // namespace mmtune
