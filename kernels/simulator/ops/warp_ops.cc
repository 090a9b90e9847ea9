// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "kernels/simulator/ops/warp_ops.h"

#include <bit>

#include "absl/strings/str_cat.h"
#include "kernels/simulator/block/block.h"
#include "kernels/simulator/block/monitor.h"
#include "kernels/simulator/ops/warp_exchange.h"
#include "kernels/simulator/ops/warp_matrix.h"
#include "kernels/simulator/ops/wgmma.h"

namespace mmtune::simt {
namespace {

std::string Shape(const WarpOp& op) { return absl::StrCat("m", op.m, "n", op.n, "k", op.k); }

std::string Types(const WarpOp& op) {
  return absl::StrCat(".", ElementTypeName(op.d), ".", ElementTypeName(op.a), ".", ElementTypeName(op.b), ".",
                      ElementTypeName(op.c));
}

std::string Tiles(const WarpOp& op) {
  return absl::StrCat(".m", op.m, "n", op.n, ".x", op.count, (op.flags & kTransposed) != 0 ? ".trans" : "", " of ",
                      ElementTypeName(op.a));
}

std::string Name(const WarpOp& op) {
  switch (op.kind) {
    case WarpOpKind::kShuffle:
      return "shfl.sync";
    case WarpOpKind::kVote:
      return "vote.sync";
    case WarpOpKind::kReduce:
      return "redux.sync";
    case WarpOpKind::kElect:
      return "elect.sync";
    case WarpOpKind::kMatch:
      return "match.sync";
    case WarpOpKind::kLoadMatrix:
      return absl::StrCat("ldmatrix", Tiles(op));
    case WarpOpKind::kStoreMatrix:
      return absl::StrCat("stmatrix", Tiles(op));
    case WarpOpKind::kMma:
      return absl::StrCat("mma.sync.", Shape(op), Types(op));
    case WarpOpKind::kWgmma:
      return absl::StrCat("wgmma.mma_async.", Shape(op), ".", ElementTypeName(op.d), ".", ElementTypeName(op.a), ".",
                          ElementTypeName(op.b));
  }
  return absl::StrCat("warp operation ", static_cast<uint32_t>(op.kind));
}

}  // namespace

const char* ElementTypeName(ElementType type) {
  static constexpr const char* kNames[] = {"none", "f16", "bf16", "tf32", "f32",  "f64",
                                           "s8",   "u8",  "s32",  "b1",   "e4m3", "e5m2"};
  const auto index = static_cast<uint32_t>(type);
  return index < std::size(kNames) ? kNames[index] : "unknown";
}

void FailWarpOp(const WarpOp& op, const WarpCall& call, const std::string& what) {
  call.warp->block->Fail(call.warp + std::countr_zero(call.mask), absl::StrCat(Name(op), ": ", what));
}

void ReportWarpOp(const WarpOp& op, const WarpCall& call, uint32_t lane, const char* kind, const std::string& what) {
  Monitor* monitor = call.warp->block->monitor();
  if (monitor != nullptr) monitor->Report(kind, call.warp[lane], op.site, absl::StrCat(Name(op), ": ", what));
}

void RequireWholeWarp(const WarpOp& op, const WarpCall& call) {
  if (call.mask != ~0u) FailWarpOp(op, call, absl::StrCat("only the lanes 0x", absl::Hex(call.mask), " take part"));
}

void ExecuteWarpOp(const WarpOp& op, const WarpCall& call) {
  switch (op.kind) {
    case WarpOpKind::kShuffle:
      return ExecuteShuffle(op, call);
    case WarpOpKind::kVote:
      return ExecuteVote(op, call);
    case WarpOpKind::kReduce:
      return ExecuteReduce(op, call);
    case WarpOpKind::kElect:
      return ExecuteElect(op, call);
    case WarpOpKind::kMatch:
      return ExecuteMatch(op, call);
    case WarpOpKind::kLoadMatrix:
      return ExecuteLoadMatrix(op, call);
    case WarpOpKind::kStoreMatrix:
      return ExecuteStoreMatrix(op, call);
    case WarpOpKind::kMma:
      return ExecuteMma(op, call);
    case WarpOpKind::kWgmma:
      return ExecuteWgmma(op, call);
  }
  FailWarpOp(op, call, "no such kind");
}

}  // namespace mmtune::simt
