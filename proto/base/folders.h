// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A user's folders (XDG Base Directory Specification), and private temporary folders.
#pragma once

#include <string>
#include <string_view>
#include <utility>

#include "absl/status/statusor.h"

namespace mmtune {

/// Returns "$VARIABLE/mmtune" where the variable holds an absolute path, else "$HOME/<below_home>/mmtune", without
/// making the folder. FailedPrecondition when the home folder is not set or does not exist.
absl::StatusOr<std::string> UserFolder(const char* variable, std::string_view below_home);

/// Returns a folder below the user's folder for files that outlive a process, without making it.
absl::StatusOr<std::string> StateFolder(std::string_view name);

/// Returns the default folder in which a worker keeps results that the server does not have yet.
absl::StatusOr<std::string> DefaultSpoolFolder();

/// Returns $TMPDIR, or /tmp.
std::string TemporaryParent();

/// A private temporary folder, "<parent>/<prefix>XXXXXX" of mode 0700, removed with its content when destroyed.
/// Move-only. It holds a locked file, by which RemoveAbandoned() knows that its owner lives; where files cannot be
/// locked the folder never counts as abandoned.
class OwnedFolder {
 public:
  /// Characters after the prefix.
  static constexpr size_t kSuffixLength = 6;

  /// Makes a folder. FailedPrecondition names the parent and the reason.
  static absl::StatusOr<OwnedFolder> Create(const std::string& parent, std::string_view prefix);
  /// Makes a folder in TemporaryParent().
  static absl::StatusOr<OwnedFolder> Temporary(std::string_view prefix) { return Create(TemporaryParent(), prefix); }
  /// Removes the folders in `parent` with exactly this prefix that killed processes of this user left.
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
