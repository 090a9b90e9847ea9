// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "db/aborted_retry.h"

#include <chrono>
#include <cstdint>
#include <random>
#include <thread>

namespace mmtune {
namespace {

constexpr int kMostAttempts = 6;

/// Returns a random pause of up to 10 ms, and up to twice as long after each attempt.
std::chrono::microseconds RetryPause(int attempt) {
  thread_local std::minstd_rand random{std::random_device{}()};
  return std::chrono::microseconds(std::uniform_int_distribution<int64_t>(0, int64_t{10'000} << (attempt - 1))(random));
}

}  // namespace

bool AbortedRetry::RetryAfter(const absl::Status& status) {
  if (!absl::IsAborted(status) || ++attempts_ == kMostAttempts) return false;
  std::this_thread::sleep_for(RetryPause(attempts_));
  return true;
}

}  // namespace mmtune
