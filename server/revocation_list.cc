// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "server/revocation_list.h"

#include <cerrno>
#include <cstring>
#include <utility>

#include "absl/strings/str_cat.h"
#include "proto/base/log.h"
#include "proto/base/status.h"
#include "proto/base/whole_file.h"
#include "proto/tls/revoked.h"

namespace mmtune {
namespace {

constexpr Duration kLookEvery = std::chrono::seconds(1);

bool SameFile(const struct stat& a, const struct stat& b) {
  return a.st_ino == b.st_ino && a.st_size == b.st_size && a.st_mtim.tv_sec == b.st_mtim.tv_sec &&
         a.st_mtim.tv_nsec == b.st_mtim.tv_nsec;
}

}  // namespace

absl::Status RevocationList::Read() {
  struct stat now;
  if (stat(path_.c_str(), &now) != 0) {
    return InvalidArgument(absl::StrCat("cannot read ", path_, ": ", std::strerror(errno)));
  }
  if (SameFile(now, seen_)) return absl::OkStatus();
  absl::StatusOr<std::string> text = ReadWholeFile(path_);
  if (!text.ok()) return InvalidArgument(ToStd(text.status().message()));
  auto serials = ParseRevoked(*text);
  if (!serials.ok()) return WithContext(serials.status(), path_);
  serials_ = *std::move(serials);
  seen_ = now;
  return absl::OkStatus();
}

absl::StatusOr<std::unique_ptr<RevocationList>> RevocationList::Open(const std::string& path, const Clock& clock) {
  std::unique_ptr<RevocationList> list(new RevocationList(path, clock));
  MutexLock lock(&list->mutex_);
  if (!path.empty()) RETURN_IF_ERROR(WithContext(list->Read(), "--tls-revoked"));
  list->looked_ = clock.Now();
  return list;
}

bool RevocationList::Contains(std::string_view serial) {
  MutexLock lock(&mutex_);
  if (!path_.empty() && clock_.Now() - looked_ >= kLookEvery) {
    looked_ = clock_.Now();
    const absl::Status read = Read();
    if (!read.ok() && !std::exchange(lost_, true)) {
      LogError("revocation_list_lost", {{"error", ToStd(read.message())}});
    }
    if (read.ok()) lost_ = false;
  }
  return serials_.contains(PlainSerial(serial));
}

}  // namespace mmtune
