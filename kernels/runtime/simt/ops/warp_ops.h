// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The warp operations, one function a kind, and how they fail. ExecuteWarpOp() calls them.
#pragma once

#include <string>

#include "kernels/runtime/simt/abi/abi.h"
#include "kernels/runtime/simt/ops/warp_call.h"

namespace mmtune::simt {

void ExecuteShuffle(const WarpOp& op, const WarpCall& call);
void ExecuteVote(const WarpOp& op, const WarpCall& call);
void ExecuteReduce(const WarpOp& op, const WarpCall& call);
void ExecuteElect(const WarpOp& op, const WarpCall& call);
void ExecuteMatch(const WarpOp& op, const WarpCall& call);
void ExecuteLoadMatrix(const WarpOp& op, const WarpCall& call);
void ExecuteStoreMatrix(const WarpOp& op, const WarpCall& call);
void ExecuteMma(const WarpOp& op, const WarpCall& call);
void ExecuteWgmma(const WarpOp& op, const WarpCall& call);

/// "f16", "s8", …
const char* ElementTypeName(ElementType type);

/// Fails the first lane of the call: the launch ends with "<name>: <what>".
[[noreturn]] void FailWarpOp(const WarpOp& op, const WarpCall& call, std::string what);
/// A finding in a watched launch; nothing in others.
void ReportWarpOp(const WarpOp& op, const WarpCall& call, uint32_t lane, const char* kind, const std::string& what);
/// Fails unless all 32 lanes take part.
void RequireWholeWarp(const WarpOp& op, const WarpCall& call);

inline bool TakesPart(const WarpCall& call, uint32_t lane) { return (call.mask >> lane & 1) != 0; }

}  // namespace mmtune::simt
