// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Operations that exchange words between the lanes of a warp, as the PTX ISA's pseudo code has them.
#pragma once

#include "kernels/simulator/ops/warp_ops.h"

namespace mmtune::simt {

void ExecuteShuffle(const WarpOp& op, const WarpCall& call);
void ExecuteVote(const WarpOp& op, const WarpCall& call);
void ExecuteReduce(const WarpOp& op, const WarpCall& call);
void ExecuteElect(const WarpOp& op, const WarpCall& call);
void ExecuteMatch(const WarpOp& op, const WarpCall& call);

}  // namespace mmtune::simt
