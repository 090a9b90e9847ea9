// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Files that programs write where a user says, and the end of standard output.
//
// Never written, even when forced: a tuning log, its -wal, -shm, -journal and .lock files, a folder, and what is
// neither a regular file nor a pipe nor a terminal. An existing file is replaced only when forced.
#pragma once

#include <cstdint>
#include <functional>
#include <ostream>
#include <string>
#include <vector>

#include "absl/status/statusor.h"

namespace mmtune {

/// Returns the path that a symbolic link leads to, which need not exist.
std::string FollowLinks(const std::string& path);

/// True if the file begins like a tuning log; false where it cannot be read.
bool IsTuningLog(const std::string& path);

struct OutputPlace {
  std::string path;       ///< Symbolic links followed.
  bool in_place = false;  ///< A pipe or a terminal: written to, never replaced.
};

/// Returns the place of an output. InvalidArgument says why nothing may be written there, and names --force where that
/// would help.
absl::StatusOr<OutputPlace> CheckOutput(const std::string& path, bool force);

/// Renames a complete file to its final name, atomically. A file that has appeared there meanwhile is replaced only
/// when forced. InvalidArgument when it cannot be renamed.
absl::Status PublishOutput(const std::string& temporary, const OutputPlace& place, bool force);

/// Writes a file: checks the path, lets `write` fill a file beside it, makes that durable and renames it to `path`,
/// with the mode of the file it replaces. On an error `path` is as it was. InvalidArgument when it cannot be written;
/// an error of `write` is returned as it is.
absl::Status WriteOutput(const std::string& path, bool force, const std::function<absl::Status(std::ostream&)>& write);

/// One of several files that belong together.
struct Output {
  std::string path;
  bool secret = false;  ///< Created with mode 0600, whatever it replaces.
  std::function<absl::Status(std::ostream&)> write;
};

/// Writes several files like WriteOutput, all or none: every file is complete and durable beside its place before the
/// first is renamed, and where one cannot be renamed, those renamed before it are restored. Pipes and terminals are
/// written to in order.
absl::Status WriteOutputs(const std::vector<Output>& outputs, bool force);

/// The exit code when the reader of standard output has left, as `head` does: what a shell reports for SIGPIPE. No
/// message is printed then.
inline constexpr int kReaderLeft = 141;

/// Returns Internal, "cannot write standard output: <the text of `error`>"; without the text when `error` is 0.
absl::Status OutputError(int error);

/// Flushes stdout. Returns OutputError when that failed or anything printed before was lost.
absl::Status FlushStandardOutput();

/// Flushes stdout and returns the exit code of a C program: `code`; or, when output was lost and `code` is 0, `lost`
/// (after an error line) or kReaderLeft.
int ExitAfterOutput(const char* program, int code, int lost);

}  // namespace mmtune
