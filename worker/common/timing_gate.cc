// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "worker/common/timing_gate.h"

#include <sys/file.h>
#include <unistd.h>

#include <thread>
#include <utility>

#include "absl/strings/cord.h"
#include "absl/strings/str_cat.h"
#include "proto/base/clock.h"
#include "proto/base/digest.h"
#include "proto/base/log.h"
#include "proto/base/seconds.h"
#include "proto/base/status.h"
#include "proto/wire/protocol.h"

namespace mmtune {
namespace {

constexpr Duration kFilePause = std::chrono::milliseconds(5);
const absl::Duration kPause = absl::Milliseconds(50);
constexpr Duration kSilence = std::chrono::seconds(2), kLogged = std::chrono::minutes(1);
constexpr int kNoFile = -1, kGivenUp = -2;
constexpr char kDeviceBusy[] = "mmtune/device-busy";

}  // namespace

TimingGate::TimingGate(std::string lock_path, Duration longest_wait)
    : lock_path_(std::move(lock_path)), longest_wait_(longest_wait) {
  if (lock_path_.empty()) return;
  absl::StatusOr<int> fd = OpenLockFile(lock_path_);
  if (fd.ok()) {
    close(*fd);
    return;
  }
  LogWarning("no_device_lock", {{"error", ToStd(fd.status().message())}});
  lock_path_.clear();
}

int TimingGate::LockFile(const std::string& path, int operation, absl::FunctionRef<bool()> give_up,
                         std::string& held_by) {
  absl::StatusOr<int> file = OpenLockFile(path);
  if (!file.ok()) {
    if (!told_no_lock_.exchange(true)) LogWarning("no_device_lock", {{"error", ToStd(file.status().message())}});
    return kNoFile;
  }
  const TimePoint start = Clock::Real().Now();
  Duration told = Duration::zero();
  while (flock(*file, operation | LOCK_NB) != 0) {
    const Duration waited = Clock::Real().Now() - start;
    const bool too_long = waited >= longest_wait_;
    if (too_long) held_by = LockHolder(*file);
    if (too_long || give_up()) {
      close(*file);
      return kGivenUp;
    }
    if (waited >= (told == Duration::zero() ? kSilence : told + kLogged)) {
      told = waited;
      LogWarning(kWaitsForDevice, {{"held_by", LockHolder(*file)}, {"lock", path}});
    }
    std::this_thread::sleep_for(kFilePause);
  }
  return *file;
}

TimingGate::Pass TimingGate::EnterFiles(bool exclusive, absl::FunctionRef<bool()> give_up) {
  Pass pass(this, exclusive, kNoFile);
  if (lock_path_.empty()) return pass;
  const int operation = exclusive ? LOCK_EX : LOCK_SH;
  const int turnstile = LockFile(TurnstilePath(lock_path_), operation, give_up, pass.held_by_);
  pass.fd_ = turnstile == kGivenUp ? kGivenUp : LockFile(lock_path_, operation, give_up, pass.held_by_);
  if (turnstile >= 0) close(turnstile);
  return pass;
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
  return EnterFiles(/*exclusive=*/false, give_up);
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
  return EnterFiles(/*exclusive=*/true, give_up);
}

bool TimingGate::Pass::given_up() const { return fd_ == kGivenUp; }

TimingGate::Pass::Pass(Pass&& other) noexcept
    : gate_(std::exchange(other.gate_, nullptr)),
      exclusive_(other.exclusive_),
      fd_(std::exchange(other.fd_, kNoFile)),
      held_by_(std::move(other.held_by_)) {}

TimingGate::Pass& TimingGate::Pass::operator=(Pass&& other) noexcept {
  std::swap(gate_, other.gate_);
  std::swap(exclusive_, other.exclusive_);
  std::swap(fd_, other.fd_);
  std::swap(held_by_, other.held_by_);
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

std::string DeviceLockPath(const std::string& device_uuid, const std::vector<std::string>& folders) {
  const std::string name = absl::StrCat("/mmtune-device-", Sha256Hex(device_uuid).substr(0, 16), ".lock");
  for (const std::string& folder : folders) {
    std::string path = folder + name;
    absl::Status usable;
    for (const std::string& file : {path, TurnstilePath(path)}) {
      absl::StatusOr<int> fd = OpenLockFile(file);
      if (fd.ok()) close(*fd);
      usable.Update(fd.status());
    }
    if (usable.ok()) return path;
    LogWarning("device_lock_refused", {{"error", ToStd(usable.message())}});
  }
  LogWarning("no_device_lock", {{"error", "no folder for it: /run/lock, $XDG_RUNTIME_DIR"}});
  return "";
}

absl::Status DeviceBusy(const std::string& held_by, Duration waited) {
  absl::Status status = Unavailable(absl::StrCat("the device is held by ", held_by, ", for longer than the ",
                                                 Seconds(waited), " s of --wait: stop that, or wait longer"));
  status.SetPayload(kDeviceBusy, absl::Cord());
  return status;
}

bool IsDeviceBusy(const absl::Status& status) { return status.GetPayload(kDeviceBusy).has_value(); }

}  // namespace mmtune
