// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The one rule for the files that programs write where a user says.
//
// Never written, whatever is forced: a tuning log, what lies beside it (its -wal, -shm, -journal and .lock), a folder,
// and what is neither a regular file nor a pipe nor a terminal. What exists is replaced only when forced.
#pragma once

#include <cstdint>
#include <functional>
#include <ostream>
#include <string>

#include "absl/status/statusor.h"

namespace mmtune {

/// "MMTL" in the header of every tuning log.
inline constexpr int64_t kLogApplicationId = 0x4D4D544C;

/// What a symbolic link leads to, whether or not it is there.
std::string FollowLinks(const std::string& path);

/// By its first bytes; false where it cannot be read.
bool IsTuningLog(const std::string& path);

struct OutputPlace {
  std::string path;       ///< Symbolic links followed.
  bool in_place = false;  ///< A pipe or a terminal: written to, never replaced.
};

/// Where an output may go. InvalidArgument says why it may not, and names --force where that would do.
absl::StatusOr<OutputPlace> CheckOutput(const std::string& path, bool force);

/// Gives a file that is whole its name, at once. What has come to be there meanwhile is replaced only when forced.
/// InvalidArgument.
absl::Status PublishOutput(const std::string& temporary, const OutputPlace& place, bool force);

/// CheckOutput; `write` writes to a file beside `path`, which is then made durable and gets its
/// name, with the mode of the file it replaces. On an error `path` is as it was.
/// InvalidArgument when it cannot be written, or what `write` says.
absl::Status WriteOutput(const std::string& path, bool force, const std::function<absl::Status(std::ostream&)>& write);

}  // namespace mmtune
