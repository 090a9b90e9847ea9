// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Runs the blocks of a launch, one at a time.
#pragma once

#include <cstdint>
#include <optional>

#include "absl/status/status.h"
#include "kernels/runtime/simt/block/block.h"
#include "kernels/runtime/simt/block/block_failure.h"
#include "kernels/runtime/simt/block/launch_job.h"
#include "kernels/runtime/simt/ops/block_ops.h"

namespace mmtune::simt {

/// A block and its operations. Used by one OS thread at a time.
class BlockRunner {
 public:
  explicit BlockRunner(FiberKind kind) : block_(kind) {}
  BlockRunner(const BlockRunner&) = delete;
  BlockRunner& operator=(const BlockRunner&) = delete;

  /// Before the blocks of `job`, which must outlive them.
  absl::Status Prepare(const LaunchJob& job);

  /// Runs block `index` (x fastest) to its end or its first failure, after which the runner is as good as new.
  std::optional<BlockFailure> RunBlock(uint64_t index);

 private:
  Block block_;
  BlockOps ops_;
};

}  // namespace mmtune::simt
