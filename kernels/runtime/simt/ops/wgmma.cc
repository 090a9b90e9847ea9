// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// wgmma.mma_async: each warp of a warpgroup computes its own 16 rows of D when its lanes have met; the four warps do
// not wait for each other. The result is there at once; what is asynchronous is the reading of shared memory, which
// the monitor sees as going on until the wait that retires the operation's group. Arithmetic as mma.sync has it.
#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <vector>

#include "absl/strings/str_cat.h"
#include "kernels/runtime/simt/abi/wgmma_shape.h"
#include "kernels/runtime/simt/block/block.h"
#include "kernels/runtime/simt/ops/accumulators.h"
#include "kernels/runtime/simt/ops/async_access.h"
#include "kernels/runtime/simt/ops/block_ops.h"
#include "kernels/runtime/simt/ops/float_bits.h"
#include "kernels/runtime/simt/ops/fragments.h"
#include "kernels/runtime/simt/ops/matrix_descriptor.h"
#include "kernels/runtime/simt/ops/vector_math.h"
#include "kernels/runtime/simt/ops/warp_ops.h"

namespace mmtune::simt {
namespace {

constexpr uint32_t kRows = 16;  ///< Of D, that one warp computes.
constexpr uint32_t kMaxColumns = 256;
constexpr uint32_t kOperandBytes = 32;  ///< Of k, whatever the type.
constexpr uint32_t kUnitsOfK = kOperandBytes / kMatrixUnitBytes;

/// An operand in shared memory: `rows` of M or N by 32 bytes of k.
struct SharedOperand {
  MatrixDescriptor descriptor;
  bool mn_major;
  uint32_t first_row;
  uint32_t rows;
};

/// The operation's words of each lane, after those of D.
struct OperandWords {
  uint32_t d;
  uint32_t a;
  uint32_t b;
  uint32_t scale;
};

OperandWords FindWords(const WarpOp& op) {
  OperandWords words;
  words.d = op.d == ElementType::kF16 ? op.n / 4 : op.n / 2;
  words.a = words.d;
  words.b = words.a + ((op.flags & kRegistersA) != 0 ? 4 : 2);
  words.scale = words.b + 2;
  return words;
}

void RequireModelled(const WarpOp& op, const WarpCall& call, const OperandWords& words) {
  RequireWholeWarp(op, call);
  const ElementType a = op.a;
  const bool halves = (a == ElementType::kF16 || a == ElementType::kBf16) && op.b == a && op.k == 16;
  const bool tf32 = a == ElementType::kTf32 && op.b == a && op.k == 8;
  auto is_byte = [](ElementType type) { return type == ElementType::kS8 || type == ElementType::kU8; };
  const bool bytes = is_byte(a) && is_byte(op.b) && op.k == 32;
  const bool to_d = op.d == ElementType::kF32   ? halves || tf32
                    : op.d == ElementType::kF16 ? a == ElementType::kF16 && halves
                                                : op.d == ElementType::kS32 && bytes;
  if (!to_d) FailWarpOp(op, call, "this shape with these types is not modelled");
  if (op.m != 64 || !IsWgmmaColumns(a, op.n)) {
    FailWarpOp(op, call, "M is 64, and N a multiple of 8 up to 256; of integers 8, 16, 24 or a multiple of 16");
  }
  if (!halves && (op.flags & (kTransposedA | kTransposedB)) != 0) {
    FailWarpOp(op, call, "only 16-bit operands can be MN-major");
  }
  if (op.inputs != words.scale + 1 || op.outputs != words.d) {
    FailWarpOp(op, call,
               absl::StrCat(op.inputs, " operand and ", op.outputs, " result words a lane, not ", words.scale + 1,
                            " and ", words.d));
  }
  if ((call.warp->warp | 3) >= call.warp->warps) {
    FailWarpOp(op, call, absl::StrCat("warp ", call.warp->warp, " of ", call.warp->warps, " is in no whole warpgroup"));
  }
}

SharedOperand DecodeOperand(const WarpOp& op, const WarpCall& call, uint32_t word, bool mn_major, char name) {
  uint64_t bits;
  std::memcpy(&bits, call.in[0] + word, sizeof(bits));
  SharedOperand operand{DecodeMatrixDescriptor(bits), mn_major, 0, op.n};
  if (operand.descriptor.base_offset != 0) {
    FailWarpOp(op, call,
               absl::StrCat("the base offset ", operand.descriptor.base_offset, " in the descriptor of ",
                            std::string(1, name), " is not modelled"));
  }
  return operand;
}

/// Calls visit(offset, row, unit): of K-major operands for each row and unit of k, of MN-major ones for each k (as
/// `unit`) and 8 rows.
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

/// The operand as a matrix of elements of type T, of which `row_stride` and `k_stride` are its strides.
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

struct Operands {
  OperandWords words;
  uint32_t uniform_from = 0;  ///< The word from which on all lanes agree.
  bool a_in_registers = false;
  bool reads_d = false;
  SharedOperand a, b;
};

Operands PrepareOperands(const WarpOp& op, const WarpCall& call) {
  Operands operands;
  operands.words = FindWords(op);
  RequireModelled(op, call, operands.words);
  operands.a_in_registers = (op.flags & kRegistersA) != 0;
  operands.uniform_from = operands.a_in_registers ? operands.words.b : operands.words.a;
  const uint32_t* uniform = call.in[0] + operands.uniform_from;
  const uint32_t* end = call.in[0] + operands.words.scale + 1;
  for (uint32_t lane = 1; lane < 32; ++lane) {
    if (!std::equal(uniform, end, call.in[lane] + operands.uniform_from)) {
      FailWarpOp(op, call, absl::StrCat("descriptors or the scale of D differ between lanes 0 and ", lane));
    }
  }
  operands.reads_d = call.in[0][operands.words.scale] != 0;
  operands.b = DecodeOperand(op, call, operands.words.b, (op.flags & kTransposedB) != 0, 'B');
  if (!operands.a_in_registers) {
    operands.a = DecodeOperand(op, call, operands.words.a, (op.flags & kTransposedA) != 0, 'A');
    operands.a.first_row = call.warp->warp % 4 * kRows;
    operands.a.rows = kRows;
  }
  return operands;
}

template <typename T>
void LoadA(const WarpOp& op, const WarpCall& call, const Operands& operands, T* a) {
  if (!operands.a_in_registers) return Load(call.warp->shared, operands.a, a, op.k, 1);
  constexpr uint32_t kElements = 4 / sizeof(T);
  for (uint32_t lane = 0; lane < 32; ++lane) {
    for (uint32_t r = 0; r < 4; ++r) {
      const Place place = PlaceInA(lane, r, 0, kElements);
      std::memcpy(a + place.row * op.k + place.column, call.in[lane] + operands.words.a + r, 4);
    }
  }
}

struct FloatMatrices {
  alignas(32) float a[kRows * 16];
  alignas(32) float b[16 * kMaxColumns];
  alignas(32) float d[kRows * kMaxColumns];
};

void LoadFloats(const WarpOp& op, const WarpCall& call, const Operands& operands, FloatMatrices& matrices) {
  if (op.a == ElementType::kTf32) {
    static thread_local uint32_t a[kRows * 8], b[8 * kMaxColumns];
    LoadA(op, call, operands, a);
    Load(call.warp->shared, operands.b, b, 1, op.n);
    std::transform(a, a + kRows * op.k, matrices.a, FromTf32);
    std::transform(b, b + op.k * op.n, matrices.b, FromTf32);
    return;
  }
  static thread_local uint16_t a[kRows * 16], b[16 * kMaxColumns];
  LoadA(op, call, operands, a);
  Load(call.warp->shared, operands.b, b, 1, op.n);
  const VectorMath& math = BestVectorMath();
  const auto widen = op.a == ElementType::kF16 ? math.widen_f16 : math.widen_bf16;
  widen(a, matrices.a, kRows * op.k);
  widen(b, matrices.b, op.k * op.n);
}

/// kNegateA and kNegateB.
float ProductSign(const WarpOp& op) {
  return ((op.flags & kNegateA) != 0) != ((op.flags & kNegateB) != 0) ? -1.0f : 1.0f;
}

void MultiplyFloats(const WarpOp& op, const WarpCall& call, const Operands& operands) {
  static thread_local FloatMatrices matrices;
  LoadFloats(op, call, operands, matrices);
  if (ProductSign(op) < 0) {
    std::transform(matrices.a, matrices.a + kRows * op.k, matrices.a, [](float value) { return -value; });
  }
  if (operands.reads_d) {
    LoadAccumulators(call, 0, op.d, op.n, matrices.d);
  } else {
    std::fill_n(matrices.d, kRows * op.n, 0.0f);
  }
  BestVectorMath().multiply_accumulate(matrices.a, matrices.b, matrices.d, kRows, op.n, op.k);
  StoreAccumulators(call, op.d, op.n, matrices.d);
}

int64_t IntegerOf(uint8_t byte, ElementType type) {
  return type == ElementType::kS8 ? static_cast<int8_t>(byte) : byte;
}

void MultiplyIntegers(const WarpOp& op, const WarpCall& call, const Operands& operands) {
  static thread_local uint8_t a[kRows * 32], b[kMaxColumns * 32];
  LoadA(op, call, operands, a);
  Load(call.warp->shared, operands.b, b, op.k, 1);
  using Limits = std::numeric_limits<int32_t>;
  for (uint32_t lane = 0; lane < 32; ++lane) {
    for (uint32_t i = 0; i < op.n / 2; ++i) {
      const Place place = PlaceInC(lane, i);
      int64_t sum = operands.reads_d ? static_cast<int32_t>(call.in[lane][i]) : 0;
      for (uint32_t k = 0; k < op.k; ++k) {
        sum += IntegerOf(a[place.row * op.k + k], op.a) * IntegerOf(b[place.column * op.k + k], op.b);
      }
      if ((op.flags & kSaturate) != 0) sum = std::clamp<int64_t>(sum, Limits::min(), Limits::max());
      call.out[lane][i] = static_cast<uint32_t>(sum);
    }
  }
}

}  // namespace

void ExecuteWgmma(const WarpOp& op, const WarpCall& call) {
  const Operands operands = PrepareOperands(op, call);
  if (call.warp->block->monitor() != nullptr) {
    const uint32_t* uniform = call.in[0] + operands.uniform_from;
    WatchWgmmaSequence(op, call, uniform, operands.words.scale + 1 - operands.uniform_from);
    WgmmaGroups& groups = call.warp->ops->wgmma_groups(*call.warp);
    if (!operands.a_in_registers) BeginReads(op, call, operands.a, groups);
    BeginReads(op, call, operands.b, groups);
  }
  if (op.d == ElementType::kS32) {
    MultiplyIntegers(op, call, operands);
  } else {
    MultiplyFloats(op, call, operands);
  }
}

}  // namespace mmtune::simt
