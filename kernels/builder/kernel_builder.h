// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// KernelBuilder, a small layer over MLIR's OpBuilder with which kernel families (kernels/families) write kernels. Index
// arithmetic is i32, and constants are folded as operations are built. Pointers are typed and every access states its
// alignment. Loops and branches take lambdas.
//
//   KernelBuilder builder(module, /*computeCapability=*/80);
//   auto parameters = builder.beginKernel({.name = "scale", .buffers = {BufferUse::kReadWrite}, .threads = {64}});
//   Value p = builder.offset(parameters[0], builder.threadX());        // &buffer[threadIdx.x]
//   builder.store(builder.scale(builder.load(p, 1), 2.0f), p);         // *p = 2 * *p
//   builder.finishKernel();
//
// It emits operations of the dialects arith, scf, vector, llvm and nvvm. Nothing here is specific to matmuls.
#pragma once

#include <optional>
#include <utility>

#include "llvm/ADT/STLFunctionalExtras.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/Builders.h"
#include "proto/types/data_type.h"

namespace mmtune {

/// How a kernel accesses the buffer of one of its parameters. kTensorMap stands for a tensor map of a buffer: 128 bytes
/// that are passed by value, through which the kernel accesses the buffer.
enum class BufferUse { kRead, kWrite, kReadWrite, kTensorMap };

/// The name, parameters and launch bounds of a kernel.
struct KernelSignature {
  llvm::StringRef name;
  llvm::SmallVector<BufferUse> buffers;  ///< One entry for each pointer or tensor map.
  unsigned integers = 0;                 ///< Number of i32 parameters after the buffers.
  int32_t threads[3] = {1, 1, 1};        ///< Threads of a block; the kernel must be launched with this size.
  int32_t cluster[3] = {1, 1, 1};        ///< Blocks of a cluster; the kernel must be launched with this size.
  int32_t minBlocks = 1;  ///< Resident blocks per multiprocessor that the register allocation must allow.
};

/// Returns the MLIR type of an element of `type`.
mlir::Type elementType(mlir::Builder& builder, DataType type);

/// Says whether LLVM and ptxas may unroll a loop. Unrolling a body with many loads may need more registers than there
/// are.
enum class Unrolling { kAllowed, kNone };

/// Emits operations at its insertion point. Not thread-safe. Vectors of one element are represented by the scalar.
class KernelBuilder {
 public:
  using Value = mlir::Value;
  using Values = llvm::SmallVector<Value>;

  /// Creates a builder that adds kernels to `module`. `computeCapability` is that of the target: 80 for sm_80.
  KernelBuilder(mlir::gpu::GPUModuleOp module, int computeCapability);

  /// Names the location of everything that the builder emits during its lifetime, as in "load the A tile". Reports of
  /// races and of memory accesses show that name. Names do not change the code. If scopes are nested, the innermost
  /// name is used.
  class [[nodiscard]] ScopedName {
   public:
    ScopedName(KernelBuilder& builder, llvm::StringRef name);
    ~ScopedName() { builder.loc = outer; }
    ScopedName(const ScopedName&) = delete;
    ScopedName& operator=(const ScopedName&) = delete;

   private:
    KernelBuilder& builder;
    mlir::Location outer;
  };

  /// Begins an `llvm.func` kernel and returns its parameters: pointers to the buffers, then the integers. Pointers are
  /// to global memory, aligned to 16 bytes, and do not alias. The pointer of a tensor map is generic and points to the
  /// parameter itself. finishKernel() ends the kernel.
  Values beginKernel(const KernelSignature& signature);
  void finishKernel();
  /// Returns the kernel that is being built.
  mlir::LLVM::LLVMFuncOp kernel();

  /// Returns the address of the block's dynamic shared memory, aligned to 1024 bytes. It is declared as an external
  /// array without elements. A kernel must not declare any other shared array: that would be static shared memory,
  /// which overlaps with this dynamic memory.
  Value sharedMemory();

  // Types.
  mlir::Type i8() { return builder.getI8Type(); }
  mlir::Type i16() { return builder.getI16Type(); }
  mlir::Type i32() { return builder.getI32Type(); }
  mlir::Type i64() { return builder.getI64Type(); }
  mlir::Type f32() { return builder.getF32Type(); }
  /// Returns f32 for n = 1, otherwise vector<n x f32>.
  mlir::Type floats(int64_t n) { return vectorOf(f32(), n); }
  /// Returns `type` for n = 1, otherwise vector<n x type>.
  mlir::Type vectorOf(mlir::Type type, int64_t n);
  /// Returns the MLIR type of elements of `type`.
  mlir::Type typeOf(DataType type) { return elementType(builder, type); }

