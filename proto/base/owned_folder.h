// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A private temporary folder that lives as long as its owner, however that ends.
#pragma once

#include <string>
#include <string_view>
#include <utility>

#include "absl/status/statusor.h"

namespace mmtune {

/// $TMPDIR, or /tmp.
std::string TemporaryParent();

/// "<parent>/<prefix>XXXXXX" of mode 0700; removed with all it holds when destroyed. It holds a locked file, by which
/// RemoveAbandoned() knows that its owner lives; where files cannot be locked it is never taken for abandoned.
/// Move-only.
class OwnedFolder {
 public:
  /// Characters after the prefix.
  static constexpr size_t kSuffixLength = 6;

  /// FailedPrecondition, naming the folder and the reason.
  static absl::StatusOr<OwnedFolder> Create(const std::string& parent, std::string_view prefix);
  /// Create() where temporary files go: in TemporaryParent().
  static absl::StatusOr<OwnedFolder> Temporary(std::string_view prefix) { return Create(TemporaryParent(), prefix); }
  /// Removes those in `parent` with exactly this prefix that killed processes of this user left.
  static void RemoveAbandoned(const std::string& parent, std::string_view prefix);

  OwnedFolder(OwnedFolder&& other) noexcept;
  OwnedFolder& operator=(OwnedFolder&& other) noexcept;
  ~OwnedFolder();

  const std::string& path() const { return path_; }

 private:
  OwnedFolder(std::string path, int lock) : path_(std::move(path)), lock_(lock) {}

  std::string path_;
  int lock_ = -1;  // held until the folder is gone
};

}  // namespace mmtune
