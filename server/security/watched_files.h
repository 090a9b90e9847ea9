// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Files that are watched while the server runs, and read again when they have changed: the revoked certificates, the
// authorities (peer_gate.h), and the server's own certificate.
#pragma once

#include <sys/types.h>
#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <thread>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "proto/base/clock.h"
#include "proto/base/mutex.h"
#include "proto/base/whole_file.h"
#include "proto/tls/tls_files.h"

namespace mmtune {

/// Identifies the content of a file: differs when the file changes or is replaced. FileMark() if there is no file.
struct FileMark {
  ino_t inode = 0;
  off_t size = -1;
  int64_t nanos = 0;
  bool operator==(const FileMark&) const = default;
};
FileMark MarkOf(const std::string& path);

/// A text file that is parsed again when it has changed. Not thread-safe.
class WatchedFile {
 public:
  /// Parses and keeps the text, or returns an error; then the earlier content stays.
  using Take = std::function<absl::Status(const std::string& text)>;

  /// `lost` is the event that is logged when the file can no longer be read or parsed.
  WatchedFile(std::string path, const Clock& clock, const char* lost, Take take)
      : path_(std::move(path)), clock_(clock), lost_(lost), take_(std::move(take)) {}

  /// Parses the file if it has changed. InvalidArgument if it cannot be read or parsed, which is also logged, once, if
  /// it could before.
  absl::Status Read();
  /// Calls Read() if the last one was a second ago.
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

/// The certificates that are refused although an authority signed them: a file of serials. Thread-safe.
class RevocationList {
 public:
  /// Reads the file; an empty path: no certificate is revoked. InvalidArgument if the file cannot be read now.
  static absl::StatusOr<std::unique_ptr<RevocationList>> Open(const std::string& path, const Clock& clock);

  /// True if the serial is revoked. Checks the file once a second; while it cannot be read, its last content counts.
  bool Contains(std::string_view serial);

 private:
  RevocationList(const std::string& path, const Clock& clock);

  Mutex mutex_;
  std::set<std::string, std::less<>> serials_ ABSL_GUARDED_BY(mutex_);
  std::optional<WatchedFile> file_ ABSL_GUARDED_BY(mutex_);
};

/// The interval at which gRPC reads `served_path`, and the server its files: a renewal takes at most both.
inline constexpr unsigned kServedRefreshSeconds = 1;

/// The certificate that the server presents. Its files are checked every second, and replace the presented certificate
/// once they can be used; until then the problem is logged, and the old one stays. Thread-safe.
class CertificateWatch {
 public:
  /// Returns the errors of CheckTlsFiles.
  static absl::StatusOr<std::unique_ptr<CertificateWatch>> Start(const TlsFiles& files);
  ~CertificateWatch();

  /// Returns the path of a file in memory, which only this process can read, with the presented certificates and their
  /// key (PEM). It is replaced as a whole, and its modification time then differs by at least a second.
  const std::string& served_path() const { return served_path_; }

  /// Returns when the presented certificate expires, in seconds since 1970.
  int64_t not_after() const;
  /// Returns why the content of the files is not presented; empty: it is.
  std::string trouble() const;

 private:
  using Marks = std::array<FileMark, 3>;

  explicit CertificateWatch(TlsFiles files);
  Marks MarksOf() const;
  absl::Status Serve(const LoadedTls& loaded);
  void Look();
  void Run();

  const TlsFiles files_;
  const Descriptor served_;
  const std::string served_path_;
  int64_t versions_ = 0;  // the modification time of served_path_
  std::string served_text_;
  Marks seen_;     // of the files at the last check
  Marks told_of_;  // of the files whose problem was logged
  mutable Mutex mutex_;
  int64_t not_after_ ABSL_GUARDED_BY(mutex_) = 0;
  std::string trouble_ ABSL_GUARDED_BY(mutex_);
  bool stopping_ ABSL_GUARDED_BY(mutex_) = false;
  std::thread thread_;
};

}  // namespace mmtune