  /// Returns an i32 constant.
  Value constant(int64_t value) { return integer(i32(), value); }
  /// Returns 0; for a vector type, a vector of zeros.
  Value zero(mlir::Type type);
  // Integer arithmetic. Sums and products wrap around.
  Value add(Value x, Value y);
  Value add(Value x, int64_t y);
  Value sub(Value x, Value y);
  Value mul(Value x, Value y);
  Value mul(Value x, int64_t y);
  /// Return the quotient, rounded down, and the remainder of x / y. Both operands are unsigned (arith.divui, remui).
  Value div(Value x, Value y);
  Value div(Value x, int64_t y);
  Value rem(Value x, Value y);
  Value rem(Value x, int64_t y);
  /// Returns the smaller one of two signed integers.
  Value min(Value x, Value y);
  /// Returns `x` if the condition is true, otherwise `y`, element by element for vectors. A null condition is true.
  Value select(Value condition, Value x, Value y);
  /// Zero-extends an i32 to i64.
  Value extendToI64(Value x);
  Value exclusiveOr(Value x, Value y);

  // Conditions, of type i1. A null condition means "true". Comparisons are signed.
  Value less(Value x, Value y);
  Value less(Value x, int64_t y);
  Value greater(Value x, int64_t y);
  Value equal(Value x, int64_t y);
  /// Returns true if both conditions are true.
  Value logicalAnd(Value x, Value y);
  /// Returns the constant true.
  Value trueConstant();

  /// Returns the address that is `elements` elements of `type` after `pointer`; a null type means f32.
  Value offset(Value pointer, Value elements, mlir::Type type = {});
  Value offset(Value pointer, int64_t elements, mlir::Type type = {});
  /// Returns the address that is `bytes` bytes after `pointer`.
  Value offsetBytes(Value pointer, Value bytes) { return offset(pointer, bytes, builder.getI8Type()); }
  Value offsetBytes(Value pointer, int64_t bytes) { return offset(pointer, bytes, builder.getI8Type()); }
  /// Loads `n` floats as one vector.
  Value load(Value pointer, int64_t n);
  /// Loads `n` elements of `type` as one vector.
  Value load(mlir::Type type, Value pointer, int64_t n);
  /// Stores a scalar or vector.
  void store(Value value, Value pointer);
  /// Adds `value`, a float or a vector of floats, to global memory at `pointer`, which is aligned to its size. Each
  /// float is updated atomically, in no particular order. On targets with vector atomics (HasVectorAtomics()), one
  /// instruction updates two or four floats.
  void atomicAdd(Value value, Value pointer);
  /// Atomically adds 1 to the i32 at `pointer` and returns its old value.
  Value atomicIncrement(Value pointer);
  /// Emits a fence for the whole device, with acquire and release semantics. It orders the accesses of this thread, and
  /// those of the threads with which it has synchronised at a barrier. Writes before a fence and an atomic are visible
  /// to every thread that sees the atomic and then executes a fence.
  void fence();

  /// Returns element `index` of a vector.
  Value element(Value vector, int64_t index);
  /// Returns `n` elements of a vector, from element `first` on.
  Value slice(Value vector, int64_t first, int64_t n);
  /// Returns a vector of these scalars.
  Value concatenate(const Values& elements);
  /// Returns the number of elements; 1 for a scalar.
  int64_t widthOf(Value vector);
  /// Returns x * y + z. Floats are rounded once; integers wrap around. A scalar `x` is broadcast to the elements of `y`
  /// and `z`.
  Value multiplyAdd(Value x, Value y, Value z);
  /// Converts between f32 and 16-bit floats (to nearest), or sign-extends an integer. Returns `x` if it already has the
  /// type.
  Value convert(Value x, mlir::Type type);
  /// Returns the two bf16 elements of a 32-bit word as f32.
  Values unpackBf16(Value word);
  /// Reinterprets the bits of `x` as `type`, which has the same size.
  Value bitcast(Value x, mlir::Type type);
  /// Returns `value` as a float of `type`; for a vector type, in every element.
  Value splat(mlir::Type type, float value);
  /// Adds two accumulators: floats, rounded like addFloats(), or integers, which wrap around.
  Value addAccumulators(Value x, Value y);
  /// Each of these functions rounds its result: no later pass fuses it with another operation into a multiply-add.
  Value addFloats(Value x, Value y);
  Value subtractFloats(Value x, Value y);
  Value multiplyFloats(Value x, Value y);
  Value scale(Value x, float factor) { return multiplyFloats(x, splat(x.getType(), factor)); }
  /// Returns the larger (or smaller) operand; NaN if one is NaN. 0 counts as larger than -0.
  Value maxFloats(Value x, Value y);
  Value minFloats(Value x, Value y);
  /// Returns the absolute value of a float or of each element.
  Value absolute(Value x);
  /// Returns true for a float, or each element, that is less than `limit`; false for NaN.
  Value lessFloats(Value x, float limit);
  /// Shifts the bit pattern of a float, or of each element, left by `places`. Shifting by 1, for example, drops the
  /// sign.
  Value shiftBitsOfFloats(Value x, int64_t places);

