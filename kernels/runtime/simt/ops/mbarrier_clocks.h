// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Watched launches: what those who wait for an mbarrier learn.
#pragma once

#include "kernels/runtime/simt/block/monitor.h"

namespace mmtune::simt {

struct MbarrierClocks {
  uint32_t initialiser = 0;         ///< The thread that initialised it.
  bool is_seen_by_copies = false;   ///< It has executed a fence that asynchronous copies need.
  GpuThread* waited_for = nullptr;  ///< Who began a copy that nobody has waited for, at `copy_site`.
  uint32_t copy_site = 0;
  SyncClock arrived;    ///< Released by all who arrived, and by copies that completed bytes.
  SyncClock completed;  ///< `arrived` when the last phase completed.
};

}  // namespace mmtune::simt
