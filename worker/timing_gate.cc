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
const absl::Duration kPause = absl::Milliseconds(50);
constexpr Duration kLogged = std::chrono::minutes(1);
constexpr int kNoFile = -1, kGivenUp = -2;

// Another user may have made the file: in a sticky folder it can then only be opened without O_CREAT.
int OpenLockFile(const std::string& path) {
  int fd = open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
  if (fd >= 0 || errno != ENOENT) return fd;
  fd = open(path.c_str(), O_RDONLY | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0644);
  return fd;
}

/// The locked file, or kNoFile: it cannot be opened, or kGivenUp.
int LockFile(const std::string& path, int operation, absl::FunctionRef<bool()> give_up) {
  int fd = OpenLockFile(path);
  if (fd < 0) return kNoFile;
  TimePoint logged = Clock::Real().Now();
  while (flock(fd, operation | LOCK_NB) != 0) {
    if (give_up()) {
      close(fd);
      return kGivenUp;
    }
    if (Clock::Real().Now() - logged >= kLogged) {
      LogWarning("device_lock_busy", {{"path", path}});
      logged = Clock::Real().Now();
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

int TimingGate::EnterFile(int operation, absl::FunctionRef<bool()> give_up) {
  if (lock_path_.empty()) return kNoFile;
  const int turnstile = LockFile(TurnstilePath(lock_path_), operation, give_up);
  if (turnstile == kGivenUp) return kGivenUp;
  const int file = LockFile(lock_path_, operation, give_up);
  if (turnstile >= 0) close(turnstile);
  return file;
}

bool TimingGate::AwaitUnless(absl::FunctionRef<bool()> give_up, bool (TimingGate::*may_enter)() const) {
  auto condition = [this, may_enter]() ABSL_NO_THREAD_SAFETY_ANALYSIS { return (this->*may_enter)(); };
  while (!mutex_.AwaitWithTimeout(absl::Condition(&condition), kPause)) {
    if (give_up()) return false;
  }
  return true;
}

TimingGate::Pass TimingGate::EnterShared(absl::FunctionRef<bool()> give_up) {
  {
    absl::MutexLock lock(&mutex_);
    if (!AwaitUnless(give_up, &TimingGate::SharedMayEnter)) return Pass(nullptr, false, kGivenUp);
    ++sharing_;
  }
  return Pass(this, false, EnterFile(LOCK_SH, give_up));
}

TimingGate::Pass TimingGate::EnterTiming(absl::FunctionRef<bool()> give_up) {
  {
    absl::MutexLock lock(&mutex_);
    ++timings_waiting_;
    const bool may_enter = AwaitUnless(give_up, &TimingGate::TimingMayEnter);
    --timings_waiting_;
    if (!may_enter) return Pass(nullptr, true, kGivenUp);
    timing_ = true;
  }
  return Pass(this, true, EnterFile(LOCK_EX, give_up));
}

bool TimingGate::Pass::given_up() const { return fd_ == kGivenUp; }

TimingGate::Pass::Pass(Pass&& other) noexcept
    : gate_(std::exchange(other.gate_, nullptr)),
      exclusive_(other.exclusive_),
      fd_(std::exchange(other.fd_, kNoFile)) {}

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
    --gate_->sharing_;
  }
}

std::string TurnstilePath(const std::string& lock_path) { return absl::StrCat(lock_path, ".turn"); }

std::string DeviceLockPath(const std::string& device_uuid) {
  return absl::StrCat("/tmp/mmtune-device-", Sha256Hex(device_uuid).substr(0, 16), ".lock");
}

}  // namespace mmtune
