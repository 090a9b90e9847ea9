// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
include "mlir/Pass/PassBase.td"

def SharedAllocToDynamicPass : Pass<"shared-alloc-to-dynamic", "::mlir::ModuleOp"> {
  let summary = "Turn shared-memory allocations of kernels into views of dynamic shared memory";
  let description = [{
    A `memref.alloc` in shared memory inside a kernel would become a call of the device's `malloc`. This pass makes
    every one of them, and every workgroup attribution, a `memref.view` of one `gpu.dynamic_shared_memory`, at offsets
    that are multiples of 128 bytes or of the allocation's alignment, and sets `dynamic_shared_memory_size` on every
    `gpu.launch_func` of the kernel. A launch with a larger size keeps it. A kernel that gets dynamic shared memory
    keeps no static one; in a kernel that lays out dynamic shared memory itself, allocations become workgroup
    attributions, of 48 KiB at most.

    Two buffers share space where all uses of one come before all uses of the other, in a block that all threads are
    known to execute together: behind uniform conditions and bounds, or containing a barrier. A barrier is inserted
    between them where there is none. Buffers that are operands of a yield, a branch or a select, or that asynchronous
    copies use, share space with no other.

    An allocation in a loop is the same memory in every iteration. Where an iteration has no barrier before or after its
    uses, one replaces the allocation, so that a fast thread does not overwrite elements that a slow one still reads.
    Where threads may execute the loop differently, so that no barrier can be inserted, or the buffer is yielded or
    selected, the allocation is an error.

    Memory space 3 is spelled `#gpu.address_space<workgroup>` afterwards. Sizes that are not constant, kernels that need
    more than `max-bytes`, and launches that give a smaller size than needed are errors.

    With `apart`, every buffer becomes (or stays) a workgroup attribution instead, with no limit: race detection puts
    red zones between attributions, so an access past one does not reach another, and unwritten elements do not hold
    data of another buffer. Each iteration of a loop that allocates a buffer begins with `llvm.intr.lifetime.start` of
    it, which only `convert-nvvm-to-simt` interprets.

    A use after a `memref.dealloc` of its buffer is an error.
  }];
  let options = [
    Option<"maxBytes", "max-bytes", "int64_t", "232448",
           "Shared memory that a block can have; the default is the 227 KB of sm_90">,
    Option<"apart", "apart", "bool", "false",
           "Every buffer is a workgroup attribution of its own, for race detection">,
  ];
  let dependentDialects = [
    "::mlir::gpu::GPUDialect", "::mlir::memref::MemRefDialect", "::mlir::arith::ArithDialect",
    "::mlir::LLVM::LLVMDialect"
  ];
}

def RepairDynamicSharedLinkagePass
    : Pass<"repair-dynamic-shared-linkage", "::mlir::gpu::GPUModuleOp"> {
  let summary = "Make dynamic shared memory an external global of 1024-byte alignment";
  let description = [{
    `convert-gpu-to-nvvm` turns `gpu.dynamic_shared_memory` into an internal global of no elements. The NVPTX backend
    gives such a global a byte of static shared memory, and other static shared globals then overlap it. An external one
    begins after all static shared memory. All such globals of a module begin at the same address.
  }];
  let dependentDialects = ["::mlir::LLVM::LLVMDialect"];
}
