// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "server/coordinator/log_outage.h"

#include <algorithm>

#include "proto/base/log.h"

namespace mmtune {
namespace {

constexpr Duration kFirstPause = std::chrono::milliseconds(50);
constexpr Duration kLongestPause = std::chrono::seconds(1);
constexpr int64_t kMostDoublings = 10;
// Workers ask again every 10 s at the latest.
constexpr Duration kOver = std::chrono::seconds(15);

}  // namespace

void LogOutage::Failed(const absl::Status& why) {
  MutexLock lock(&mutex_);
  last_ = clock_.Now();
  last_failed_ = true;
  ++failures_;
  if (!why_.ok()) return;
  why_ = why;
  first_ = last_;
  LogWarning("the tuning log cannot be written: trying on", {{"why", why.message()}});
}

void LogOutage::Lost(const absl::Status& why) {
  MutexLock lock(&mutex_);
  why_ = why;
  lost_ = true;
}

bool LogOutage::active() const {
  MutexLock lock(&mutex_);
  return !why_.ok();
}

void LogOutage::Succeeded(bool wrote) {
  MutexLock lock(&mutex_);
  last_failed_ = false;
  if (why_.ok() || (!wrote && clock_.Now() - last_ < kOver)) return;
  LogInfo("the tuning log can be written again", {{"attempts_failed", failures_}});
  why_ = absl::OkStatus();
  failures_ = 0;
}

Duration LogOutage::Pause() const {
  MutexLock lock(&mutex_);
  if (!last_failed_) return Duration::zero();
  return std::min(kLongestPause, kFirstPause * (int64_t{1} << std::min(failures_ - 1, kMostDoublings)));
}

absl::Status LogOutage::Status(Duration at_least) const {
  MutexLock lock(&mutex_);
  return lost_ || (!why_.ok() && last_ - first_ >= at_least) ? why_ : absl::OkStatus();
}

}  // namespace mmtune
