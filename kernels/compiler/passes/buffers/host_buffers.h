// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Finds the buffers of a host function and the operations that access them. Decides for each buffer if it stays on the
// host, moves to the device, or has a copy on the device. The pass convert-memcpy-to-gpu acts on these decisions.
//
//   %a = memref.alloc;  linalg on the host writes %a;  launch reads %a;  the host reads %a
//     ->  HostBuffer{Allocation, placement Mirror or Transient}: a device copy, and transfers
//
// buffer_placement.cpp makes the decision, host_buffers.cpp does the rest.
#pragma once

#include <list>
#include <optional>

#include "llvm/ADT/DenseMap.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

namespace mmtune {

class CallFacts;
class DeviceValues;

/// How an operation accesses the elements of a buffer.
struct BufferAccess {
  bool reads = true;
  bool writes = true;
  bool overwrites = false;  ///< Every element is written, whatever it was before.

  BufferAccess& operator|=(const BufferAccess& other) {
    reads |= other.reads;
    writes |= other.writes;
    overwrites |= other.overwrites;
    return *this;
  }
};

/// A unit attribute of a kernel's parameter: the kernel writes every element of the buffer.
inline constexpr char kOverwritesAttrName[] = "mmtune.overwrites";

/// A unit attribute of a kernel's parameter: the kernel's code has the strides of the buffer as constants. So the
/// kernel takes only a pointer to the first element.
inline constexpr char kKnowsStridesAttrName[] = "mmtune.knows_strides";

/// A unit attribute of an operation that was on tensors before bufferization. Such an operation never reads what it
/// wrote. So if an input and an output of the operation share memory, they may be given separate device copies without
/// changing the result. The attribute is set on a linalg operation, a launch, or the loop that is a kernel's body.
inline constexpr char kValueSemanticsAttrName[] = "mmtune.value_semantics";

/// True if the operation has the attribute mmtune.value_semantics.
inline bool hasValueSemantics(mlir::Operation* op) { return op->hasAttr(kValueSemanticsAttrName); }

/// Sets the attribute mmtune.value_semantics.
inline void setValueSemantics(mlir::Operation* op) {
  op->setAttr(kValueSemanticsAttrName, mlir::UnitAttr::get(op->getContext()));
}

/// Returns how a kernel accesses its parameter `index`, according to its attributes and body. If the kernel is not in
/// the module, it is assumed to read and write.
BufferAccess kernelAccess(mlir::gpu::LaunchFuncOp launch, unsigned index);

/// True for the memory spaces 1 and #gpu.address_space<global>; false for null, which is the default memory space.
inline bool isGlobalMemorySpace(mlir::Attribute space) {
  if (auto integer = mlir::dyn_cast_or_null<mlir::IntegerAttr>(space)) return integer.getInt() == 1;
  auto gpuSpace = mlir::dyn_cast_or_null<mlir::gpu::AddressSpaceAttr>(space);
  return gpuSpace && gpuSpace.getValue() == mlir::gpu::AddressSpace::Global;
}

/// Returns the ranked memref of which `value` is a view, through any number of view-like operations.
mlir::Value viewRoot(mlir::Value value);

/// Returns the memrefs of which `value` may be a view. Views, casts, selects, branches and regions of control flow are
/// followed. Each result is an allocation, a function argument, a global, or a value that may be any memory, such as
/// the result of a call. Different allocations are different memory; an allocation in a loop stands for the allocations
/// of all iterations. Returns nothing for a value that is never defined when the program runs.
llvm::SmallVector<mlir::Value> bufferOrigins(mlir::Value value);

/// True for a memref.copy between ranked memrefs. The host executes it, unless one side is in device memory: then it is
/// a transfer.
bool isRankedCopy(mlir::Operation* op);

/// Returns how a memref.copy or gpu.memcpy accesses one of its memrefs.
BufferAccess copyAccess(mlir::OpOperand& operand);

/// Returns how a host operation accesses one of its memrefs, or nothing if its effects are unknown.
std::optional<BufferAccess> hostAccess(mlir::OpOperand& operand);

/// A use of a buffer by a device operation.
struct DeviceUse {
  mlir::OpOperand* operand;
  BufferAccess access;
};

/// A buffer of a host function: a memref that is not a view of another one, or a global. All uses through views are
/// its uses.
struct HostBuffer {
  enum class Kind {
    Argument,    ///< A function argument; the caller owns the memory.
    Allocation,  ///< memref.alloc or memref.alloca.
    Global,      ///< Every memref.get_global of one symbol.
    Device,      ///< Device memory already: of gpu.alloc, in another memory space, or marked by placeBuffers().
    Opaque,      ///< A result of a call, control flow or anything else; may be any buffer with `escapes` set.
  };
  enum class Placement {
    Host,       ///< No device code uses it.
    Device,     ///< The buffer exists on the device only.
    Constant,   ///< A device copy that the runtime keeps, of a global that never changes.
    Mirror,     ///< A device copy from the function's entry to its returns.
    Transient,  ///< A device copy around each device operation.
  };

