// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A small layer over MLIR's OpBuilder in which families write kernels: 32-bit index arithmetic that folds as it is
// built, typed pointers with explicit alignment, loops and branches as lambdas, and the NVVM operations of kernels.
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
  unsigned integers = 0;           ///< Number of i32 parameters behind the buffers.
  int32_t threads[3] = {1, 1, 1};  ///< Threads of a block; the kernel must be launched with this size.
  int32_t minBlocks = 1;           ///< Resident blocks that the register allocation must allow.
};

/// Returns the MLIR type of elements of `type`.
mlir::Type elementType(mlir::Builder& builder, DataType type);

/// Says if LLVM and ptxas may unroll a loop. ptxas may make more copies of a body with many loads than fit the
/// registers.
enum class Unrolling { kAllowed, kNone };

/// Appends operations at its insertion point. Not thread-safe.
class KernelBuilder {
 public:
  using Value = mlir::Value;
  using Values = llvm::SmallVector<Value>;

  /// `computeCapability` is that of the target, 80 for sm_80 (DeviceInfo::ComputeCapability).
  KernelBuilder(mlir::gpu::GPUModuleOp module, int computeCapability);

  /// Names the location of what the builder emits during its lifetime, for reports about memory accesses and
  /// synchronisation. Names do not change code; the innermost one counts.
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

  /// Begins an `llvm.func` kernel in the module and returns its parameters: the buffers as pointers to global memory,
  /// each aligned to 16 bytes and aliased by no other, then the integers. finishKernel() ends it.
  Values beginKernel(const KernelSignature& signature);
  void finishKernel();

  /// Returns the address of the block's dynamic shared memory, aligned to 1024 bytes. It is an external array of no
  /// elements: anything else would get a size of its own, and overlap the memory that the launch provides.
  Value sharedMemory();

  // Types.
  mlir::Type i8() { return builder.getI8Type(); }
  mlir::Type i16() { return builder.getI16Type(); }
  mlir::Type i32() { return builder.getI32Type(); }
  mlir::Type i64() { return builder.getI64Type(); }
  mlir::Type f32() { return builder.getF32Type(); }
  /// Returns f32 for n = 1, else vector<n x f32>.
  mlir::Type floats(int64_t n) { return several(f32(), n); }
  /// Returns `type` for n = 1, else vector<n x type>.
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
  /// Returns `x` where the condition (or its element, for vectors) is true, else `y`; `x` itself for "always".
  Value choose(Value condition, Value x, Value y);
  /// Extends the i32 `x` to i64.
  Value wide(Value x);
  Value exclusiveOr(Value x, Value y);

  // Conditions. A null condition means "always"; comparisons are signed.
  Value less(Value x, Value y);
  Value less(Value x, int64_t y);
  Value greater(Value x, int64_t y);
  Value equal(Value x, int64_t y);
  Value both(Value x, Value y);
  Value always();

  // Memory. Offsets count elements of `type`, or floats where it is null; an access is aligned to its size.
  Value offset(Value pointer, Value elements, mlir::Type type = {});
  Value offset(Value pointer, int64_t elements, mlir::Type type = {});
  Value offsetBytes(Value pointer, Value bytes) { return offset(pointer, bytes, builder.getI8Type()); }
  Value offsetBytes(Value pointer, int64_t bytes) { return offset(pointer, bytes, builder.getI8Type()); }
  /// Loads `n` floats.
  Value load(Value pointer, int64_t n);
  /// Loads `n` elements of `type`.
  Value load(mlir::Type type, Value pointer, int64_t n);
  void store(Value value, Value pointer);
  /// Adds `value`, a float or a vector of floats, to the floats at `pointer` in global memory, which is aligned to its
  /// size. Each float is updated atomically, in no order; by one instruction for two or four where HasVectorAtomics().
  void atomicAdd(Value value, Value pointer);
  /// Atomically adds 1 to the i32 at `pointer` and returns its old value.
  Value countUp(Value pointer);
  /// Orders the memory accesses of the thread, and of threads that it has met at a barrier, for the whole device.
  /// Writes before a fence and an atomic are visible to threads that see the atomic and then execute a fence.
  void fence();

