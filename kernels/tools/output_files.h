// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Output files that are written completely or not at all, and input files.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "proto/base/output_file.h"

namespace mmtune {

/// Writes each file to a temporary beside it; Commit() renames them all. CheckOutput() decides where files may be
/// written; Commit() writes pipes and terminals before it renames anything. Files that were not committed are removed
/// with the object, and when SIGINT, SIGTERM or SIGHUP end the process. One object at a time; not thread-safe.
class OutputFiles {
 public:
  /// With `force`, existing files are replaced.
  explicit OutputFiles(bool force = false);
  ~OutputFiles();
  OutputFiles(const OutputFiles&) = delete;
  OutputFiles& operator=(const OutputFiles&) = delete;

  /// Creates an empty temporary for `path` and returns its path. InvalidArgument if `path` cannot be written.
  absl::StatusOr<std::string> Reserve(const std::string& path);
  /// Creates a temporary beside `path`, which Commit() removes.
  absl::StatusOr<std::string> Scratch(const std::string& path);
  /// Writes a file; "-" is standard output, written at once.
  absl::Status Write(const std::string& path, std::string_view content);
  /// Writes to a temporary that Reserve() or Scratch() returned.
  absl::Status Fill(const std::string& temporary, std::string_view content);
  /// Renames every temporary to its path.
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

/// A path with the description of the output.
struct NamedOutput {
  std::string what;
  std::string path;
};

/// InvalidArgument, naming both, if two outputs have the same path or both go to standard output.
absl::Status CheckDistinct(const std::vector<NamedOutput>& outputs);

/// Sets the child, leader of its process group, that ending signals terminate before this process removes its files.
/// 0: none.
void SetOutputChild(pid_t pid);

/// The largest input: more than any model has, as a pipe may have no end.
inline constexpr int64_t kMaxInputBytes = int64_t{2} << 30;

/// Reads a file, or standard input for "-". InvalidArgument says why it cannot be read, or that it has more than `most`
/// bytes. Devices other than terminals are refused, as /dev/zero has no end.
absl::StatusOr<std::string> ReadInput(const std::string& path, int64_t most = kMaxInputBytes);

}  // namespace mmtune
