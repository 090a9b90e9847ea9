// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The buffers of a host function, the operations that use them, and the place of each in memory.
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

/// Accesses of an operation to the elements of a buffer.
struct BufferAccess {
  bool reads = true;
  bool writes = true;
  bool overwrites = false;  ///< Every element is written, whatever its value was.

  BufferAccess& operator|=(const BufferAccess& other) {
    reads |= other.reads;
    writes |= other.writes;
    overwrites |= other.overwrites;
    return *this;
  }
};

/// On a kernel's parameter, a unit attribute: the kernel writes every element of the buffer.
inline constexpr char kOverwritesAttrName[] = "mmtune.overwrites";

/// On a kernel's parameter, a unit attribute: the kernel is specialized for the strides of the buffers that it is
/// launched with, so it takes a pointer to the first element only.
inline constexpr char kKnowsStridesAttrName[] = "mmtune.knows_strides";

/// On a linalg operation, a launch, or the loop that is a kernel's body, a unit attribute: it was an operation on
/// tensors, which are values. It reads what was there before it wrote anything, even where an output was assigned the
/// memory of an input: giving the two separate copies does not change the result.
inline constexpr char kValueSemanticsAttrName[] = "mmtune.value_semantics";

inline bool hasValueSemantics(mlir::Operation* op) { return op->hasAttr(kValueSemanticsAttrName); }

inline void setValueSemantics(mlir::Operation* op) {
  op->setAttr(kValueSemanticsAttrName, mlir::UnitAttr::get(op->getContext()));
}

/// Returns how the kernel accesses its parameter `index`, as far as attributes and body tell; reads and writes when the
/// module does not contain the kernel.
BufferAccess kernelAccess(mlir::gpu::LaunchFuncOp launch, unsigned index);

/// True for 1 and `#gpu.address_space<global>`, not for null, the default memory space.
inline bool isGlobalMemorySpace(mlir::Attribute space) {
  if (auto integer = mlir::dyn_cast_or_null<mlir::IntegerAttr>(space)) return integer.getInt() == 1;
  auto gpuSpace = mlir::dyn_cast_or_null<mlir::gpu::AddressSpaceAttr>(space);
  return gpuSpace && gpuSpace.getValue() == mlir::gpu::AddressSpace::Global;
}

/// Returns the ranked memref that `value` is a view of, through any number of view-like operations.
mlir::Value viewRoot(mlir::Value value);

/// Returns the memrefs that `value` may be a view of, traced through views, casts, selects, branches and regions of
/// control flow to an allocation, a function argument, a global, or something that may be any memory, such as a call's
/// result. Distinct allocations among them are distinct memory; one allocation may stand for those of several
/// iterations of a loop. Empty for a value that no execution defines.
llvm::SmallVector<mlir::Value> bufferOrigins(mlir::Value value);

/// True for a memref.copy between ranked memrefs: the host does it, or if a side is in device memory, a transfer.
bool isRankedCopy(mlir::Operation* op);

/// Returns the access of a memref.copy or gpu.memcpy to one of its memrefs.
BufferAccess copyAccess(mlir::OpOperand& operand);

/// Returns the access of a host operation to one of its memrefs; nothing where its effects do not tell.
std::optional<BufferAccess> hostAccess(mlir::OpOperand& operand);

/// A device operation's use of a buffer.
struct DeviceUse {
  mlir::OpOperand* operand;
  BufferAccess access;
};

/// A buffer: a memref that is not a view of another one, or a global.
struct HostBuffer {
  enum class Kind {
    Argument,    ///< A function argument; the caller owns the memory.
    Allocation,  ///< memref.alloc or memref.alloca.
    Global,      ///< Every memref.get_global of one symbol.
    Device,      ///< gpu.alloc, or in another memory space: device memory already.
    Opaque,      ///< A result of a call, control flow or anything else; may be any buffer that escapes.
  };
  enum class Placement {
    Host,       ///< No device code uses it.
    Device,     ///< Only a device copy exists.
    Constant,   ///< A device copy that the runtime keeps, of a global that never changes.
    Mirror,     ///< A device copy from the function's entry to its returns.
    Transient,  ///< A device copy around each device operation.
  };

  HostBuffer(Kind kind, mlir::Value root) : kind(kind), root(root) {}

  Kind kind;
  mlir::Value root;  ///< For a global, the first memref.get_global.
  Placement placement = Placement::Host;

  llvm::SmallVector<DeviceUse> deviceUses;
  llvm::SmallVector<mlir::OpOperand*> copyUses;  ///< gpu.memcpy, and memref.copy of identity layouts.
  llvm::SmallVector<mlir::OpOperand*> returnUses;
  llvm::SmallVector<mlir::Operation*> deallocs;
  llvm::SmallVector<mlir::Operation*> registrations;  ///< gpu.host_register, gpu.host_unregister.
  llvm::SmallVector<mlir::OpOperand*> hostUses;       ///< All others but memref.dim, including calls.

  bool hostReads = false, hostWrites = false;
  bool escapes = false;         ///< The host can reach it through values other than its views.
  bool hostRegistered = false;  ///< The program itself made it accessible to the device.
  bool absoluteViews = false;   ///< Views have absolute offsets: a copy needs the same offset.
  bool shared = false;          ///< An argument that may overlap other such arguments, or a global.

  mlir::MemRefType type() const { return mlir::cast<mlir::MemRefType>(root.getType()); }
  mlir::Operation* definingOp() const { return root.getDefiningOp(); }
  bool deviceWrites() const;
  /// True for a global that nothing may write.
  bool isConstant() const;
  /// True for a constant with a value, of a type that the runtime can keep on the device, that nothing writes.
  bool isKeptOnDevice() const;
};

/// Splits the uses of a buffer at its registrations (gpu.host_register): uses while it is registered are on the host,
/// the rest become uses of an unregistered buffer. Treats the buffer as registered throughout where the registrations
/// are in several blocks, or in one that may run again without ending all registrations that it begins.
void separateRegisteredUses(HostBuffer& buffer);

/// True if `buffer` is known not to be registered when `op` runs.
bool isOutsideRegistration(const HostBuffer& buffer, mlir::Operation* op);

/// All buffers of one host function, found by one walk.
class HostBuffers {
 public:
  explicit HostBuffers(mlir::func::FuncOp function);

  /// Returns the buffer that a ranked memref is a view of; null for other values.
  HostBuffer* find(mlir::Value value);

  /// Returns the buffers in order of first appearance, arguments first. Pointers stay valid.
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

// buffer_placement.cpp

/// Sets HostBuffer::placement of every buffer of `function`. Fails with diagnostics at a buffer used by device code
/// that cannot be moved soundly. Without `processArgs` all arguments are device memory; with it those in `device` are,
/// which also contains results of calls. These become Kind::Device, and host uses of such arguments are errors.
mlir::LogicalResult placeBuffers(mlir::func::FuncOp function, HostBuffers& buffers, const CallFacts& calls,
                                 const DeviceValues& device, bool processArgs);

/// Returns the operations before which to free an allocation that the program does not free itself, so that it is freed
/// once on every path and after its last use. Nothing when there are none.
std::optional<llvm::SmallVector<mlir::Operation*>> findFreePoints(mlir::Operation* allocation);

/// True unless every path from the function's entry first overwrites the mirrored buffer.
bool needsCopyIn(mlir::func::FuncOp function, const HostBuffer& buffer);

}  // namespace mmtune
