// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The state of a worker in a word, as tables and metrics say it.
#pragma once

#include <string_view>

#include "mmtune/v1/tuning.pb.h"

namespace mmtune {

inline constexpr std::string_view kWorkerStates[] = {"ready", "draining", "silent"};

/// One of kWorkerStates.
inline std::string_view WorkerStateName(const v1::WorkerStatus& worker) {
  if (worker.draining()) return "draining";
  return worker.live() ? "ready" : "silent";
}

}  // namespace mmtune
