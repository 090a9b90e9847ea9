// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The buffers of a host function and who uses them.
#pragma once

#include <list>
#include <optional>

#include "kernels/compiler/passes/buffers/kernel_access.h"
#include "llvm/ADT/DenseMap.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

namespace mmtune {

/// The ranked memref that `value` is a view of, through any number of view-like operations.
mlir::Value viewRoot(mlir::Value value);

/// The memrefs that `value` may be a view of, traced through views, casts, selections, branches and
/// the regions of control flow. Each is where tracing ends: an allocation, an argument of a
/// function, a global, or something that may be any memory, such as what a call returns. Distinct
/// allocations among them are distinct memory; one allocation may stand for those of several turns
/// of a loop. Empty for a value that no execution defines.
llvm::SmallVector<mlir::Value> bufferOrigins(mlir::Value value);

/// True for a memref.copy of which no side is unranked: the host's, or a transfer where a side is in device memory.
bool isRankedCopy(mlir::Operation* op);

/// What a memref.copy or gpu.memcpy does with one of its memrefs.
BufferAccess copyAccess(mlir::OpOperand& operand);

/// What an operation on the host does with one of its memrefs; nothing where its effects do not tell.
std::optional<BufferAccess> hostAccess(mlir::OpOperand& operand);

/// A device operation's use of a buffer.
struct DeviceUse {
  mlir::OpOperand* operand;
  BufferAccess access;
};

/// A buffer: a memref that is not a view of another one, or a global.
struct HostBuffer {
  enum class Kind {
    Argument,    ///< Of the function; its memory belongs to the caller.
    Allocation,  ///< memref.alloc or memref.alloca.
    Global,      ///< Every memref.get_global of one symbol.
    Device,      ///< gpu.alloc, or in another memory space: already where it should be.
    Opaque,      ///< Out of a call, control flow or anything else; may be any buffer that escapes.
  };
  enum class Placement {
    Host,       ///< No device code touches it.
    Device,     ///< Only a device copy exists.
    Constant,   ///< A device copy that the runtime keeps, of a global that never changes.
    Mirror,     ///< A device copy from the function's entry to its returns.
    Transient,  ///< A device copy around each device operation.
  };

  HostBuffer(Kind kind, mlir::Value root) : kind(kind), root(root) {}

  Kind kind;
  mlir::Value root;  ///< Of a global: the first memref.get_global.
  Placement placement = Placement::Host;

  llvm::SmallVector<DeviceUse> deviceUses;
  llvm::SmallVector<mlir::OpOperand*> copyUses;  ///< gpu.memcpy, and memref.copy of identity layouts.
  llvm::SmallVector<mlir::OpOperand*> returnUses;
  llvm::SmallVector<mlir::Operation*> deallocs;
  llvm::SmallVector<mlir::Operation*> registrations;  ///< gpu.host_register, gpu.host_unregister.
  llvm::SmallVector<mlir::OpOperand*> hostUses;       ///< Any others but memref.dim, also calls.

  bool hostReads = false, hostWrites = false;
  bool escapes = false;         ///< The host can reach it by other values than its views.
  bool hostRegistered = false;  ///< The program itself made it accessible to the device.
  bool absoluteViews = false;   ///< Views of it may be made with the offset that it has.
  bool shared = false;          ///< An argument that may overlap other such arguments, or a global.

  mlir::MemRefType type() const { return mlir::cast<mlir::MemRefType>(root.getType()); }
  mlir::Operation* definingOp() const { return root.getDefiningOp(); }
  bool deviceWrites() const;
  bool isConstant() const;  ///< A global that nothing may write.
  bool isKeptOnDevice()
      const;  ///< A constant with its value, of a type that the runtime can keep, that nothing writes.
};

/// Makes what the program does while `buffer` is registered (gpu.host_register) uses where it lies,
/// and the rest uses of a buffer that is not registered. Where that cannot be seen, the buffer
/// counts as registered: the registrations stand in several blocks, or in one that may run again
/// and does not end all that it begins.
void separateRegisteredUses(HostBuffer& buffer);

/// Whether the program is seen not to have registered `buffer` when `op` runs.
bool isOutsideRegistration(const HostBuffer& buffer, mlir::Operation* op);

/// All buffers of one host function, found by walking it once.
class HostBuffers {
 public:
  explicit HostBuffers(mlir::func::FuncOp function);

  /// The buffer that a ranked memref is a view of; null for other values.
  HostBuffer* find(mlir::Value value);

  /// In the order of their first appearance, arguments first. Pointers stay valid.
  std::list<HostBuffer>& all() { return buffers; }

  /// The function calls others, which may use any global.
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

}  // namespace mmtune
