// A private folder that lives as long as its owner.
#pragma once

#include <string>
#include <utility>

#include "absl/status/statusor.h"

namespace mmtune {

/// Mode 0700, under $TMPDIR or /tmp; removed with all it holds when destroyed. It holds a locked file, by which
/// RemoveStale() knows that its owner lives. Move-only.
class ScratchFolder {
 public:
  static absl::StatusOr<ScratchFolder> Create();
  /// Removes, where Create() would make one, those that killed processes of this user left.
  static void RemoveStale();

  ScratchFolder(ScratchFolder&& other) noexcept;
  ScratchFolder& operator=(ScratchFolder&& other) noexcept;
  ~ScratchFolder();

  const std::string& path() const { return path_; }

 private:
  ScratchFolder(std::string path, int lock) : path_(std::move(path)), lock_(lock) {}

  std::string path_;
  int lock_ = -1;  // held until the folder is gone
};

}  // namespace mmtune
