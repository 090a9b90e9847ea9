// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
include "mlir/Pass/PassBase.td"

def ConvertNvvmToSimtPass : Pass<"convert-nvvm-to-simt", "::mlir::gpu::GPUModuleOp"> {
  let summary = "Rewrite a gpu.module in the LLVM dialect for the SIMT device";
  let description = [{
    Takes a `gpu.module` whose functions are in the LLVM dialect with NVVM operations still typed (run it instead of
    `convert-nvvm-to-llvm`), and turns it into host code for the ABI of `kernels/simulator/abi/abi.h`:

    - every function gets the thread's context as its first argument;
    - special registers become loads from the context or values computed from them; clocks read the host's cycle
      counter;
    - barriers of blocks (all, some threads, arrive, reductions) and warps, mbarriers, fences, `cp.async`,
      `cp.async.bulk` and `cp.async.bulk.tensor` (tile mode: load, store, reduce) become calls of the runtime;
      prefetches are dropped, and `setmaxregister` without race detection; operations with a predicate move under a branch;
    - shuffles, votes, `redux`, `elect`, `match`, `ldmatrix`, `stmatrix` (8x8 tiles of 16 bits), `mma.sync` (f16, bf16,
      tf32, s8, u8, f64) and `wgmma.mma_async` (f16, bf16, tf32, s8, u8) become warp operations: a constant that
      describes one, and words for operands and results; without race detection, independent `ldmatrix` and `mma.sync`
      of a block are one call;
    - conversions of f32 to tf32, and to pairs of f16 or bf16, become arithmetic;
    - `llvm.nvvm.*` intrinsics and inline PTX are read as the operations that MLIR lowers to them; inline PTX may also
      be a `wgmma.mma_async` with A in registers, and a `red.relaxed.gpu.global.add` of two or four floats, which
      becomes an atomic update of each, one access to race detection;
    - globals in shared memory become offsets into the block's arena: static ones first, dynamic ones (arrays of no
      elements) at the next multiple of 1024. As an integer, a pointer to shared memory is its offset in the arena;
    - every address space becomes the default one, and synchronisation scopes become the system's;
    - calls of libdevice (`__nv_expf`), which `convert-gpu-to-nvvm` makes of math operations, stay: code generation
      links the same functions as for a GPU (`kernels/compiler/codegen/llvm_codegen.h`);
    - a kernel `@k` gets an entry `@k__simt(context, arguments)`, which reads its parameters as `cuLaunchKernel` passes
      them, and constants: `@k__simt_static_shared`; for a kernel with `nvvm.cluster_dim`, `@k__simt_cluster`; and for
      one with `nvvm.reqntid` or `nvvm.maxntid`, `@k__simt_thread_bounds`.

    With `race-detection`, every memory access that may be outside the thread's own stack or parameters is reported to
    the runtime, a vector's as one; so are fences, and the beginning of a shared buffer's lifetime. Static
    shared globals are 128 bytes apart, as the table `@mmtune_simt_red_zones` says; so are variables and constants in
    global memory, which the table `@mmtune_simt_variables` lists. The table `@mmtune_simt_sites` has the operation and
    the location ("file:line:col", or the name of a named location) for the number that each call passes, which is 0
    without race detection.

    With `profile`, which requires `race-detection`, each operation has its own site, conditional branches and
    iterations of loops are reported too, and the table `@mmtune_simt_access_widths` has for each site the bytes that a lane can
    access with one instruction: the alignment of a load or store, at most 16.

    All kernels of a module share one layout of shared memory. An operation that the SIMT device does not model is an
    error at its location: im2col copies, copies by pairs of blocks (`cta_group`), `wmma`, sparse and block-scaled
    matrices, `tcgen05`, other inline PTX.
  }];
  let options = [
    Option<"raceDetection", "race-detection", "bool", "false",
           "Report every memory access to the runtime's race detector">,
    Option<"profile", "profile", "bool", "false",
           "With race-detection: report branches and iterations, too, for the runtime's profile mode">,
  ];
  let dependentDialects = ["::mlir::LLVM::LLVMDialect", "::mlir::NVVM::NVVMDialect"];
}
