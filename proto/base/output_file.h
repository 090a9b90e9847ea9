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
#include <vector>

#include "absl/status/statusor.h"

namespace mmtune {

/// What a symbolic link leads to, whether or not it is there.
std::string FollowLinks(const std::string& path);

/// By its first bytes; false where it cannot be read.
bool IsTuningLog(const std::string& path);

struct OutputPlace {
  std::string path;       ///< Symbolic links followed.
  bool in_place = false;  ///< A pipe or a terminal: written to, never replaced.
};

/// Where an output may go. InvalidArgument says why it may not, and names --force where that would help.
absl::StatusOr<OutputPlace> CheckOutput(const std::string& path, bool force);

/// Renames a complete file to its final name, atomically. A file that has appeared there meanwhile is replaced only
/// when forced. InvalidArgument when it cannot be renamed.
absl::Status PublishOutput(const std::string& temporary, const OutputPlace& place, bool force);

/// CheckOutput, then `write` writes to a file beside `path`, which is made durable and renamed to `path`, with the mode
/// of the file it replaces. On an error `path` is as it was. InvalidArgument when it cannot be written; an error of
/// `write` is returned as it is.
absl::Status WriteOutput(const std::string& path, bool force, const std::function<absl::Status(std::ostream&)>& write);

/// A file of several that belong together.
struct Output {
  std::string path;
  bool secret = false;  ///< Of mode 0600 from the first byte on, whatever it replaces.
  std::function<absl::Status(std::ostream&)> write;
};

/// WriteOutput of several files, all or none: every one is complete and durable beside its place before the first is
/// renamed, and where one cannot be renamed, the places of those before it are as they were. Pipes and terminals are
/// written to as their turn comes.
absl::Status WriteOutputs(const std::vector<Output>& outputs, bool force);

}  // namespace mmtune
