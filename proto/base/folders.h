// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The folders in which programs keep files: the user's folders (XDG Base Directory Specification), and private
// temporary folders. If a program is killed, a later one removes its temporary folders.
#pragma once

#include <string>
#include <string_view>
#include <utility>

#include "absl/status/statusor.h"

namespace mmtune {

/// Returns "$<variable>/mmtune" if that environment variable holds an absolute path, else "$HOME/<below_home>/mmtune".
/// Does not create the folder. Returns FailedPrecondition if HOME is needed, and is not set or names no folder.
///
/// Example: UserFolder("XDG_CACHE_HOME", ".cache") is usually "/home/me/.cache/mmtune".
absl::StatusOr<std::string> UserFolder(const char* variable, std::string_view below_home);

/// Returns the folder `name` inside the user's state folder (XDG_STATE_HOME, by default ~/.local/state), for files that
/// outlive a process. Does not create it. Returns the error of UserFolder().
absl::StatusOr<std::string> StateFolder(std::string_view name);

/// Returns the folder in which a worker keeps results until the server has accepted them, or the error of UserFolder().
absl::StatusOr<std::string> DefaultSpoolFolder();

/// Returns $TMPDIR, or "/tmp" if that is not set.
std::string TemporaryParent();

/// A private temporary folder, "<parent>/<prefix>XXXXXX" with mode 0700. Its destructor removes it with everything in
/// it. Move-only.
///
/// The folder holds a file that its owner keeps locked, so RemoveAbandoned() can tell folders of living processes from
/// those of killed ones. On file systems without locks no folder counts as abandoned.
class OwnedFolder {
 public:
  /// The number of random characters after the prefix.
  static constexpr size_t kSuffixLength = 6;

  /// Makes a folder inside `parent`. On failure returns FailedPrecondition with the parent and the reason.
  static absl::StatusOr<OwnedFolder> Create(const std::string& parent, std::string_view prefix);
  /// Makes a folder inside TemporaryParent(). Returns the error of Create().
  static absl::StatusOr<OwnedFolder> Temporary(std::string_view prefix) { return Create(TemporaryParent(), prefix); }
  /// Removes the folders in `parent` with exactly this prefix whose owners, processes of this user, were killed.
  static void RemoveAbandoned(const std::string& parent, std::string_view prefix);

  OwnedFolder(OwnedFolder&& other) noexcept;
  OwnedFolder& operator=(OwnedFolder&& other) noexcept;
  ~OwnedFolder();

  /// Returns the path of the folder.
  const std::string& path() const { return path_; }

 private:
  OwnedFolder(std::string path, int lock) : path_(std::move(path)), lock_(lock) {}

  std::string path_;
  int lock_ = -1;  // held until the folder is removed
};

}  // namespace mmtune
