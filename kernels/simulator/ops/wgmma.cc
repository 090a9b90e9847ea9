// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "kernels/simulator/ops/wgmma.h"

#include <algorithm>
#include <cstring>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "kernels/simulator/block/cluster_runner.h"
#include "kernels/simulator/ops/block_ops.h"
#include "kernels/simulator/ops/warp_matrix.h"
#include "kernels/simulator/ops/warp_ops.h"

namespace mmtune::simt {
namespace {

constexpr uint32_t kRows = 16;  ///< Rows of D that one warp computes.
constexpr uint32_t kMaxColumns = 256;
constexpr uint32_t kOperandBytes = 32;  ///< Bytes of k, whatever the type.
constexpr uint32_t kUnitsOfK = kOperandBytes / kMatrixUnitBytes;

/// An operand in shared memory: `rows` of M or N by 32 bytes of k.
struct SharedOperand {
  MatrixDescriptor descriptor;
  bool mn_major = false;
  uint32_t first_row = 0;
  uint32_t rows = 0;
};

/// Operands of an operation. The words of each lane are those of D, A, B and the scale of D, in this order.
struct Operands {
  bool a_in_registers = false;
  uint32_t a_word = 0, b_word = 0, scale_word = 0;
  bool reads_d = false;
  SharedOperand a, b;

