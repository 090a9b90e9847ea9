// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "db/log_lock.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cstring>
#include <optional>
#include <thread>
#include <utility>

#include "absl/strings/cord.h"
#include "absl/strings/str_cat.h"
#include "nlohmann/json.hpp"
#include "proto/base/status.h"
#include "proto/base/whole_file.h"

namespace mmtune {
namespace {

// An owner writes its content right after it has taken the lock: a second opener may read before that.
constexpr int kOwnerReads = 50;
constexpr std::chrono::milliseconds kOwnerReadPause{10};

/// The first characters that WriteOwner writes; a crash may have cut it short, a power cut may have left zeros.
constexpr std::string_view kContentBegins = "{\"endpoint\":";
constexpr off_t kMaxContent = 4096;
constexpr char kOpeningPayload[] = "mmtune/log-being-opened";

/// Returns true if this program wrote the file, so that it may be emptied; somebody else may have given it this name.
bool IsOurs(int fd) {
  struct stat info;
  if (fstat(fd, &info) != 0 || !S_ISREG(info.st_mode) || info.st_size > kMaxContent) return false;
  char content[kContentBegins.size()];
  const ssize_t size = pread(fd, content, sizeof(content), 0);
  if (size < 0) return false;
  const std::string_view begins(content, static_cast<size_t>(size));
  return kContentBegins.starts_with(begins) || begins.find_first_not_of('\0') == begins.npos;
}

absl::Status NotOurs(const std::string& lock_path) {
  return FailedPrecondition(absl::StrCat(lock_path,
                                         " is not a lock file that mmtune wrote, but a link, another kind of "
                                         "file, or somebody's data; move it away"));
}

std::optional<LockOwner> ReadOwner(int fd) {
  char content[4096];
  const ssize_t size = pread(fd, content, sizeof(content), 0);
  if (size <= 0) return std::nullopt;
  return ParseLockOwner({content, static_cast<size_t>(size)});
}

/// Content left by an owner that was killed must not be taken for that of the present one.
bool MayBeAlive(const LockOwner& owner, const std::string& this_host) {
  if (owner.host != this_host) return true;
  return owner.pid > 0 && (kill(static_cast<pid_t>(owner.pid), 0) == 0 || errno == EPERM);
}

std::optional<LockOwner> WaitForOwner(int fd) {
  std::string host = HostName();
  for (int read = 0; read < kOwnerReads; ++read) {
    if (read > 0) std::this_thread::sleep_for(kOwnerReadPause);
    std::optional<LockOwner> owner = ReadOwner(fd);
    if (owner && MayBeAlive(*owner, host)) return owner;
  }
  return std::nullopt;
}

absl::Status LockedBy(const std::string& log_path, const std::optional<LockOwner>& owner) {
  if (owner && owner->opening) {
    absl::Status status = Unavailable(absl::StrCat(log_path, " is being checked by process ", owner->pid, " on ",
                                                   owner->host, "; try again when that has ended"));
    status.SetPayload(kOpeningPayload, absl::Cord());
    return status;
  }
  std::string who = "another process";
  if (owner) {
    who = absl::StrCat("process ", owner->pid, " on ", owner->host);
    if (!owner->endpoint.empty()) absl::StrAppend(&who, " serving ", owner->endpoint);
  }
  return Unavailable(absl::StrCat(log_path, " is in use by ", who, "; connect to it, stop it, or name another log"));
}

absl::Status WriteOwner(int fd, const std::string& lock_path, const std::string& endpoint, bool opening) {
  nlohmann::json owner = {{"endpoint", endpoint}, {"host", HostName()}, {"pid", getpid()}};
  if (opening) owner["opening"] = true;
  std::string content = owner.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
  content += '\n';
  if (ftruncate(fd, 0) == 0 && pwrite(fd, content.data(), content.size(), 0) == static_cast<ssize_t>(content.size())) {
    return absl::OkStatus();
  }
  if (errno == ENOSPC) return ResourceExhausted(absl::StrCat("the disk of ", lock_path, " is full; free some space"));
  return Internal(absl::StrCat("cannot write ", lock_path, ": ", strerror(errno)));
}

}  // namespace

std::optional<LockOwner> ParseLockOwner(std::string_view content) {
  const nlohmann::json json = nlohmann::json::parse(content, nullptr, /*allow_exceptions=*/false);
  if (!json.is_object()) return std::nullopt;
  const auto text = [&json](const char* key) {
    return json.contains(key) && json[key].is_string() ? json[key].get<std::string>() : std::string();
  };
  LockOwner owner;
  if (json.contains("pid") && json["pid"].is_number_integer()) owner.pid = json["pid"].get<int64_t>();
  owner.host = text("host");
  owner.endpoint = text("endpoint");
  owner.opening = json.contains("opening");
  return owner;
}

std::string HostName() {
  char name[256] = {};
  if (gethostname(name, sizeof(name) - 1) != 0) return "unknown";
  return name;
}

absl::StatusOr<LogLock> LogLock::Acquire(const std::string& log_path, const std::string& endpoint,
                                         std::string* owner_endpoint) {
  std::string lock_path = log_path + ".lock";
  for (;;) {
    // Do not follow a link, and do not wait for the other end of a pipe.
    int fd = open(lock_path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY, 0644);
    if (fd < 0) {
      if (errno == ELOOP || errno == EISDIR || errno == ENXIO) return NotOurs(lock_path);
      std::string message = absl::StrCat("cannot write ", lock_path, ": ", strerror(errno));
      if (errno == EACCES || errno == EPERM || errno == EROFS) {
        return absl::PermissionDeniedError(absl::StrCat(message, "; check the modes of the log's directory"));
      }
      return errno == ENOSPC ? ResourceExhausted(message) : FailedPrecondition(message);
    }
    if (!IsOurs(fd)) {
      close(fd);
      return NotOurs(lock_path);
    }
    if (flock(fd, LOCK_EX | LOCK_NB) == 0) {
      LogLock lock(fd);
      if (!IsNamed(fd, lock_path)) continue;  // removed by its owner, after it was opened here
      RETURN_IF_ERROR(WriteOwner(fd, lock_path, endpoint, /*opening=*/true));
      return lock;
    }
    int error = errno;
    std::optional<LockOwner> owner;
    if (error == EWOULDBLOCK) owner = WaitForOwner(fd);
    close(fd);
    if (error != EWOULDBLOCK) return Internal(absl::StrCat("cannot lock ", lock_path, ": ", strerror(error)));
    if (owner && owner_endpoint != nullptr) *owner_endpoint = owner->endpoint;
    return LockedBy(log_path, owner);
  }
}

void LogLock::Remove(const std::string& log_path) const {
  const std::string lock_path = log_path + ".lock";
  if (IsNamed(fd_, lock_path)) unlink(lock_path.c_str());
}

absl::Status LogLock::MarkOpened(const std::string& log_path, const std::string& endpoint) const {
  return WriteOwner(fd_, log_path + ".lock", endpoint, /*opening=*/false);
}

bool IsBeingOpened(const absl::Status& status) { return status.GetPayload(kOpeningPayload).has_value(); }

LogLock::LogLock(LogLock&& other) noexcept : fd_(std::exchange(other.fd_, -1)) {}

LogLock::~LogLock() {
  if (fd_ < 0) return;
  [[maybe_unused]] int ignored = ftruncate(fd_, 0);
  close(fd_);
}

}  // namespace mmtune
