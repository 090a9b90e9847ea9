// A private folder for a socket and a worker's messages.
#pragma once

#include <string>
#include <utility>

#include "absl/status/statusor.h"
#include "proto/base/owned_folder.h"

namespace mmtune {

/// Below $XDG_RUNTIME_DIR, $TMPDIR or /tmp, short enough for a socket's path; removed with what is in it when
/// destroyed. Move-only.
class RunFolder {
 public:
  /// Also removes the folders of this user whose owners were killed.
  static absl::StatusOr<RunFolder> Create();

  const std::string& path() const { return folder_.path(); }

 private:
  explicit RunFolder(OwnedFolder folder) : folder_(std::move(folder)) {}

  OwnedFolder folder_;
};

}  // namespace mmtune