  HostBuffer(Kind kind, mlir::Value root) : kind(kind), root(root) {}

  Kind kind;
  mlir::Value root;  ///< The memref. For a global, the first memref.get_global.
  Placement placement = Placement::Host;

  llvm::SmallVector<DeviceUse> deviceUses;
  llvm::SmallVector<mlir::OpOperand*> copyUses;  ///< gpu.memcpy, and memref.copy between identity layouts.
  llvm::SmallVector<mlir::OpOperand*> returnUses;
  llvm::SmallVector<mlir::Operation*> deallocs;
  llvm::SmallVector<mlir::Operation*> registrations;  ///< gpu.host_register, gpu.host_unregister.
  llvm::SmallVector<mlir::OpOperand*> hostUses;       ///< All other uses but memref.dim, including calls.

  bool hostReads = false, hostWrites = false;
  bool escapes = false;         ///< The host can access it through values other than its views.
  bool hostRegistered = false;  ///< The program itself makes it accessible to the device, by gpu.host_register.
  /// A view counts its offset from the start of the allocation (memref.reinterpret_cast), so that a copy needs the same
  /// offset.
  bool absoluteViews = false;
  bool shared = false;  ///< A global, or an argument that may overlap others.

  mlir::MemRefType type() const { return mlir::cast<mlir::MemRefType>(root.getType()); }
  mlir::Operation* definingOp() const { return root.getDefiningOp(); }
  /// True if a device operation may write the buffer.
  bool deviceWrites() const;
  /// True for a global that nothing may write.
  bool isConstant() const;
  /// True if isConstant(), and the runtime can keep a device copy of the global. The global then has an initial value,
  /// numbers as elements and the identity layout. The function does not write, free or register it.
  bool isKeptOnDevice() const;
};

/// Handles a buffer that the program registers with the device (gpu.host_register) for only a part of the function.
/// Changes nothing unless a device operation uses the buffer while it is known not to be registered. Then:
/// - Device uses while it is registered count as uses by the host, because kernels access the host memory itself.
///   They are removed from `deviceUses`.
/// - The other device uses stay there, and need a device copy as usual. `hostRegistered` becomes false.
///
/// It is not known when the buffer is registered if registrations are in several blocks, or in a block that may run
/// again before the buffer is unregistered. Then it counts as registered all the time.
void separateRegisteredUses(HostBuffer& buffer);

/// True if `buffer` is known not to be registered when `op` runs.
bool isOutsideRegistration(const HostBuffer& buffer, mlir::Operation* op);

/// All buffers of one host function, found by one walk.
class HostBuffers {
 public:
  explicit HostBuffers(mlir::func::FuncOp function);

  /// Returns the buffer of which a ranked memref is a view, or null for other values.
  HostBuffer* find(mlir::Value value);

  /// Returns the buffers in order of first appearance, arguments first. Pointers to them stay valid.
  std::list<HostBuffer>& all() { return buffers; }

  /// True if the function calls others, which may use any global.
  bool hasCalls() const { return calls; }

 private:
  HostBuffer& findOrAdd(mlir::Value root);
  void recordUses(mlir::Operation* op);
  void recordHostUse(mlir::OpOperand& operand, HostBuffer& buffer);

  std::list<HostBuffer> buffers;
  llvm::DenseMap<mlir::Value, HostBuffer*> byRoot;
  llvm::StringMap<HostBuffer*> byGlobal;
  mlir::func::FuncOp function;
  bool calls = false;
};

/// Sets HostBuffer::placement of every buffer of `function`. Fails with diagnostics at a buffer that device code uses
/// but that cannot be moved correctly.
///
/// If `processArgs` is true, only those arguments and results of calls that `device` contains are device memory. If it
/// is false, all arguments are device memory, except those that the program registers with the device. Values that are
/// device memory get Kind::Device, and a host use of such an argument is an error. `calls` says which arguments may
/// overlap other memory.
mlir::LogicalResult placeBuffers(mlir::func::FuncOp function, HostBuffers& buffers, const CallFacts& calls,
                                 const DeviceValues& device, bool processArgs);

/// Returns the operations before which to free an allocation that the program does not free itself. A free at each of
/// them releases it exactly once on every path, after its last use. Returns nothing if there are no such operations.
std::optional<llvm::SmallVector<mlir::Operation*>> findFreePoints(mlir::Operation* allocation);

/// True unless every path from the function's entry overwrites the mirrored buffer before reading it.
bool needsCopyIn(mlir::func::FuncOp function, const HostBuffer& buffer);

}  // namespace mmtune
