// The passes of mmtune. Registration, options and documentation are generated from here.
#ifndef MMTUNE_KERNELS_PASSES
#define MMTUNE_KERNELS_PASSES

include "mlir/Pass/PassBase.td"

def ConvertNvvmToSimtPass : Pass<"convert-nvvm-to-simt", "::mlir::gpu::GPUModuleOp"> {
  let summary = "Rewrite a gpu.module in the LLVM dialect for the SIMT device";
  let description = [{
    Takes a `gpu.module` whose functions are in the LLVM dialect with NVVM operations still typed
    (run it instead of `convert-nvvm-to-llvm`), and turns it into host code for the ABI of
    `kernels/runtime/simt/abi.h`:

    - every function gets the thread's context as its first argument;
    - special registers become loads from the context, barriers and asynchronous copies become
      calls of the runtime;
    - globals in shared memory become offsets into the block's arena: static ones first, dynamic
      ones (arrays of no elements) at the next multiple of 1024;
    - every address space becomes the default one, and synchronisation scopes become the system's;
    - a kernel `@k` gets an entry `@k__simt(context, arguments)`, which reads its parameters as
      `cuLaunchKernel` passes them, and a constant `@k__simt_static_shared`.

    All kernels of a module share one layout of shared memory. An operation that the SIMT device
    does not model is an error at its location.
  }];
  let dependentDialects = ["::mlir::LLVM::LLVMDialect"];
}

def ConvertMemcpyToGpuPass : Pass<"convert-memcpy-to-gpu", "::mlir::ModuleOp"> {
  let summary = "Give the buffers that device code touches a place in device memory";
  let description = [{
    Works on host functions (`func.func`) after kernels are outlined and before `gpu-async-region`.
    A buffer is what views (`memref.subview`, `memref.cast`, …) are traced back to. Only buffers that
    a `gpu.launch_func` or `gpu.memset` takes move; how depends on who else uses them:

    - an allocation that the host never reads or writes becomes a `gpu.alloc`. Copies of it become
      `gpu.memcpy`. It is freed where the program freed it, else after its last use. Where it is
      returned, the caller gets a new host allocation with its contents;
    - an argument or global whose host copy is not needed in between (nor reachable by another
      name, as a global that is not constant may be by an argument) has a device copy from the
      function's entry to its returns: filled at entry unless the first thing that happens to it
      is to be overwritten, copied back if a kernel may write it;
    - any other buffer (host loads or stores between launches, calls, buffers that come out of
      control flow) stays on the host and has a device copy around each launch, so both sides
      always see each other's writes.

    What a kernel does with a parameter is read off `llvm.readonly`, `llvm.writeonly` and
    `llvm.readnone`, else off the memory effects in its body, else taken as reads and writes. A
    parameter that is only written is copied in all the same, because elements that the kernel
    leaves out must keep their values, unless it carries the unit attribute `mmtune.overwrites`:
    the kernel's promise to write every element.

    Arguments are taken not to overlap one another nor, within one launch, a global. What cannot be
    converted is an error at its location: `gpu.launch` (outline it first), asynchronous operations, layouts other
    than the identity, one launch with two buffers that may be the same memory.
  }];
  let options = [
    Option<"processArgs", "process-args", "bool", "true",
           "Move function arguments too; otherwise they are device memory already">,
    Option<"async", "async", "bool", "false",
           "Make the device operations asynchronous, as linearize-gpu-tokens does">,
  ];
  let dependentDialects = [
    "::mlir::gpu::GPUDialect", "::mlir::memref::MemRefDialect", "::mlir::arith::ArithDialect"
  ];
}

def LinearizeGpuTokensPass : Pass<"linearize-gpu-tokens", "::mlir::func::FuncOp"> {
  let summary = "Put the device operations of a block on one chain of tokens, so on one stream";
  let description = [{
    `gpu-to-llvm` converts only device operations with exactly one dependency, and destroys a stream
    once for every wait on a token of it. After this pass every block has chains of tokens that
    begin with a `gpu.wait async`, never fork, and end with one `gpu.wait`, so every stream is
    created and destroyed once.

    Program order is kept, which every order that the tokens allow contains. Operations that were
    synchronous become asynchronous, and the chain ends before the next host operation that may
    read or write memory; between operations that were asynchronous the host waits where it waited.
    A token that is a block argument or comes out of an operation with regions is an error.
  }];
  let dependentDialects = ["::mlir::gpu::GPUDialect"];
}

def SharedAllocToDynamicPass : Pass<"shared-alloc-to-dynamic", "::mlir::ModuleOp"> {
  let summary = "Turn shared-memory allocations of kernels into views of dynamic shared memory";
  let description = [{
    A `memref.alloc` in shared memory inside a kernel would become a call of the device's `malloc`.
    This pass makes every one of them, and every workgroup attribution, a `memref.view` of one
    `gpu.dynamic_shared_memory`, at offsets that are multiples of 128 bytes, and sets
    `dynamic_shared_memory_size` on every `gpu.launch_func` of the kernel. Static shared memory is
    left in no kernel that has dynamic.

    No two buffers overlap. An allocation in a loop is the same memory in every turn; where the
    loop's body does not end with a barrier, one takes the allocation's place, so that a fast thread
    does not overwrite what a slow one still reads.

    Memory space 3 is spelled `#gpu.address_space<workgroup>` afterwards. Sizes that are not
    constant, and kernels that need more than `max-bytes`, are errors.
  }];
  let options = [
    Option<"maxBytes", "max-bytes", "int64_t", "232448",
           "Shared memory that a block can have; the default is the 227 KB of sm_90">,
  ];
  let dependentDialects = [
    "::mlir::gpu::GPUDialect", "::mlir::memref::MemRefDialect", "::mlir::arith::ArithDialect"
  ];
}

def RepairDynamicSharedLinkagePass
    : Pass<"repair-dynamic-shared-linkage", "::mlir::gpu::GPUModuleOp"> {
  let summary = "Make dynamic shared memory an external global of 1024-byte alignment";
  let description = [{
    `convert-gpu-to-nvvm` turns `gpu.dynamic_shared_memory` into an internal global of no elements.
    The NVPTX backend gives such a global a byte of static shared memory, and other static shared
    globals then overlap it. An external one begins behind all static shared memory.
  }];
  let dependentDialects = ["::mlir::LLVM::LLVMDialect"];
}

#endif // MMTUNE_KERNELS_PASSES
