// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The table of kernel families: what has a line here can be searched, described, proven, compared
// on the ladder and emitted.
#pragma once

namespace mmtune {

class SpaceFamily;

/// One line a family: its name, in schedules as in logs, and its name in C++. In the order of the
/// documentation and of the ladder. For each there is
///   const SpaceFamily &GetDirectFamily();                                    kernels/families
///   void emitDirect(KernelBuilder &, const MatmulProblem &, const Schedule &);  kernels/families
/// and nothing links while one of them is missing.
#define MMTUNE_KERNEL_FAMILIES(FAMILY) \
  FAMILY(direct, Direct)               \
  FAMILY(fma, Fma)                     \
  FAMILY(mma, Mma)                     \
  FAMILY(gemv, Gemv)

#define MMTUNE_DECLARE_FAMILY(NAME, TITLE) const SpaceFamily& Get##TITLE##Family();
MMTUNE_KERNEL_FAMILIES(MMTUNE_DECLARE_FAMILY)
#undef MMTUNE_DECLARE_FAMILY

}  // namespace mmtune
