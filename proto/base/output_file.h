// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Safe output files: everything that a user names with an option such as --output is written through these functions. A
// file is complete or unchanged, never half written, and an existing file is replaced only with --force.
//
// Some paths are refused even with --force: a tuning log and its -wal, -shm, -journal and .lock files, folders, and
// anything that is not a regular file, a pipe or a terminal.
#pragma once

#include <cstdint>
#include <functional>
#include <ostream>
#include <string>
#include <vector>

#include "absl/status/statusor.h"

namespace mmtune {

/// Returns the path that a symbolic link leads to. The target need not exist; a path that is not a link is returned as
/// it is.
std::string FollowLinks(const std::string& path);

/// True if the file starts like a tuning log (log_header.h). False if it cannot be read.
bool IsTuningLog(const std::string& path);

/// Where an output goes, after the path was checked.
struct OutputPlace {
  std::string path;       ///< The path with symbolic links followed.
  bool in_place = false;  ///< True for a pipe or terminal, which is written to directly and never replaced.
};

/// Checks that `path` may be written. Otherwise returns InvalidArgument with the reason, which mentions --force where
/// that would help.
absl::StatusOr<OutputPlace> CheckOutput(const std::string& path, bool force);

/// Renames a complete temporary file to its final name, atomically. Without `force`, fails if a file has appeared there
/// in the meantime. Returns InvalidArgument if it cannot be renamed.
absl::Status PublishOutput(const std::string& temporary, const OutputPlace& place, bool force);

/// Writes a file. Checks the path, lets `write` fill a temporary file beside it, syncs that to disk, and renames it to
/// `path` with the mode of the file it replaces. On an error `path` is unchanged. Returns InvalidArgument if the file
/// cannot be written, and errors of `write` as they are.
absl::Status WriteOutput(const std::string& path, bool force, const std::function<absl::Status(std::ostream&)>& write);

/// One of several files that are written together, for example a certificate and its key.
struct Output {
  std::string path;
  bool secret = false;  ///< If true, the file is created with mode 0600, whatever it replaces.
  std::function<absl::Status(std::ostream&)> write;
};

/// Writes several files, all or none, and returns the errors of WriteOutput(). All temporary files are complete and
/// synced before the first of them is renamed. If a rename fails, the files that were replaced before are restored.
/// Pipes and terminals are written to in order.
absl::Status WriteOutputs(const std::vector<Output>& outputs, bool force);

/// Returns Internal with "cannot write standard output" and the text of the errno value `error` (no text if it is 0).
absl::Status OutputError(int error);

/// Flushes stdout. Returns OutputError() if that failed or if an earlier write to stdout failed.
absl::Status FlushStandardOutput();

/// Flushes stdout and returns the exit code for main(). That is `code`, unless `code` is 0 and output was lost. In that
/// case it is ExitCode::kBrokenPipe if the reader closed the pipe, as `head` does; otherwise it prints an error line of
/// `program` and returns `lost`.
int ExitAfterOutput(const char* program, int code, int lost);

}  // namespace mmtune
