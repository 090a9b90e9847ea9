// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The certificates that are no longer taken though an authority signed them: a file of serials, read again whenever it
// has changed.
#pragma once

#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>

#include "absl/status/statusor.h"
#include "proto/base/clock.h"
#include "proto/base/mutex.h"
#include "server/security/watched_file.h"

namespace mmtune {

/// Thread-safe.
class RevocationList {
 public:
  /// An empty path: no certificate is revoked. InvalidArgument when the file cannot be read now.
  static absl::StatusOr<std::unique_ptr<RevocationList>> Open(const std::string& path, const Clock& clock);

  /// Looks at the file, a second apart at most. While it cannot be read, what it said before counts, and the log says
  /// so.
  bool Contains(std::string_view serial);

 private:
  RevocationList(const std::string& path, const Clock& clock);

  Mutex mutex_;
  std::set<std::string, std::less<>> serials_ ABSL_GUARDED_BY(mutex_);
  std::optional<WatchedFile> file_ ABSL_GUARDED_BY(mutex_);
};

}  // namespace mmtune
