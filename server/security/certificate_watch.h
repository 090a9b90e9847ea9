// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The server's certificate as it is served: files are looked at every second, and what is in them takes the place of
// what is served once it can be used. A certificate that cannot be used is a line in the log, and the old one stays.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <thread>

#include "absl/status/statusor.h"
#include "proto/base/whole_file.h"
#include "proto/base/mutex.h"
#include "proto/tls/tls_files.h"
#include "server/security/watched_file.h"

namespace mmtune {

/// How often gRPC looks at `served_path`, and we at the files: both together take 2 s.
inline constexpr unsigned kServedRefreshSeconds = 1;

/// Thread-safe.
class CertificateWatch {
 public:
  /// Fails as CheckTlsFiles does.
  static absl::StatusOr<std::unique_ptr<CertificateWatch>> Start(const TlsFiles& files);
  ~CertificateWatch();

  /// A file in memory, of this process alone, with the certificates that are served and their key (PEM). It is replaced
  /// as a whole, and then has another time of modification, in seconds.
  const std::string& served_path() const { return served_path_; }

  /// When the served certificate expires, in seconds since 1970.
  int64_t not_after() const;
  /// Why what is in the files is not served; empty: it is.
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
  int64_t versions_ = 0;  // of what is served: its time of modification
  std::string served_text_;
  Marks seen_;     // of the files at the last look
  Marks told_of_;  // of those that the log has a line about
  mutable Mutex mutex_;
  int64_t not_after_ ABSL_GUARDED_BY(mutex_) = 0;
  std::string trouble_ ABSL_GUARDED_BY(mutex_);
  bool stopping_ ABSL_GUARDED_BY(mutex_) = false;
  std::thread thread_;
};

}  // namespace mmtune