  // Vectors; a vector of one element is the scalar.
  Value element(Value vector, int64_t index);
  Value slice(Value vector, int64_t first, int64_t n);
  /// Returns the elements as one vector.
  Value join(const Values& elements);
  /// Returns the number of elements; 1 for a scalar.
  int64_t widthOf(Value vector);
  /// Returns x * y + z, rounded once, or of integers. A scalar `x` is broadcast to the elements of `y` and `z`.
  Value multiplyAdd(Value x, Value y, Value z);
  /// Converts f32 to a 16-bit type, to nearest, or back, or an integer to a wider one; returns `x` if it has the type.
  Value convert(Value x, mlir::Type type);
  /// Returns the two bf16 elements of a word as f32.
  Values widenBf16(Value word);
  /// Reinterprets the bits of `x` as `type`, which has the same size.
  Value bits(Value x, mlir::Type type);
  /// Returns `value` as a float type of any width, or in every element of a vector type.
  Value splat(mlir::Type type, float value);
  /// Adds floats, with rounding as below, or integers, which wrap around.
  Value addSums(Value x, Value y);
  /// Each of these operations rounds: no later pass contracts it with another one.
  Value addFloats(Value x, Value y);
  Value subtractFloats(Value x, Value y);
  Value multiplyFloats(Value x, Value y);
  Value scale(Value x, float factor) { return multiplyFloats(x, splat(x.getType(), factor)); }
  /// Return the larger or smaller of the two, NaN where one is NaN; 0 is larger than -0.
  Value maxFloats(Value x, Value y);
  Value minFloats(Value x, Value y);
  Value absolute(Value x);
  /// True if a float, or each element of a vector, is less than the limit; false for NaN.
  Value lessFloats(Value x, float limit);
  /// Shifts the bits of a float, or of each element, left by `places`.
  Value shiftBitsOfFloats(Value x, int64_t places);

  /// Emits a loop of `body(i, carried)` for i in [0, count) in steps of `step`; `body` returns the next carried values.
  Values loop(Value count, int64_t step, Values carried, llvm::function_ref<Values(Value, Values)> body,
              Unrolling unrolling = Unrolling::kAllowed);
  /// Emits `body` under `condition`; without a branch where it is null or a true constant.
  void when(Value condition, llvm::function_ref<void()> body);
  /// Returns the values that `body` emits under `condition`, else `others`.
  Values whenOr(Value condition, llvm::function_ref<Values()> body, const Values& others);

  // The thread.
  Value threadX();
  Value threadY();
  Value blockX();
  Value blockZ();
  void barrier();
  void barrierOfWarp();
  /// Returns the float `x` of the lane with the number (own lane ^ `lanes`). All lanes of the warp execute it together.
  Value exchange(Value x, int64_t lanes);

  /// Copies `bytes` (4, 8 or 16) from global to shared memory asynchronously. Where `condition` is false it reads
  /// nothing and writes zeros.
  void copyAsync(Value shared, Value global, int64_t bytes, Value condition);
  void commitCopies();
  /// Waits until at most `groups` committed groups are unfinished.
  void waitCopies(int64_t groups);

  // Tensor cores. All lanes of a warp execute these together.

  /// Loads `count` (1, 2 or 4) tiles of 8 rows of 16 bytes, as 32-bit words (ldmatrix). Lanes 8i to 8i+7 provide the
  /// addresses of the rows of tile i. A lane gets word `lane % 4` of row `lane / 4`, or, transposed, the 16-bit
  /// elements of column `lane / 4` in rows 2 * (lane % 4) and the next.
  Values loadMatrices(Value pointer, int64_t count, bool transposed);
  /// Returns A * B + C of 16 rows and 8 columns (mma.sync): words of A (4, or 2 for half the k) and of B (2, or 1) as
  /// loadMatrices returns them, of `type` or, for f32, rounded to tf32, and 4 accumulators (f32, or i32 for s8). f64
  /// has 8 rows and columns and 4 values of k: a lane has A in row `lane / 4` and column `lane % 4`, B in row
  /// `lane % 4` and column `lane / 4`, and C in row `lane / 4` and columns 2 * (lane % 4) and the next.
  Values multiplyMatrices(DataType type, llvm::ArrayRef<Value> a, llvm::ArrayRef<Value> b, llvm::ArrayRef<Value> c);
  /// Returns bytes 0 and 2 of word `x` and then of word `y`; bytes 1 and 3 for `first` = 1.
  Value everySecondByte(Value x, Value y, int64_t first);
  /// Rounds the float in a word to nearest tf32; ties to even from sm_90 on, where that is one instruction, before it
  /// away from zero.
  Value roundToTf32(Value word);

 private:
  Value integer(mlir::Type type, int64_t value);
  bool isAlways(Value condition);
  /// Applies `operation` to the bits of each element of `x`, as 32-bit integers, and `operand`.
  Value onBits(Value x, int32_t operand, llvm::function_ref<Value(Value, Value)> operation);
  Values fields(Value structure, int64_t count);

  mlir::gpu::GPUModuleOp module;
  int computeCapability;
  mlir::Location loc;
  mlir::OpBuilder builder;
};

}  // namespace mmtune
