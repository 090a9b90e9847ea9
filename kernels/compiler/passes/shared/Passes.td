// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
include "mlir/Pass/PassBase.td"

def SharedAllocToDynamicPass : Pass<"shared-alloc-to-dynamic", "::mlir::ModuleOp"> {
  let summary = "Turn shared-memory allocations of kernels into views of dynamic shared memory";
  let description = [{
    A `memref.alloc` in shared memory inside a kernel would become a call of the device's `malloc`.
    This pass makes every one of them, and every workgroup attribution, a `memref.view` of one
    `gpu.dynamic_shared_memory`, at offsets that are multiples of 128 bytes or of the allocation's
    alignment, and sets `dynamic_shared_memory_size` on every `gpu.launch_func` of the kernel. A
    launch that gives a larger size keeps it. Static shared memory is left in no kernel that this
    pass gives dynamic; in one that lays out dynamic shared memory itself, allocations become
    workgroup attributions, of 48 KiB at most.

    Two buffers share space where all uses of one come before all uses of the other, in a block that
    all threads execute together as far as the pass can see: behind uniform conditions and bounds,
    or with a barrier of its own. A barrier is placed between them where there is none. Buffers that
    become other values (a yield, a branch, a select) or that asynchronous copies use share with no
    other.

    An allocation in a loop is the same memory in every turn. Where no barrier lies before its uses
    or behind them in the turn, one takes the allocation's place, so that a fast thread does not
    overwrite what a slow one still reads; where threads may go through the loop differently, so that
    none can be placed, or the buffer becomes another value, the allocation is refused.

    Memory space 3 is spelled `#gpu.address_space<workgroup>` afterwards. Sizes that are not
    constant, kernels that need more than `max-bytes`, and launches that give a smaller size than
    needed are errors.

    With `apart`, every buffer becomes (or stays) a workgroup attribution instead, with no limit: code
    in watch mode has red zones between those, so an access past one is not one of another, and what
    nobody wrote is not what another buffer left there. Each turn of a loop that allocates a buffer
    begins with `llvm.intr.lifetime.start` of it, which means something to `convert-nvvm-to-simt` only.

    A use that comes behind a `memref.dealloc` of its buffer is an error.
  }];
  let options = [
    Option<"maxBytes", "max-bytes", "int64_t", "232448",
           "Shared memory that a block can have; the default is the 227 KB of sm_90">,
    Option<"apart", "apart", "bool", "false",
           "Every buffer is a workgroup attribution of its own, for watch mode">,
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
    `convert-gpu-to-nvvm` turns `gpu.dynamic_shared_memory` into an internal global of no elements.
    The NVPTX backend gives such a global a byte of static shared memory, and other static shared
    globals then overlap it. An external one begins behind all static shared memory. All
    such globals of a module begin at the same place.
  }];
  let dependentDialects = ["::mlir::LLVM::LLVMDialect"];
}
