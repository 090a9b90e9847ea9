// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Small changes of a GPU kernel that a programmer's slip could have made.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "mlir/Dialect/GPU/IR/GPUDialect.h"

namespace mmtune {

enum class MutationKind {
  kRemoveBarrier,    ///< A barrier of the block or the warp.
  kRemoveWait,       ///< A wait for asynchronous copies, an mbarrier or a wgmma group.
  kWeakenWait,       ///< A wait that leaves one group more unfinished.
  kRemoveCommit,     ///< The operation that makes copies or wgmmas a group.
  kRemoveArrive,     ///< An arrival at an mbarrier.
  kFlipParity,       ///< The parity of an mbarrier's wait.
  kChangeCount,      ///< An mbarrier's count of arrivals or bytes, or a copy's bytes, one unit more or less.
  kRemoveFence,      ///< fence.proxy.async, fence.mbarrier_init, wgmma.fence, fence.acq_rel.
  kWeakenPredicate,  ///< `<` is `<=` and the like.
  kForcePredicate,   ///< Always true.
  kLengthenLoop,     ///< One turn more.
  kShiftAddress,     ///< An index of an address, a coordinate or a descriptor is one more.
  kDropTerm,         ///< An operand of a sum or product in an address is left out.
  kRemoveStore,      ///< A store or an asynchronous copy.
  kRemoveProduct,    ///< An mma.sync adds nothing to the sums.
};
inline constexpr size_t kMutationKinds = static_cast<size_t>(MutationKind::kRemoveProduct) + 1;

/// "remove-barrier", …
std::string_view MutationName(MutationKind kind);

/// True if the change removes an order between threads, rather than changing values or addresses.
bool IsSynchronization(MutationKind kind);

struct Mutation {
  MutationKind kind;
  size_t op = 0;      ///< Number of the operation in the order of a walk over the module.
  int variant = 0;    ///< Which of the changes of this kind at the operation.
  std::string where;  ///< The operation and its location, for people.
};

/// Every mutation of the kernels in `module`, which are in the LLVM, NVVM and arith dialects with structured or plain
/// control flow. In the order of a walk, so equal modules have equal lists.
std::vector<Mutation> FindMutations(mlir::gpu::GPUModuleOp module);

/// Applies one to a module equal to the one it was found in.
void ApplyMutation(mlir::gpu::GPUModuleOp module, const Mutation& mutation);

}  // namespace mmtune
