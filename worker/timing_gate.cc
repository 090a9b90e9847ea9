#include "worker/timing_gate.h"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <thread>
#include <utility>

#include "absl/strings/str_cat.h"
#include "proto/base/clock.h"
#include "proto/base/digest.h"
#include "proto/base/log.h"

namespace mmtune {
namespace {

constexpr Duration kFilePause = std::chrono::milliseconds(5);
constexpr Duration kFileLimit = std::chrono::minutes(1);

// Another user may have made the file: in a sticky folder it can then only be opened without O_CREAT.
int OpenLockFile(const std::string& path) {
  int fd = open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
  if (fd >= 0 || errno != ENOENT) return fd;
  fd = open(path.c_str(), O_RDONLY | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0644);
  return fd;
}

/// The locked file, or -1: it cannot be opened, `give_up` is past (a warning is logged), or `stop` is raised to kNow.
int LockFile(const std::string& path, int operation, TimePoint give_up, const StopToken* stop) {
  int fd = OpenLockFile(path);
  if (fd < 0) return -1;
  while (flock(fd, operation | LOCK_NB) != 0) {
    const bool stopped = stop != nullptr && stop->now();
    if (stopped || Clock::Real().Now() >= give_up) {
      if (!stopped) LogWarning("device_lock_busy", {{"path", path}});
      close(fd);
      return -1;
    }
    std::this_thread::sleep_for(kFilePause);
  }
  return fd;
}

}  // namespace

TimingGate::TimingGate(std::string lock_path) : lock_path_(std::move(lock_path)) {
  if (lock_path_.empty()) return;
  int fd = OpenLockFile(lock_path_);
  if (fd >= 0) {
    close(fd);
    return;
  }
  LogWarning("no_device_lock", {{"path", lock_path_}, {"error", std::string_view(strerror(errno))}});
  lock_path_.clear();
}

int TimingGate::EnterFile(int operation, const StopToken* stop) {
  if (lock_path_.empty()) return -1;
  const TimePoint give_up = Clock::Real().Now() + kFileLimit;
  const int turnstile = LockFile(TurnstilePath(lock_path_), operation, give_up, stop);
  const int file = LockFile(lock_path_, operation, give_up, stop);
  if (turnstile >= 0) close(turnstile);
  return file;
}

TimingGate::Pass TimingGate::EnterCompile(const StopToken* stop) {
  {
    absl::MutexLock lock(&mutex_);
    mutex_.Await(absl::Condition(
        +[](TimingGate* gate) ABSL_NO_THREAD_SAFETY_ANALYSIS { return gate->CompileMayEnter(); }, this));
    ++compiling_;
  }
  return Pass(this, false, EnterFile(LOCK_SH, stop));
}

TimingGate::Pass TimingGate::EnterTiming(const StopToken* stop) {
  {
    absl::MutexLock lock(&mutex_);
    ++timings_waiting_;
    mutex_.Await(
        absl::Condition(+[](TimingGate* gate) ABSL_NO_THREAD_SAFETY_ANALYSIS { return gate->TimingMayEnter(); }, this));
    --timings_waiting_;
    timing_ = true;
  }
  return Pass(this, true, EnterFile(LOCK_EX, stop));
}

TimingGate::Pass::Pass(Pass&& other) noexcept
    : gate_(std::exchange(other.gate_, nullptr)), exclusive_(other.exclusive_), fd_(std::exchange(other.fd_, -1)) {}

TimingGate::Pass& TimingGate::Pass::operator=(Pass&& other) noexcept {
  std::swap(gate_, other.gate_);
  std::swap(exclusive_, other.exclusive_);
  std::swap(fd_, other.fd_);
  return *this;
}

TimingGate::Pass::~Pass() {
  if (gate_ == nullptr) return;
  if (fd_ >= 0) close(fd_);  // also unlocks
  absl::MutexLock lock(&gate_->mutex_);
  if (exclusive_) {
    gate_->timing_ = false;
  } else {
    --gate_->compiling_;
  }
}

std::string TurnstilePath(const std::string& lock_path) { return absl::StrCat(lock_path, ".turn"); }

std::string DeviceLockPath(const std::string& device_uuid) {
  return absl::StrCat("/tmp/mmtune-device-", Sha256Hex(device_uuid).substr(0, 16), ".lock");
}

}  // namespace mmtune
