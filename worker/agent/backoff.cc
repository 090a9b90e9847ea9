// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "worker/agent/backoff.h"

#include <algorithm>

#include "absl/time/time.h"
#include "proto/base/seconds.h"

namespace mmtune {
namespace {

constexpr double kBaseSeconds = 0.2;
constexpr double kCapSeconds = 10;
constexpr double kLeastSeconds = 0.02;
constexpr int kMaxDoublings = 8;

}  // namespace

Duration Backoff::Next() {
  const double cap = std::min(kCapSeconds, kBaseSeconds * (1 << std::min(failures_, kMaxDoublings)));
  ++failures_;
  const double seconds = std::uniform_real_distribution<double>(kLeastSeconds, cap)(random_);
  return FromSeconds(seconds);
}

bool StopSignal::Sleep(Duration duration) const {
  absl::MutexLock lock(&mutex_);
  return mutex_.AwaitWithTimeout(absl::Condition(&raised_), absl::FromChrono(duration));
}

}  // namespace mmtune
