// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "server/security/watched_file.h"

#include <sys/stat.h>

#include <utility>

#include "proto/base/log.h"
#include "proto/base/status.h"
#include "proto/base/whole_file.h"

namespace mmtune {
namespace {

constexpr Duration kLookEvery = std::chrono::seconds(1);

}  // namespace

FileMark MarkOf(const std::string& path) {
  struct stat info = {};
  if (stat(path.c_str(), &info) != 0) return {};
  return {info.st_ino, info.st_size, info.st_mtim.tv_sec * 1'000'000'000 + info.st_mtim.tv_nsec};
}

absl::Status WatchedFile::Read() {
  looked_ = clock_.Now();
  const absl::Status read = Retake();
  if (read.ok()) {
    told_ = false;
  } else if (taken_ != FileMark() && !std::exchange(told_, true)) {
    LogError(lost_, {{"error", ToStd(read.message())}});
  }
  return read;
}

absl::Status WatchedFile::Retake() {
  const FileMark mark = MarkOf(path_);
  if (mark == taken_ && mark != FileMark()) return absl::OkStatus();
  absl::StatusOr<std::string> text = ReadTextFile(path_);
  if (!text.ok()) return InvalidArgument(ToStd(text.status().message()));
  RETURN_IF_ERROR(WithContext(take_(*text), path_));
  taken_ = mark;
  return absl::OkStatus();
}

void WatchedFile::Look() {
  if (clock_.Now() - looked_ >= kLookEvery) Read().IgnoreError();
}

}  // namespace mmtune
