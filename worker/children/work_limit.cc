// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "worker/children/work_limit.h"

#include "absl/strings/str_cat.h"
#include "proto/base/status.h"

namespace mmtune {
namespace {

/// A child that works gets a larger part than 1 / this of a processor, however loaded the host is: at the lowest
/// priority beside 16 busy processes on 2 processors it was 1 / 120. One that hangs wakes up for less.
constexpr int kIdlePart = 1000;

}  // namespace

std::string SecondsText(Duration duration) {
  auto ms = std::chrono::round<std::chrono::milliseconds>(duration).count();
  return absl::StrCat(static_cast<double>(ms) / 1000, " s");
}

absl::Status WorkLimit::Check(TimePoint now, Duration cpu) {
  const Duration used = cpu - cpu_at_begin_;
  if (used >= limit_)
    return absl::DeadlineExceededError(absl::StrCat("no answer within ", SecondsText(limit_), " of CPU time"));
  if (cpu - cpu_when_worked_ >= limit_ / kIdlePart) {
    worked_ = now;
    cpu_when_worked_ = cpu;
  }
  if (now - worked_ >= limit_)
    return absl::DeadlineExceededError(
        absl::StrCat("no answer within ", SecondsText(limit_), ", in which the child itself did nothing"));
  if (now >= close_)
    return Unavailable(absl::StrCat("the host is too busy: ", SecondsText(used), " of CPU time for the child in ",
                                    SecondsText(now - begun_), ", and the lease closes"));
  return absl::OkStatus();
}

}  // namespace mmtune
