// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What profile mode counts of one program point.
#pragma once

#include <cstdint>
#include <string>

namespace mmtune::simt {

/// What is done there.
enum class PointKind {
  kSharedLoad,
  kSharedStore,
  kSharedAtomic,
  kGlobalLoad,
  kGlobalStore,
  kGlobalAtomic,
  kBarrier,
  kBranch
};

/// Of the warps of all launches. Operations of one kind, operation, location and width are one point. cp.async is two:
/// a load of global and a store of shared memory.
struct PointCounters {
  PointKind kind = PointKind::kSharedLoad;
  std::string operation;    ///< "llvm.load", "nvvm.ldmatrix", ….
  std::string location;     ///< "load the A tile", "kernel.mlir:12:5".
  uint32_t lane_bytes = 0;  ///< That a lane accesses with one instruction; 0 for barriers, branches, and bulk copies.

  uint64_t executions = 0;  ///< Instructions of warps.
  uint64_t bytes = 0;       ///< That lanes ask for.
  uint64_t units = 0;       ///< Wavefronts of shared memory, sectors of global memory (warp_request.h).
  uint64_t ideal = 0;       ///< Units without conflicts, or of bytes side by side.
  uint64_t merged = 0;      ///< Of shared memory: SharedCost::merged.
  uint64_t divergent = 0;   ///< Branches that some lanes of a warp take and others do not.

  bool IsShared() const { return kind <= PointKind::kSharedAtomic; }
  bool IsGlobal() const { return kind > PointKind::kSharedAtomic && kind <= PointKind::kGlobalAtomic; }
};

}  // namespace mmtune::simt
