// The daemon's folder for its children's output.
#pragma once

#include <string>
#include <utility>

#include "absl/status/statusor.h"
#include "proto/base/owned_folder.h"

namespace mmtune {

/// Private, under $TMPDIR or /tmp; removed with all it holds when destroyed. Move-only.
class ScratchFolder {
 public:
  static absl::StatusOr<ScratchFolder> Create();
  /// Removes, where Create() would make one, those that killed workers of this user left.
  static void RemoveStale();

  const std::string& path() const { return folder_.path(); }

 private:
  explicit ScratchFolder(OwnedFolder folder) : folder_(std::move(folder)) {}

  OwnedFolder folder_;
};

}  // namespace mmtune
