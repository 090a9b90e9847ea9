// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The state of a worker in a word, as tables and metrics say it.
#pragma once

#include <string_view>

#include "mmtune/v1/tuning.pb.h"

namespace mmtune {

inline constexpr std::string_view kWorkerStates[] = {"ready",    "draining", "silent",
                                                     "cordoned", "drained",  "quarantined"};

/// "unknown" for a hold of a newer server.
inline std::string_view HoldName(v1::WorkerHold hold) {
  switch (hold) {
    case v1::WORKER_HOLD_NONE:
      return "none";
    case v1::WORKER_HOLD_CORDONED:
      return "cordoned";
    case v1::WORKER_HOLD_DRAINED:
      return "drained";
    case v1::WORKER_HOLD_QUARANTINED:
      return "quarantined";
    default:
      return "unknown";
  }
}

/// One of kWorkerStates, or "unknown".
inline std::string_view WorkerStateName(const v1::WorkerStatus& worker) {
  if (worker.hold() != v1::WORKER_HOLD_NONE) return HoldName(worker.hold());
  if (worker.draining()) return "draining";
  return worker.live() ? "ready" : "silent";
}

}  // namespace mmtune