  /// Emits a loop that calls `body(i, carried)` for i = 0, step, 2 * step, ... below `count`. `body` returns the next
  /// carried values; the loop returns the last ones.
  Values loop(Value count, int64_t step, Values carried, llvm::function_ref<Values(Value, Values)> body,
              Unrolling unrolling = Unrolling::kAllowed);
  /// Emits a branch that executes `body` if `condition` is true. Emits just `body` if the condition is null or a true
  /// constant.
  void when(Value condition, llvm::function_ref<void()> body);
  /// Emits a branch that executes `body` if `condition` is true. The results are the values of `body`, or `others` if
  /// the condition is false.
  Values whenElse(Value condition, llvm::function_ref<Values()> body, const Values& others);

  /// Emits an operation that has no function here, at the insertion point: create<NVVM::ElectSyncOp>(type, operands).
  template <typename Operation, typename... Arguments>
  auto create(Arguments&&... arguments) {
    return Operation::create(builder, loc, std::forward<Arguments>(arguments)...);
  }

  // The thread's position, and synchronisation.
  Value threadX();
  Value threadY();
  Value blockX();
  Value blockZ();
  /// Returns the blocks of the grid along x.
  Value gridX();
  /// Synchronises the threads of the block (bar.sync).
  void barrier();
  /// Synchronises the lanes of the warp (bar.warp.sync).
  void warpBarrier();
  /// Returns the float `x` of the lane whose number is this lane's XOR `lanes` (shfl.bfly). All lanes of the warp must
  /// execute it together.
  Value shuffleXor(Value x, int64_t lanes);

  /// Copies `bytes` (4, 8 or 16) from global to shared memory asynchronously (cp.async). If `condition` is false, it
  /// reads nothing and writes zeros.
  void copyAsync(Value shared, Value global, int64_t bytes, Value condition);
  /// Puts this thread's copyAsync() operations since the last call into one group (cp.async.commit_group).
  void commitCopies();
  /// Waits until all groups of this thread but the last `groups` are complete (cp.async.wait_group).
  void waitCopies(int64_t groups);

  // Tensor cores. All lanes of a warp execute these together.

  /// Loads `count` (1, 2 or 4) tiles of 8 rows of 16 bytes from shared memory (ldmatrix). Lanes 8i to 8i+7 provide the
  /// row addresses of tile i. Returns one 32-bit word per tile: a lane gets word `lane % 4` of row `lane / 4`. If
  /// `transposed`, it gets the 16-bit elements of column `lane / 4` in rows 2 * (lane % 4) and 2 * (lane % 4) + 1.
  Values loadMatrices(Value pointer, int64_t count, bool transposed);
  /// Returns A * B + C for a tile of 16 rows and 8 columns (mma.sync). `a` and `b` are words as loadMatrices() returns
  /// them: 4 and 2 per lane, or 2 and 1 for the instruction with half the k. Elements have the type `type`; f32
  /// elements must have been rounded to tf32. `c` has 4 accumulators per lane, f32 or, for s8, i32.
  ///
  /// For f64 the tile has 8 rows, 8 columns and 4 values of k. A lane has the element of A in row `lane / 4` and column
  /// `lane % 4`, the element of B in row `lane % 4` and column `lane / 4`, and the elements of C in row `lane / 4` and
  /// columns 2 * (lane % 4) and 2 * (lane % 4) + 1.
  Values multiplyMatrices(DataType type, llvm::ArrayRef<Value> a, llvm::ArrayRef<Value> b, llvm::ArrayRef<Value> c);
  /// Returns a 32-bit word of four bytes, the lowest first: bytes `first` and `first` + 2 of `x`, then the same two
  /// bytes of `y`. `first` is 0 or 1.
  Value packAlternateBytes(Value x, Value y, int64_t first);
  /// Rounds the float in a word to the nearest tf32. Ties go to even from sm_90 on, which has an instruction for it,
  /// and away from zero on older architectures.
  Value roundToTf32(Value word);
  /// Returns the first `count` fields of an LLVM struct.
  Values structFields(Value structure, int64_t count);

 private:
  Value integer(mlir::Type type, int64_t value);
  /// True if the condition is null or a true constant.
  bool isTrue(Value condition);
  /// Returns operation(bits, operand) as floats. `bits` are the elements of `x`, reinterpreted as i32; for a vector,
  /// both arguments are vectors.
  Value onBits(Value x, int32_t operand, llvm::function_ref<Value(Value, Value)> operation);

  mlir::gpu::GPUModuleOp module;
  int computeCapability;
  mlir::Location loc;
  mlir::OpBuilder builder;
};

}  // namespace mmtune
