// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Lock files that other users of the host can neither hold nor put something else in place of.
#pragma once

#include <string>
#include <vector>

#include "absl/status/statusor.h"

namespace mmtune {

/// A descriptor of the file, made where it is not there, for flock(2); the caller closes it. Never waits.
/// FailedPrecondition, saying what is in the way: a link, something that is no regular file, a file of another user and
/// of none of this user's groups. Others than user and group get no access to it, so that they cannot lock it.
absl::StatusOr<int> OpenLockFile(const std::string& path);

/// Who holds a lock on the open file: "process 123 (mmtune-worker)", "process 123 (tune) and 2 more"; "another process"
/// where the system does not say.
std::string LockHolder(int fd);

/// Where lock files may lie, best first: /run/lock, which is the same for every user, then $XDG_RUNTIME_DIR. Only
/// folders of root or of this user in which nobody else can rename or remove files.
std::vector<std::string> LockFolders();
/// Whether a folder is such a one.
bool IsLockFolder(const std::string& folder);

}  // namespace mmtune
