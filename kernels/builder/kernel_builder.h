// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A small layer over MLIR's OpBuilder in which families write kernels: 32-bit index arithmetic that
// folds as it is built, typed pointers with explicit alignment, loops and branches as lambdas, and
// the few NVVM operations a kernel needs.
#pragma once

#include <optional>

#include "llvm/ADT/STLFunctionalExtras.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/Builders.h"
#include "proto/types/data_type.h"

namespace mmtune {

/// How a kernel uses one of its pointer parameters.
enum class BufferUse { kRead, kWrite, kReadWrite };

struct KernelSignature {
  llvm::StringRef name;
  llvm::SmallVector<BufferUse> buffers;
  unsigned integers = 0;           ///< Parameters of i32 behind the buffers.
  int32_t threads[3] = {1, 1, 1};  ///< Of a block; the kernel may be launched with no other size.
  int32_t minBlocks = 1;           ///< Resident blocks that the register allocation must allow.
};

mlir::Type elementType(mlir::Builder& builder, DataType type);

/// Whether LLVM and ptxas may unroll a loop. ptxas may take more copies of a body that loads much
/// than fit the registers.
enum class Unrolling { kAllowed, kNone };

/// Appends operations at its insertion point. Not thread-safe.
class KernelBuilder {
 public:
  using Value = mlir::Value;
  using Values = llvm::SmallVector<Value>;

  /// `computeCapability`: of the target, 80 for sm_80 (DeviceInfo::ComputeCapability).
  KernelBuilder(mlir::gpu::GPUModuleOp module, int computeCapability);

  /// While it lives, what the builder emits is at a location of this name, in reports about
  /// accesses and synchronisation. Names do not change code; the innermost one counts.
  class [[nodiscard]] At {
   public:
    At(KernelBuilder& builder, llvm::StringRef name);
    ~At() { builder.loc = outer; }
    At(const At&) = delete;
    At& operator=(const At&) = delete;

   private:
    KernelBuilder& builder;
    mlir::Location outer;
  };

  /// Starts an `llvm.func` kernel in the module and returns its parameters: the buffers as pointers to global memory,
  /// each aligned to 16 bytes and aliased by no other, then the integers. Ends with finishKernel().
  Values beginKernel(const KernelSignature& signature);
  void finishKernel();

  /// The address of the block's dynamic shared memory, aligned to 1024 bytes. An external array of
  /// no elements: anything else gets a size of its own and overlaps with what the launch provides.
  Value sharedMemory();

  // Types.
  mlir::Type i8() { return builder.getI8Type(); }
  mlir::Type i16() { return builder.getI16Type(); }
  mlir::Type i32() { return builder.getI32Type(); }
  mlir::Type i64() { return builder.getI64Type(); }
  mlir::Type f32() { return builder.getF32Type(); }
  /// f32 for one element, vector<n x f32> for more.
  mlir::Type floats(int64_t n) { return several(f32(), n); }
  /// `type` for one element, vector<n x type> for more.
  mlir::Type several(mlir::Type type, int64_t n);
  mlir::Type typeOf(DataType type) { return elementType(builder, type); }

  // Constants and integer arithmetic. Operands are non-negative and results do not overflow.
  Value constant(int64_t value) { return integer(i32(), value); }
  Value zero(mlir::Type type);
  Value add(Value x, Value y);
  Value add(Value x, int64_t y);
  Value sub(Value x, Value y);
  Value mul(Value x, Value y);
  Value mul(Value x, int64_t y);
  Value div(Value x, Value y);
  Value div(Value x, int64_t y);
  Value rem(Value x, Value y);
  Value rem(Value x, int64_t y);
  Value min(Value x, Value y);
  /// `x` where the condition holds, or each element of a vector of them, else `y`; `x` itself for "always".
  Value choose(Value condition, Value x, Value y);
  /// The i32 `x` as i64.
  Value wide(Value x);
  Value exclusiveOr(Value x, Value y);

  // Conditions. A null condition is "always"; comparisons are signed.
  Value less(Value x, Value y);
  Value less(Value x, int64_t y);
  Value greater(Value x, int64_t y);
  Value equal(Value x, int64_t y);
  Value both(Value x, Value y);
  Value always();

  // Memory. Offsets count elements of `type`, floats where it is null; an access is aligned to its size.
  Value offset(Value pointer, Value elements, mlir::Type type = {});
  Value offset(Value pointer, int64_t elements, mlir::Type type = {});
  Value offsetBytes(Value pointer, Value bytes) { return offset(pointer, bytes, builder.getI8Type()); }
  Value offsetBytes(Value pointer, int64_t bytes) { return offset(pointer, bytes, builder.getI8Type()); }
  /// `n` floats.
  Value load(Value pointer, int64_t n);
  /// `n` elements of `type`.
  Value load(mlir::Type type, Value pointer, int64_t n);
  void store(Value value, Value pointer);
  /// Adds to the floats at `pointer`, in global memory, as many as `value` has; an access is aligned to its size. Each
  /// is updated atomically, in no order. Two or four of them by one instruction where there is one (HasVectorAtomics).
  void atomicAdd(Value value, Value pointer);
  /// Adds 1 to the i32 at `pointer` and returns what it was.
  Value countUp(Value pointer);
  /// Orders the memory accesses of the thread, and of those that it has met at a barrier, for the whole device: before
  /// an atomic it makes what they wrote known to whoever sees the atomic and has such a fence behind it.
  void fence();

