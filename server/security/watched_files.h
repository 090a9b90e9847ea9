// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Files that the server reads again when they change: the list of revoked certificates, the certificates of the
// authorities (peer_gate.h), and the server's own certificate with its key.
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

/// Identifies a version of a file: it differs after the file was changed or replaced. FileMark() means that there is no
/// file.
struct FileMark {
  ino_t inode = 0;
  off_t size = -1;
  int64_t nanos = 0;  ///< The time of modification, in nanoseconds since 1970.
  bool operator==(const FileMark&) const = default;
};
/// Returns the mark of the file's present version.
FileMark MarkOf(const std::string& path);

/// A text file that is parsed again when it has changed. Not thread-safe.
class WatchedFile {
 public:
  /// A function that parses the text and keeps the result, or returns an error and keeps the earlier result.
  using Take = std::function<absl::Status(const std::string& text)>;

  /// `lost` is the name of the log line that is written when the file can no longer be read or parsed.
  WatchedFile(std::string path, const Clock& clock, const char* lost, Take take)
      : path_(std::move(path)), clock_(clock), lost_(lost), take_(std::move(take)) {}

  /// Parses the file if it has changed. Returns InvalidArgument if it cannot be read or parsed. This is also logged,
  /// once, if the file was valid before.
  absl::Status Read();
  /// Calls Read() unless it was called within the last second.
  void Refresh();

 private:
  absl::Status ParseAgain();

  const std::string path_;
  const Clock& clock_;
  const char* const lost_;
  const Take take_;
  FileMark taken_;     ///< The version that was parsed last.
  TimePoint looked_;   ///< The time of the last Read().
  bool told_ = false;  ///< True if the present problem was logged.
};

/// The list of revoked certificates: a file with the serials of certificates that are refused although an authority
/// signed them. Thread-safe.
class RevocationList {
 public:
  /// Reads the file. An empty path means that no certificate is revoked. Returns InvalidArgument if the file cannot be
  /// read.
  static absl::StatusOr<std::unique_ptr<RevocationList>> Open(const std::string& path, const Clock& clock);

  /// True if the serial is revoked. Reads the file again if it has changed; while it cannot be read, its last valid
  /// content counts.
  bool Contains(std::string_view serial);

 private:
  RevocationList(const std::string& path, const Clock& clock);

  Mutex mutex_;
  std::set<std::string, std::less<>> serials_ ABSL_GUARDED_BY(mutex_);
  std::optional<WatchedFile> file_ ABSL_GUARDED_BY(mutex_);
};

/// The interval, in seconds, at which the server reads its certificate's files, and gRPC reads `served_path`. A renewed
/// certificate is presented after at most two intervals.
inline constexpr unsigned kServedRefreshSeconds = 1;

/// The certificate that the server presents. A thread checks its files every second, and presents renewed ones as soon
/// as they can be used. Until then the problem is logged, and the old certificate stays. Thread-safe.
class CertificateWatch {
 public:
  /// Loads the files, and starts the thread. Returns the errors of LoadTlsFiles.
  static absl::StatusOr<std::unique_ptr<CertificateWatch>> Start(const TlsFiles& files);
  ~CertificateWatch();

  /// Returns the path of a file in memory with the presented certificate and its key in PEM, which only this process
  /// can open. A renewal replaces the file as a whole, with a modification time that differs by at least a second, so
  /// that gRPC notices it.
  const std::string& served_path() const { return served_path_; }

  /// Returns when the presented certificate expires, in Unix seconds.
  int64_t not_after() const;
  /// Returns why the present files cannot be used; empty if they can.
  std::string trouble() const;

 private:
  using Marks = std::array<FileMark, 3>;

  explicit CertificateWatch(TlsFiles files);
  Marks MarksOf() const;
  /// Presents the certificate from now on.
  absl::Status Serve(const LoadedTls& loaded);
  /// Loads the files if they have changed.
  void Refresh();
  /// Runs the thread.
  void Run();

  const TlsFiles files_;
  const Descriptor served_;
  const std::string served_path_;
  int64_t versions_ = 0;  // the number of presented certificates, which is the modification time of served_path_
  std::string served_text_;
  Marks seen_;     // the versions of the files at the last check
  Marks told_of_;  // the versions that are presented, or whose problem was logged
  mutable Mutex mutex_;
  int64_t not_after_ ABSL_GUARDED_BY(mutex_) = 0;
  std::string trouble_ ABSL_GUARDED_BY(mutex_);
  bool stopping_ ABSL_GUARDED_BY(mutex_) = false;
  std::thread thread_;
};

}  // namespace mmtune
