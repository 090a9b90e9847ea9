// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A file that counts as it is now: it is looked at while the server runs, and read again when it has changed.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <functional>
#include <string>

#include "absl/status/status.h"
#include "proto/base/clock.h"

namespace mmtune {

/// Changes with the content of a file, and when another takes its place. Of no file: FileMark().
struct FileMark {
  ino_t inode = 0;
  off_t size = -1;
  int64_t nanos = 0;
  bool operator==(const FileMark&) const = default;
};
FileMark MarkOf(const std::string& path);

/// Not thread-safe.
class WatchedFile {
 public:
  /// Makes something of the text, or says why that cannot be; then what was made before stays.
  using Take = std::function<absl::Status(const std::string& text)>;

  /// `lost` is the event of the log when the file cannot be read or taken any more.
  WatchedFile(std::string path, const Clock& clock, const char* lost, Take take)
      : path_(std::move(path)), clock_(clock), lost_(lost), take_(std::move(take)) {}

  /// Takes the file if it has changed. InvalidArgument when it cannot be read or taken; of one that was taken before,
  /// that is a line in the log, too, once.
  absl::Status Read();
  /// Read, a second apart at most.
  void Look();

 private:
  absl::Status Retake();

  const std::string path_;
  const Clock& clock_;
  const char* const lost_;
  const Take take_;
  FileMark taken_;
  TimePoint looked_;
  bool told_ = false;
};

}  // namespace mmtune