  // Vectors; a vector of one element is the scalar.
  Value element(Value vector, int64_t index);
  Value slice(Value vector, int64_t first, int64_t n);
  /// The elements as one vector.
  Value join(const Values& elements);
  /// 1 for a scalar.
  int64_t widthOf(Value vector);
  /// x * y + z, rounded once, or of integers; a scalar `x` stands for every element of `y` and `z`.
  Value multiplyAdd(Value x, Value y, Value z);
  /// From f32 to a type of 16 bits, to the nearest, or back; from an integer to a wider one; `x` itself where it has
  /// the type.
  Value convert(Value x, mlir::Type type);
  /// The two elements of bf16 in a word, as f32.
  Values widenBf16(Value word);
  /// The bits of `x` as a value of `type`, which has as many.
  Value bits(Value x, mlir::Type type);
  /// `value` in every element of a float, of whatever width, or a vector of them.
  Value splat(mlir::Type type, float value);
  /// The sum of floats, which rounds as below, or of integers, which wraps around.
  Value addSums(Value x, Value y);
  /// Each rounds: no later pass fuses it with a multiplication or an addition.
  Value addFloats(Value x, Value y);
  Value subtractFloats(Value x, Value y);
  Value multiplyFloats(Value x, Value y);
  Value scale(Value x, float factor) { return multiplyFloats(x, splat(x.getType(), factor)); }
  /// The larger or smaller of the two, NaN where one is NaN; 0 is larger than -0.
  Value maxFloats(Value x, Value y);
  Value minFloats(Value x, Value y);
  Value absolute(Value x);
  /// Whether a float, or each of a vector, is less than the limit; NaN is not.
  Value lessFloats(Value x, float limit);
  /// The floats of which the bits are those of `x`, shifted left.
  Value shiftBitsOfFloats(Value x, int64_t places);

  /// Loops `body(i, carried)` for i in [0, count) in steps of `step`; `body` returns what is
  /// carried on.
  Values loop(Value count, int64_t step, Values carried, llvm::function_ref<Values(Value, Values)> body,
              Unrolling unrolling = Unrolling::kAllowed);
  /// Emits `body` under `condition`; without a branch when it is null or always true.
  void when(Value condition, llvm::function_ref<void()> body);
  /// The values that `body` emits under `condition`, elsewhere `others`.
  Values whenOr(Value condition, llvm::function_ref<Values()> body, const Values& others);

  // The thread.
  Value threadX();
  Value threadY();
  Value blockX();
  Value blockZ();
  void barrier();
  void barrierOfWarp();
  /// The float `x` of the lane whose number differs in the bits of `lanes`; all lanes of a warp together.
  Value exchange(Value x, int64_t lanes);

  /// Copies `bytes` (4, 8 or 16) from global to shared memory asynchronously; zeros where
  /// `condition` is false, and then nothing is read.
  void copyAsync(Value shared, Value global, int64_t bytes, Value condition);
  void commitCopies();
  /// Waits until at most `groups` committed groups are unfinished.
  void waitCopies(int64_t groups);

  // Tensor cores; all lanes of a warp together.

  /// `count` (1, 2 or 4) tiles of 8 rows of 16 bytes, as 32-bit words: the lanes 8i to 8i+7 give the addresses of the
  /// rows of tile i. A lane gets word `lane % 4` of row `lane / 4`, or, transposed, the 16-bit elements of column `lane
  /// / 4` in the rows 2 * (lane % 4) and the next.
  Values loadMatrices(Value pointer, int64_t count, bool transposed);
  /// A * B + C of 16 rows and 8 columns: the words of A (4, or 2 of half the k) and B (2, or 1) that loadMatrices
  /// gives, of `type` or, for f32, rounded to tf32, and 4 sums of C (f32, or i32 of s8); returns as many. Of f64 8 rows
  /// and columns and 4 values of k: an element of A in row `lane / 4` and column `lane % 4`, one of B in the column and
  /// row of these numbers, and of C those of the row `lane / 4` and columns 2 * (lane % 4) and the next.
  Values multiplyMatrices(DataType type, llvm::ArrayRef<Value> a, llvm::ArrayRef<Value> b, llvm::ArrayRef<Value> c);
  /// The bytes 0, 2 of word `x`, then of word `y`; or 1, 3.
  Value everySecondByte(Value x, Value y, int64_t first);
  /// The word of a float, rounded to tf32: to the nearest; ties to even from sm_90 on, where that is one instruction,
  /// else away from zero.
  Value roundToTf32(Value word);

 private:
  Value integer(mlir::Type type, int64_t value);
  bool isAlways(Value condition);
  /// An operation of the bits of each element of `x`, as 32-bit integers, and `operand`.
  Value onBits(Value x, int32_t operand, llvm::function_ref<Value(Value, Value)> operation);
  Values fields(Value structure, int64_t count);

  mlir::gpu::GPUModuleOp module;
  int computeCapability;
  mlir::Location loc;
  mlir::OpBuilder builder;
};

}  // namespace mmtune
