// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Writes output files completely or not at all: to temporary files first, which Commit() renames. Also reads input
// files with a limit on their size.
//
//   OutputFiles files(force);
//   files.Write("model.o", bytes);  files.Write("model.h", text);
//   files.Commit();                                      // Without this, neither file appears.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "proto/base/output_file.h"

namespace mmtune {

/// A group of output files that appear together. Commit() writes outputs that are pipes or terminals first, then
/// renames the files. Temporary files that were not committed are removed by the destructor, or when SIGINT, SIGTERM or
/// SIGHUP end the process. Only one object may exist at a time. Not thread-safe.
class OutputFiles {
 public:
  /// With `force`, existing files are replaced.
  explicit OutputFiles(bool force = false);
  ~OutputFiles();
  OutputFiles(const OutputFiles&) = delete;
  OutputFiles& operator=(const OutputFiles&) = delete;

  /// Creates an empty temporary file, which becomes the output `path` on Commit(), and returns the path of the
  /// temporary file, for a program that writes it itself, such as a linker. Returns InvalidArgument if `path` cannot be
  /// written.
  absl::StatusOr<std::string> Reserve(const std::string& path);
  /// Creates a temporary file beside `path` and returns the path of the temporary file, which is not an output:
  /// Commit() removes it. Returns the errors of Reserve().
  absl::StatusOr<std::string> Scratch(const std::string& path);
  /// Writes `content` to a temporary file, which becomes the output `path` on Commit(). If `path` is "-", writes to
  /// standard output immediately. Returns InvalidArgument if the file cannot be written, and Internal if standard
  /// output cannot.
  absl::Status Write(const std::string& path, std::string_view content);
  /// Writes to a temporary file that Reserve() or Scratch() returned. Returns InvalidArgument if it cannot be written.
  absl::Status Fill(const std::string& temporary, std::string_view content);
  /// Renames every temporary file to its final path, and removes the scratch files. Returns InvalidArgument if an
  /// output cannot be written or renamed.
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

/// The path of an output, and a description for messages.
struct NamedOutput {
  std::string what;  ///< Such as "the header".
  std::string path;
};

/// Returns InvalidArgument, naming both, if two outputs have the same path or both go to standard output.
absl::Status CheckDistinct(const std::vector<NamedOutput>& outputs);

/// Sets a child process, which must be the leader of its process group; 0 means none. If a signal ends this process,
/// the whole group is terminated before the temporary files are removed.
void SetOutputChild(pid_t pid);

/// The default limit of ReadInput(), in bytes. No model is as large; a limit is needed because a pipe may be endless.
inline constexpr int64_t kMaxInputBytes = int64_t{2} << 30;

/// Reads a file, or standard input for "-". Returns InvalidArgument with the reason if it cannot be read or has more
/// than `most` bytes. Device files other than terminals are refused, because some, like /dev/zero, are endless.
absl::StatusOr<std::string> ReadInput(const std::string& path, int64_t most = kMaxInputBytes);

}  // namespace mmtune
