// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "worker/children/timing_gate.h"

#include <fcntl.h>
#include <stdlib.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <memory>
#include <thread>
#include <utility>
#include <vector>

#include "absl/strings/cord.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "proto/base/clock.h"
#include "proto/base/digest.h"
#include "proto/base/log.h"
#include "proto/base/status.h"
#include "proto/wire/convert.h"

namespace mmtune {
namespace {

constexpr Duration kFilePause = std::chrono::milliseconds(5);
const absl::Duration kPause = absl::Milliseconds(50);
constexpr Duration kSilence = std::chrono::seconds(2), kLogged = std::chrono::minutes(1);
constexpr char kUnknownHolder[] = "another process";
constexpr char kDeviceBusy[] = "mmtune/device-busy";

absl::Status Refused(const std::string& path, std::string_view why) {
  return FailedPrecondition(absl::StrCat(path, ": ", ToAbsl(why)));
}

bool IsOwnGroup(gid_t group) {
  if (group == getegid()) return true;
  std::vector<gid_t> groups(static_cast<size_t>(std::max(getgroups(0, nullptr), 0)));
  const int count = getgroups(static_cast<int>(groups.size()), groups.data());
  return count > 0 && std::find(groups.begin(), groups.begin() + count, group) != groups.begin() + count;
}

int OpenOrMake(const std::string& path) {
  // A file that is there is opened without O_CREAT: in a sticky folder only its owner could open it with that.
  for (int attempt = 0; attempt < 10; ++attempt) {
    int fd = open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
    if (fd >= 0 || errno != ENOENT) return fd;
    fd = open(path.c_str(), O_RDONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0640);
    if (fd >= 0 || errno != EEXIST) return fd;
  }
  return -1;
}

absl::Status Check(int fd, const std::string& path) {
  struct stat info;
  if (fstat(fd, &info) != 0) return Refused(path, strerror(errno));
  if (!S_ISREG(info.st_mode)) return Refused(path, "is not a regular file: remove it");
  const bool own = info.st_uid == geteuid();
  if (!own && !IsOwnGroup(info.st_gid)) return Refused(path, "belongs to another user: let its owner remove it");
  if ((info.st_mode & S_IRWXO) == 0) return absl::OkStatus();
  if (own && fchmod(fd, info.st_mode & (S_IRWXU | S_IRWXG)) == 0) return absl::OkStatus();
  return Refused(path, "can be locked by every user: remove it");
}

}  // namespace

absl::StatusOr<int> OpenLockFile(const std::string& path) {
  const int fd = OpenOrMake(path);
  if (fd < 0) return Refused(path, errno == ELOOP ? "is a link: remove it" : strerror(errno));
  if (absl::Status status = Check(fd, path); !status.ok()) {
    close(fd);
    return status;
  }
  return fd;
}

std::string LockHolder(int fd) {
  struct stat info;
  if (fstat(fd, &info) != 0) return kUnknownHolder;
  // "1: FLOCK  ADVISORY  WRITE 123 fe:00:10952822 0 EOF"
  char file[64];
  std::snprintf(file, sizeof file, " %02x:%02x:%llu ", major(info.st_dev), minor(info.st_dev),
                static_cast<unsigned long long>(info.st_ino));
  int holder = 0, holders = 0;
  std::ifstream locks("/proc/locks");
  for (std::string line; std::getline(locks, line);) {
    const std::vector<std::string> words = absl::StrSplit(line, ' ', absl::SkipEmpty());
    int pid = 0;
    if (line.find(file) == std::string::npos || words.size() < 5 || words[1] != "FLOCK") continue;
    if (!absl::SimpleAtoi(words[4], &pid)) continue;
    if (holders++ == 0) holder = pid;
  }
  if (holder <= 0) return kUnknownHolder;
  std::string name;
  std::getline(std::ifstream(absl::StrCat("/proc/", holder, "/comm")) >> std::ws, name);
  return absl::StrCat("process ", holder, name.empty() ? "" : absl::StrCat(" (", name, ")"),
                      holders > 1 ? absl::StrCat(" and ", holders - 1, " more") : "");
}

bool IsLockFolder(const std::string& folder) {
  struct stat info;
  if (folder.empty() || folder[0] != '/' || stat(folder.c_str(), &info) != 0 || !S_ISDIR(info.st_mode)) return false;
  if (info.st_uid != 0 && info.st_uid != geteuid()) return false;
  return (info.st_mode & (S_IWGRP | S_IWOTH)) == 0 || (info.st_mode & S_ISVTX) != 0;
}

std::vector<std::string> LockFolders() {
  std::vector<std::string> folders = {"/run/lock"};
  if (const char* runtime = getenv("XDG_RUNTIME_DIR")) folders.emplace_back(runtime);
  std::erase_if(folders, [](const std::string& folder) { return !IsLockFolder(folder); });
  return folders;
}

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

std::string TimingGate::DeviceHolder() const {
  absl::StatusOr<int> device = OpenLockFile(lock_path_);
  if (!device.ok()) return kUnknownHolder;
  std::string holder = LockHolder(*device);
  close(*device);
  return holder;
}

int TimingGate::LockFile(const std::string& path, int operation, absl::FunctionRef<bool()> give_up, Pass& pass) {
  absl::StatusOr<int> file = OpenLockFile(path);
  if (!file.ok()) {
    if (!told_no_lock_.exchange(true)) LogWarning("no_device_lock", {{"error", ToStd(file.status().message())}});
    return -1;
  }
  const TimePoint start = Clock::Real().Now();
  Duration told = Duration::zero();
  while (flock(*file, operation | LOCK_NB) != 0) {
    const Duration waited = Clock::Real().Now() - start;
    const bool too_long = waited >= longest_wait_;
    if (too_long) pass.held_by_ = DeviceHolder();
    if (too_long || give_up()) {
      pass.given_up_ = true;
      close(*file);
      return -1;
    }
    if (waited >= (told == Duration::zero() ? kSilence : told + kLogged)) {
      told = waited;
      LogWarning(kWaitsForDevice, {{"held_by", DeviceHolder()}, {"lock", path}});
    }
    std::this_thread::sleep_for(kFilePause);
  }
  return *file;
}

TimingGate::Pass TimingGate::EnterFiles(bool exclusive, absl::FunctionRef<bool()> give_up) {
  Pass pass;
  pass.place_ = std::make_unique<Pass::Place>(this, exclusive);
  if (lock_path_.empty()) return pass;
  const int operation = exclusive ? LOCK_EX : LOCK_SH;
  const int turnstile = LockFile(TurnstilePath(lock_path_), operation, give_up, pass);
  if (!pass.given_up_) pass.place_->fd = LockFile(lock_path_, operation, give_up, pass);
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
  Pass pass;
  {
    absl::MutexLock lock(&mutex_);
    pass.given_up_ = !AwaitUnless(give_up, &TimingGate::SharedMayEnter);
    if (pass.given_up_) return pass;
    ++sharing_;
  }
  return EnterFiles(/*exclusive=*/false, give_up);
}

TimingGate::Pass TimingGate::EnterTiming(absl::FunctionRef<bool()> give_up) {
  Pass pass;
  {
    absl::MutexLock lock(&mutex_);
    ++timings_waiting_;
    pass.given_up_ = !AwaitUnless(give_up, &TimingGate::TimingMayEnter);
    --timings_waiting_;
    if (pass.given_up_) return pass;
    timing_ = true;
  }
  return EnterFiles(/*exclusive=*/true, give_up);
}

TimingGate::Pass::Place::~Place() {
  if (fd >= 0) close(fd);  // also unlocks
  absl::MutexLock lock(&gate->mutex_);
  if (exclusive) {
    gate->timing_ = false;
  } else {
    --gate->sharing_;
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
  LogWarning("no_device_lock", {{"error",
                                 "neither /run/lock nor $XDG_RUNTIME_DIR can hold the lock of the device: others may "
                                 "measure on it at the same time"}});
  return "";
}

absl::Status DeviceBusy(const std::string& held_by, Duration waited) {
  absl::Status status = Unavailable(absl::StrCat("the device is held by ", held_by, ", for longer than the ",
                                                 Seconds(waited), " s of --wait: stop that process, or wait longer"));
  status.SetPayload(kDeviceBusy, absl::Cord());
  return status;
}

bool IsDeviceBusy(const absl::Status& status) { return status.GetPayload(kDeviceBusy).has_value(); }

}  // namespace mmtune