  uint32_t d_words() const { return a_word; }
  /// Returns the first of the words on which all lanes must agree: descriptors and the scale.
  uint32_t uniform_word() const { return a_in_registers ? b_word : a_word; }
  uint32_t words() const { return scale_word + 1; }
};

void RequireModelled(const WarpOp& op, const WarpCall& call, const Operands& operands) {
  RequireWholeWarp(op, call);
  const ElementType a = op.a;
  const bool halves = (a == ElementType::kF16 || a == ElementType::kBf16) && op.b == a && op.k == 16;
  const bool tf32 = a == ElementType::kTf32 && op.b == a && op.k == 8;
  auto is_byte = [](ElementType type) { return type == ElementType::kS8 || type == ElementType::kU8; };
  const bool bytes = is_byte(a) && is_byte(op.b) && op.k == 32;
  auto is_float8 = [](ElementType type) { return type == ElementType::kF8E4M3 || type == ElementType::kF8E5M2; };
  const bool floats8 = is_float8(a) && is_float8(op.b) && op.k == 32;
  const bool to_d = op.d == ElementType::kF32   ? halves || tf32 || floats8
                    : op.d == ElementType::kF16 ? (a == ElementType::kF16 && halves) || floats8
                                                : op.d == ElementType::kS32 && bytes;
  if (!to_d) FailWarpOp(op, call, "the simulator does not support this shape with these types");
  if (op.m != 64 || !IsWgmmaColumns(a, op.n)) {
    FailWarpOp(op, call, "M must be 64, and N a multiple of 8 up to 256 (for integers 8, 16, 24 or a multiple of 16)");
  }
  if (!halves && (op.flags & (kTransposedA | kTransposedB)) != 0) {
    FailWarpOp(op, call, "only 16-bit operands can be MN-major");
  }
  if (op.inputs != operands.words() || op.outputs != operands.d_words()) {
    FailWarpOp(op, call,
               absl::StrCat("a lane must have ", operands.words(), " operand words and ", operands.d_words(),
                            " result words, got ", op.inputs, " and ", op.outputs));
  }
  if ((call.warp->warp | 3) >= call.warp->warps) {
    FailWarpOp(
        op, call,
        absl::StrCat("warp ", call.warp->warp, " of ", call.warp->warps, " is not in a complete warpgroup of 4 warps"));
  }
}

SharedOperand DecodeOperand(const WarpOp& op, const WarpCall& call, uint32_t word, bool mn_major, char name) {
  uint64_t bits;
  std::memcpy(&bits, call.in[0] + word, sizeof(bits));
  SharedOperand operand{DecodeMatrixDescriptor(bits), mn_major, 0, op.n};
  if (operand.descriptor.base_offset != 0) {
    FailWarpOp(op, call,
               absl::StrCat("the base offset ", operand.descriptor.base_offset, " in the descriptor of ",
                            std::string(1, name), " must be 0 in the simulator"));
  }
  return operand;
}

/// Calls visit(offset, row, unit) for each row and unit of k of a K-major operand, or for each 8 rows and each k (as
/// `unit`) of an MN-major one.
template <typename Visit>
void ForEachUnit(const SharedOperand& operand, Visit visit) {
  for (uint32_t row = 0; row < operand.rows; row += operand.mn_major ? 8 : 1) {
    const uint32_t at = operand.first_row + row;
    if (operand.mn_major) {
      for (uint32_t k = 0; k < kOperandBytes / 2; ++k) visit(MnMajorUnit(operand.descriptor, at / 8, k), row, k);
    } else {
      for (uint32_t unit = 0; unit < kUnitsOfK; ++unit) visit(KMajorUnit(operand.descriptor, at, unit), row, unit);
    }
  }
}

/// Loads the operand as a matrix of elements of type T with these strides.
template <typename T>
void Load(const char* shared, const SharedOperand& operand, T* to, uint32_t row_stride, uint32_t k_stride) {
  constexpr uint32_t kElements = kMatrixUnitBytes / sizeof(T);
  ForEachUnit(operand, [&](uint32_t offset, uint32_t row, uint32_t unit) {
    T elements[kElements];
    std::memcpy(elements, shared + offset, kMatrixUnitBytes);
    T* first = to + row * row_stride + unit * (operand.mn_major ? 1 : kElements) * k_stride;
    const uint32_t step = operand.mn_major ? row_stride : k_stride;
    for (uint32_t i = 0; i < kElements; ++i) first[i * step] = elements[i];
  });
}

/// Reports the operand's bytes as read until the group is retired.
void BeginReads(const WarpOp& op, const WarpCall& call, const SharedOperand& operand, WgmmaGroups& groups) {
  std::vector<uint32_t> offsets;
  ForEachUnit(operand, [&](uint32_t offset, uint32_t, uint32_t) { offsets.push_back(offset); });
  std::sort(offsets.begin(), offsets.end());
  offsets.erase(std::unique(offsets.begin(), offsets.end()), offsets.end());
  for (size_t first = 0; first < offsets.size();) {
    size_t next = first + 1;
    while (next < offsets.size() && offsets[next] == offsets[next - 1] + kMatrixUnitBytes) ++next;
    groups.AddRead(
        BeginProxyRead(*call.warp, call.warp->shared + offsets[first], (next - first) * kMatrixUnitBytes, op.site));
    first = next;
  }
}

Operands PrepareOperands(const WarpOp& op, const WarpCall& call) {
  Operands operands;
  operands.a_in_registers = (op.flags & kRegistersA) != 0;
  operands.a_word = op.d == ElementType::kF16 ? op.n / 4 : op.n / 2;
  operands.b_word = operands.a_word + (operands.a_in_registers ? 4 : 2);
  operands.scale_word = operands.b_word + 2;
  RequireModelled(op, call, operands);
  for (uint32_t lane = 1; lane < 32; ++lane) {
    if (!std::equal(call.in[0] + operands.uniform_word(), call.in[0] + operands.words(),
                    call.in[lane] + operands.uniform_word())) {
      FailWarpOp(op, call, absl::StrCat("descriptors or the scale of D differ between lanes 0 and ", lane));
    }
  }
  operands.reads_d = call.in[0][operands.scale_word] != 0;
  operands.b = DecodeOperand(op, call, operands.b_word, (op.flags & kTransposedB) != 0, 'B');
  if (!operands.a_in_registers) {
    operands.a = DecodeOperand(op, call, operands.a_word, (op.flags & kTransposedA) != 0, 'A');
    operands.a.first_row = call.warp->warp % 4 * kRows;
    operands.a.rows = kRows;
  }
  return operands;
}

/// Loads A row-major, and B with these strides.
template <typename T>
void LoadOperands(const WarpOp& op, const WarpCall& call, const Operands& operands, T* a, T* b, uint32_t row_stride,
                  uint32_t k_stride) {
  if (operands.a_in_registers) {
    LoadA(call, operands.a_word, kRows, op.k, a);
  } else {
    Load(call.warp->shared, operands.a, a, op.k, 1);
  }
  Load(call.warp->shared, operands.b, b, row_stride, k_stride);
}

struct FloatMatrices {
  alignas(32) float a[kRows * kOperandBytes];
  alignas(32) float b[kOperandBytes * kMaxColumns];
  alignas(32) float d[kRows * kMaxColumns];
};

/// Loads operands of type T, converted to f32.
template <typename T>
void LoadFloats(const WarpOp& op, const WarpCall& call, const Operands& operands, FloatMatrices& matrices) {
  constexpr uint32_t kK = kOperandBytes / sizeof(T);
  static thread_local T a[kRows * kK], b[kK * kMaxColumns];
  LoadOperands(op, call, operands, a, b, 1, op.n);
  Widen(op.a, a, matrices.a, kRows * op.k);
  Widen(op.b, b, matrices.b, op.k * op.n);
}

void MultiplyFloats(const WarpOp& op, const WarpCall& call, const Operands& operands) {
  static thread_local FloatMatrices matrices;
  const auto load = op.k == 8 ? &LoadFloats<uint32_t> : op.k == 16 ? &LoadFloats<uint16_t> : &LoadFloats<uint8_t>;
  load(op, call, operands, matrices);
  if (((op.flags & kNegateA) != 0) != ((op.flags & kNegateB) != 0)) {
    std::transform(matrices.a, matrices.a + kRows * op.k, matrices.a, std::negate<>());
  }
  if (operands.reads_d) {
    LoadAccumulators(call, 0, op.d, op.n, matrices.d);
  } else {
    std::fill_n(matrices.d, kRows * op.n, 0.0f);
  }
  BestVectorMath().multiply_accumulate(matrices.a, matrices.b, matrices.d, kRows, op.n, op.k);
  StoreAccumulators(call, op.d, op.n, matrices.d);
}

void MultiplyBytes(const WarpOp& op, const WarpCall& call, const Operands& operands) {
  static thread_local uint8_t a[kRows * kOperandBytes], b[kMaxColumns * kOperandBytes];
  LoadOperands(op, call, operands, a, b, op.k, 1);
  MultiplyIntegers(op, call, kRows, a, b, operands.reads_d ? std::optional<uint32_t>(0) : std::nullopt);
}

/// Reports a first operation without wgmma.fence, misuse of registers that the compiler has found, and warps of a
/// warpgroup that execute different operations. `words` are the operands that must be the same in all lanes.
void CheckWgmmaSequence(const WarpOp& op, const WarpCall& call, const uint32_t* words, size_t count) {
  BlockOps& ops = *call.warp->ops;
  WgmmaGroups& groups = ops.wgmma_groups(*call.warp);
  const size_t index = groups.NextOperation();
  if (index == 0 && !groups.fenced()) {
    ReportWarpOp(op, call, 0, "misuse", "the first operation of a warp needs wgmma.fence before it");
  }
  if (op.early_access_line != 0) {
    ReportWarpOp(op, call, 0, "wgmma-registers",
                 absl::StrCat("line ", op.early_access_line,
                              " accesses one of its registers before wgmma.wait_group has waited for it"));
  }
  if (op.unfenced_access_line != 0) {
    ReportWarpOp(op, call, 0, "wgmma-registers",
                 absl::StrCat("line ", op.unfenced_access_line,
                              " accesses one of its registers, without a wgmma.fence between them"));
  }
  if (!ops.wgmma_sequence(*call.warp).Agrees(index, op, words, count)) {
    ReportWarpOp(op, call, 0, "warp-divergence",
                 "another warp of the warpgroup executed another operation or gave other descriptors");
  }
}

/// Lets a warp, of which `self` is the last lane to arrive, wait for the other three warps of its warpgroup. A wgmma is
/// one operation of all four warps, so it is not complete before each of them has issued it. Afterwards one thread may
/// signal the completion to other threads on behalf of all four warps.
void MeetWarpgroup(GpuThread* self, uint32_t site) {
  constexpr uint32_t kWarps = 4;
  ClusterRunner& runner = *self->runner;
  const uint32_t first = (self->warp & ~(kWarps - 1)) * kWarpSize;
  if (first + kWarps * kWarpSize > runner.thread_count()) return;
  const void* channel = &self->ops->wgmma_sequence(*self);
  std::vector<GpuThread*> last_lanes;
  for (GpuThread& thread : runner.ThreadsOf(self->cluster_rank).subspan(first, kWarps * kWarpSize)) {
    if (thread.state == GpuThread::State::kAsleep && thread.channel == channel) last_lanes.push_back(&thread);
  }
  if (last_lanes.size() + 1 < kWarps) {
    return runner.scheduler().Sleep(self, channel, site, "the other warps of its warpgroup at wgmma.wait_group");
  }
  last_lanes.push_back(self);
  if (Monitor* monitor = runner.monitor()) monitor->Synchronize(last_lanes);
  runner.scheduler().Wake(channel);
}

/// Returns the groups of the warp, in which reads are recorded. Returns null without a monitor, because a wgmma then
/// reads its operands when it is issued.
WgmmaGroups* MonitoredGroups(GpuThread* self) {
  return self->runner->monitor() == nullptr ? nullptr : &self->ops->wgmma_groups(*self);
}

}  // namespace

bool WgmmaSequence::Agrees(size_t index, const WarpOp& op, const uint32_t* words, size_t count) {
  if (index == steps_.size()) {
    steps_.push_back({op, std::vector<uint32_t>(words, words + count)});
    return true;
  }
  const Step& step = steps_[index];
  return std::memcmp(&step.op, &op, sizeof(op)) == 0 && std::equal(words, words + count, step.words.begin());
}

void WgmmaGroups::Commit() {
  committed_.push_back(std::move(open_));
  open_.clear();
}

bool WgmmaGroups::LastLaneArrives() {
  if (++waiting_lanes_ < kWarpSize) return false;
  waiting_lanes_ = 0;
  return true;
}

void WgmmaGroups::Retire(uint64_t groups, GpuThread& thread) {
  while (committed_.size() > groups) {
    for (AsyncToken read : committed_.front()) thread.runner->monitor()->EndAsyncRead(read, thread);
    committed_.pop_front();
  }
}

void ExecuteWgmma(const WarpOp& op, const WarpCall& call) {
  const Operands operands = PrepareOperands(op, call);
  if (call.warp->runner->monitor() != nullptr) {
    CheckWgmmaSequence(op, call, call.in[0] + operands.uniform_word(), operands.words() - operands.uniform_word());
    WgmmaGroups& groups = call.warp->ops->wgmma_groups(*call.warp);
    if (!operands.a_in_registers) BeginReads(op, call, operands.a, groups);
    BeginReads(op, call, operands.b, groups);
  }
  if (op.d == ElementType::kS32) {
    MultiplyBytes(op, call, operands);
  } else {
    MultiplyFloats(op, call, operands);
  }
}

extern "C" {

void mmtune_simt_wgmma_fence(ThreadContext* context, uint32_t) {
  WgmmaGroups* groups = MonitoredGroups(static_cast<GpuThread*>(context));
  if (groups != nullptr) groups->Fence();
}

void mmtune_simt_wgmma_commit(ThreadContext* context, uint32_t) {
  // All lanes execute it; lane 0 counts.
  WgmmaGroups* groups = MonitoredGroups(static_cast<GpuThread*>(context));
  if (groups != nullptr && context->lane == 0) groups->Commit();
}

void mmtune_simt_wgmma_wait(ThreadContext* context, uint64_t groups, uint32_t site) {
  auto* self = static_cast<GpuThread*>(context);
  WgmmaGroups& of_warp = self->ops->wgmma_groups(*self);
  if (of_warp.LastLaneArrives()) {
    if (self->runner->monitor() != nullptr) of_warp.Retire(groups, *self);
    MeetWarpgroup(self, site);
  }
  WarpBarrier(self, ~0u, site);
}

}  // extern "C"
}  // namespace mmtune::simt
