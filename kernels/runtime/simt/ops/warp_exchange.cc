// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Operations that exchange words between the lanes of a warp, as the PTX ISA's pseudo code has them.
#include <algorithm>
#include <bit>
#include <cmath>

#include "absl/strings/str_cat.h"
#include "kernels/runtime/simt/ops/float_bits.h"
#include "kernels/runtime/simt/ops/warp_ops.h"

namespace mmtune::simt {
namespace {

constexpr int kLanes = 32;

struct ShuffleSource {
  int lane;
  bool in_range;
};

ShuffleSource FindSource(ShuffleMode mode, int lane, uint32_t b, uint32_t c) {
  const int offset = b & 31, clamp = c & 31, segment = c >> 8 & 31;
  const int first = lane & segment;
  const int last = first | (clamp & ~segment);
  switch (mode) {
    case ShuffleMode::kUp:
      return {lane - offset, lane - offset >= last};
    case ShuffleMode::kDown:
      return {lane + offset, lane + offset <= last};
    case ShuffleMode::kButterfly:
      return {lane ^ offset, (lane ^ offset) <= last};
    case ShuffleMode::kIndex:
      return {first | (offset & ~segment), (first | (offset & ~segment)) <= last};
  }
  return {lane, false};
}

/// min.f32 and max.f32: -0 is less than +0; NaN only of two NaNs, or of one with .NaN.
float MinMax(float x, float y, bool is_min, bool propagate_nan) {
  const bool x_nan = std::isnan(x), y_nan = std::isnan(y);
  if (x_nan && (propagate_nan || y_nan)) return std::bit_cast<float>(kCanonicalNan);
  if (y_nan && propagate_nan) return std::bit_cast<float>(kCanonicalNan);
  if (x_nan) return y;
  if (y_nan) return x;
  const bool x_less = x < y || (x == y && std::signbit(x));
  return x_less == is_min ? x : y;
}

uint32_t Combine(const WarpOp& op, uint32_t x, uint32_t y) {
  const auto mode = static_cast<ReduceMode>(op.variant);
  switch (mode) {
    case ReduceMode::kAdd:
      return x + y;
    case ReduceMode::kMinS:
      return static_cast<uint32_t>(std::min(static_cast<int32_t>(x), static_cast<int32_t>(y)));
    case ReduceMode::kMaxS:
      return static_cast<uint32_t>(std::max(static_cast<int32_t>(x), static_cast<int32_t>(y)));
    case ReduceMode::kMinU:
      return std::min(x, y);
    case ReduceMode::kMaxU:
      return std::max(x, y);
    case ReduceMode::kAnd:
      return x & y;
    case ReduceMode::kOr:
      return x | y;
    case ReduceMode::kXor:
      return x ^ y;
    case ReduceMode::kMinF:
    case ReduceMode::kMaxF:
      return std::bit_cast<uint32_t>(MinMax(std::bit_cast<float>(x), std::bit_cast<float>(y), mode == ReduceMode::kMinF,
                                            (op.flags & kPropagateNan) != 0));
  }
  return x;
}

uint64_t MatchedValue(const WarpOp& op, const WarpCall& call, uint32_t lane) {
  const uint64_t low = call.in[lane][0];
  return (op.flags & kWide) != 0 ? low | uint64_t{call.in[lane][1]} << 32 : low;
}

}  // namespace

void ExecuteShuffle(const WarpOp& op, const WarpCall& call) {
  const auto mode = static_cast<ShuffleMode>(op.variant);
  for (int lane = 0; lane < kLanes; ++lane) {
    if (!TakesPart(call, lane)) continue;
    ShuffleSource source = FindSource(mode, lane, call.in[lane][1], call.in[lane][2]);
    if (!source.in_range) source.lane = lane;
    uint32_t value = 0;
    if (TakesPart(call, source.lane)) {
      value = call.in[source.lane][0];
    } else {
      ReportWarpOp(op, call, lane, "misuse", absl::StrCat("reads lane ", source.lane, ", which is not in its mask"));
    }
    call.out[lane][0] = value;
    if (op.outputs > 1) call.out[lane][1] = source.in_range;
  }
}

void ExecuteVote(const WarpOp& op, const WarpCall& call) {
  uint32_t ballot = 0;
  for (uint32_t lane = 0; lane < kLanes; ++lane) {
    if (TakesPart(call, lane)) ballot |= (call.in[lane][0] & 1) << lane;
  }
  uint32_t result = ballot;
  const auto mode = static_cast<VoteMode>(op.variant);
  if (mode == VoteMode::kAll) result = ballot == call.mask;
  if (mode == VoteMode::kAny) result = ballot != 0;
  if (mode == VoteMode::kUniform) result = ballot == call.mask || ballot == 0;
  for (uint32_t lane = 0; lane < kLanes; ++lane) {
    if (TakesPart(call, lane)) call.out[lane][0] = result;
  }
}

void ExecuteReduce(const WarpOp& op, const WarpCall& call) {
  const auto mode = static_cast<ReduceMode>(op.variant);
  const bool is_float = mode == ReduceMode::kMinF || mode == ReduceMode::kMaxF;
  const uint32_t keep = is_float && (op.flags & kAbsolute) != 0 ? 0x7fffffff : ~0u;
  const uint32_t first = std::countr_zero(call.mask);
  uint32_t result = call.in[first][0] & keep;
  for (uint32_t lane = first + 1; lane < kLanes; ++lane) {
    if (TakesPart(call, lane)) result = Combine(op, result, call.in[lane][0] & keep);
  }
  if (is_float) result = std::bit_cast<uint32_t>(Canonical(std::bit_cast<float>(result)));
  for (uint32_t lane = 0; lane < kLanes; ++lane) {
    if (TakesPart(call, lane)) call.out[lane][0] = result;
  }
}

void ExecuteElect(const WarpOp& op, const WarpCall& call) {
  const uint32_t leader = std::countr_zero(call.mask);
  for (uint32_t lane = 0; lane < kLanes; ++lane) {
    if (!TakesPart(call, lane)) continue;
    call.out[lane][0] = leader;
    if (op.outputs > 1) call.out[lane][1] = lane == leader;
  }
}

void ExecuteMatch(const WarpOp& op, const WarpCall& call) {
  const bool all = static_cast<MatchMode>(op.variant) == MatchMode::kAll;
  for (uint32_t lane = 0; lane < kLanes; ++lane) {
    if (!TakesPart(call, lane)) continue;
    const uint64_t value = MatchedValue(op, call, lane);
    uint32_t equal = 0;
    for (uint32_t other = 0; other < kLanes; ++other) {
      if (TakesPart(call, other) && MatchedValue(op, call, other) == value) equal |= 1u << other;
    }
    call.out[lane][0] = !all || equal == call.mask ? equal : 0;
    if (op.outputs > 1) call.out[lane][1] = equal == call.mask;
  }
}

}  // namespace mmtune::simt
