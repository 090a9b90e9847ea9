// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Files that come into being whole or not at all.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "proto/base/output_file.h"

namespace mmtune {

/// Each file is written to a temporary beside it; Commit() renames them all. Where files may go is the rule of
/// proto/base/output_file.h; a pipe or a terminal is written to by Commit(), before it renames anything.
/// What was not committed goes when the object does, and when SIGINT, SIGTERM or SIGHUP end the process. One at a time;
/// not thread-safe.
class OutputFiles {
 public:
  /// `force`: existing files are replaced.
  explicit OutputFiles(bool force = false);
  ~OutputFiles();
  OutputFiles(const OutputFiles&) = delete;
  OutputFiles& operator=(const OutputFiles&) = delete;

  /// The path of an empty temporary for `path`, for others to write to. InvalidArgument when there can be no such file.
  absl::StatusOr<std::string> Reserve(const std::string& path);
  /// A file beside what Reserve(`path`) returns, which Commit() removes.
  absl::StatusOr<std::string> Scratch(const std::string& path);
  /// Writes the whole file; "-" is standard output, written at once.
  absl::Status Write(const std::string& path, std::string_view content);
  /// Writes to a temporary that Reserve() or Scratch() returned.
  absl::Status Fill(const std::string& temporary, std::string_view content);
  /// Puts every file in its place.
  absl::Status Commit();

 private:
  absl::StatusOr<std::string> MakeTemporary(const OutputPlace& place);
  void RemoveTemporaries();

  struct File {
    std::string temporary;
    OutputPlace place;  ///< Its path is empty for a scratch file.
  };
  const bool force_;
  std::vector<File> files_;
};

/// What is written to a path, in words.
struct NamedOutput {
  std::string what;
  std::string path;
};

/// InvalidArgument, naming both, when one would overwrite the other or both go to standard output.
absl::Status CheckDistinct(const std::vector<NamedOutput>& outputs);

/// A child, leader of its process group, that a signal which ends this process ends first, so that it writes nothing
/// afterwards. 0: none.
void SetOutputChild(pid_t pid);

/// More than any model has; a device file, or a pipe, may have no end.
inline constexpr int64_t kMostInput = int64_t{2} << 30;

/// The content of a file, or of standard input for "-". InvalidArgument says why it cannot be read, or that it has more
/// than `most` bytes. A device that is no terminal is not read: /dev/zero has no end.
absl::StatusOr<std::string> ReadInput(const std::string& path, int64_t most = kMostInput);

}  // namespace mmtune
