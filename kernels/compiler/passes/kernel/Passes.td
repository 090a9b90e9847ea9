// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
include "mlir/Pass/PassBase.td"

def CheckKernelsLoweredPass : Pass<"check-kernels-lowered", "::mlir::gpu::GPUModuleOp"> {
  let summary = "Report operations of kernels that were not lowered";
  let description = [{
    Runs after `convert-gpu-to-nvvm`. An operation of a dialect other than `llvm` and `nvvm` is an error, except
    unrealized casts, which are reconciled later. So is a global of 2 GiB or more.
  }];
}

def LowerReductionsPass : Pass<"lower-reductions", "::mlir::gpu::GPUModuleOp"> {
  let summary = "Lower reductions over blocks and warps";
  let description = [{
    `gpu.all_reduce` becomes a tree over a workgroup attribution, with a barrier for each level: the lowering of
    `convert-gpu-to-nvvm` does not order accesses by lanes of one warp. All reductions of one type in a function share
    the attribution, which has an element for each thread of `known_block_size`, or 1024. A body of several basic
    blocks is an error.

    `gpu.subgroup_reduce` becomes a butterfly of shuffles, one for each element of 8 to 64 bits. A known block size that
    is not a multiple of the warp, or cluster, is an error.
  }];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::gpu::GPUDialect", "::mlir::memref::MemRefDialect",
    "::mlir::scf::SCFDialect", "::mlir::vector::VectorDialect"
  ];
}

def NumberProgramPointsPass : Pass<"number-program-points", "::mlir::gpu::GPUModuleOp"> {
  let summary = "Number the operations at which threads may wait";
  let description = [{
    Otherwise greedy rewriting would merge two branches that end alike, and reports of race detection could not
    distinguish the two barriers.
  }];
}

def OrderAtomicsPass : Pass<"order-atomics", "::mlir::gpu::GPUModuleOp"> {
  let summary = "Order memory around atomic updates by fences";
  let description = [{
    For a GPU, after `convert-gpu-to-nvvm`: LLVM's NVPTX backend lowers an `llvm.atomicrmw` of any ordering to a relaxed
    `atom` (`memref.atomic_rmw` has `acq_rel`). The pass adds fences of the same scope before it (release) and after it
    (acquire), and makes the update itself `monotonic`. Where no ordering is needed, use a `monotonic` `llvm.atomicrmw`,
    which is faster.
  }];
  let dependentDialects = ["::mlir::LLVM::LLVMDialect"];
}

def ExpandUnsupportedOpsPass : Pass<"expand-unsupported-ops"> {
  let summary = "Expand operations that no target supports";
  let description = [{
    `math.ipowi` becomes a loop that squares, `math.clampf`, `math.isinf` and `math.isnormal` arithmetic, `math.sincos`
    a sine and a cosine. Powers with the constant exponents 1, 2, 3, 4 and -1 become multiplications or a division;
    other `math.fpowi` become `math.powf` with the sign of an odd power. For host code; `expand-kernel-ops` does the
    same in kernels. `math.isinf` and `math.isnormal` of types without infinity stay. A `memref.generic_atomic_rmw` of
    floats becomes a compare-and-exchange loop on their bits.
  }];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::LLVM::LLVMDialect", "::mlir::math::MathDialect",
    "::mlir::memref::MemRefDialect", "::mlir::scf::SCFDialect", "::mlir::vector::VectorDialect"
  ];
}

def ExpandShapesPass : Pass<"expand-shapes"> {
  let summary = "Expand memref.expand_shape with several dynamic sizes by its output_shape";
  let description = [{
    A `memref.expand_shape` that makes several dynamic sizes of one becomes a `memref.reinterpret_cast` with its
    `output_shape`. It runs before `expand-strided-metadata`, which computes one dynamic size by a division and crashes
    at a second one. For host code; `expand-kernel-ops` does the same in kernels.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::memref::MemRefDialect"];
}

def ExpandKernelOpsPass : Pass<"expand-kernel-ops", "::mlir::gpu::GPUModuleOp"> {
  let summary = "Expand operations that convert-gpu-to-nvvm cannot lower";
  let description = [{
    Operations of `nvgpu` become those of NVVM (`convert-nvgpu-to-nvvm`; here, `nvgpu.mma.sync` of bf16). So do
    `gpu.shuffle` and `gpu.rotate`, of any type and over any number of lanes up to 32; `gpu.subgroup_id`,
    `gpu.num_subgroups` and `gpu.subgroup_size` become arithmetic, as a warp is 32 threads with consecutive ids. A
    `memref.generic_atomic_rmw` of floats becomes a compare-and-exchange loop on their bits.

    The rest applies to `gpu.func`s; kernels that are `llvm.func`s stay unchanged. Views of memrefs become pointer
    arithmetic (`expand-strided-metadata`), affine operations arithmetic (`lower-affine`), transfers, transposes and
    masks of vectors loads, stores and operations on elements.

    Operations that no target supports become arithmetic and loops (`expand-unsupported-ops`).

    `convert-gpu-to-nvvm` makes calls of libdevice of the other math operations. `replace-libdevice-calls` replaces
    those that PTX has instructions for, and the device code is linked with the rest
    (kernels/compiler/codegen/llvm_codegen.h).
  }];
  let dependentDialects = [
    "::mlir::affine::AffineDialect", "::mlir::arith::ArithDialect", "::mlir::LLVM::LLVMDialect",
    "::mlir::math::MathDialect", "::mlir::memref::MemRefDialect", "::mlir::NVVM::NVVMDialect",
    "::mlir::scf::SCFDialect", "::mlir::vector::VectorDialect"
  ];
}

def ReplaceLibdeviceCallsPass : Pass<"replace-libdevice-calls", "::mlir::gpu::GPUModuleOp"> {
  let summary = "Use instructions of PTX in place of functions of libdevice";
  let description = [{
    After `convert-gpu-to-nvvm`: calls of `__nv_sqrtf`, `__nv_fabsf` and the like become intrinsics of LLVM that the
    NVPTX backend has instructions for, which round as IEEE 754 says. Other functions stay.
  }];
  let dependentDialects = ["::mlir::LLVM::LLVMDialect"];
}

def MapTmTensorToGpuPass : Pass<"map-tm-tensor-to-gpu", "::mlir::ModuleOp"> {
  let summary = "Launch scans, scatters and sorts on buffers, one kernel each";
  let description = [{
    Each `tm_tensor` operation on memrefs becomes a `gpu.launch`:

    - a scan has a thread for each row, which goes along it;
    - a scatter has a thread for each element of the updates, where no two of them can target one element of the output
      (`unique_indices`, and slices of one element in the indexed dimensions). Else it has one for each element of a
      slice in the other dimensions, which applies the updates in order. Updates outside of the output are ignored;
    - a sort has a thread for each element, which counts the elements that come before it and stores it at that index:
      equal elements keep their order. With a comparison of floating-point numbers NaN comes last.

    An operation on tensors, elements that no thread can hold, and a sort without inputs are errors.
  }];
  let options = [
    Option<"loops", "loops", "bool", "false", "Loops of the host instead of launches">,
  ];
  let dependentDialects = [
    "::mlir::gpu::GPUDialect", "::mlir::memref::MemRefDialect", "::mlir::arith::ArithDialect",
    "::mlir::scf::SCFDialect"
  ];
}

def MapLinalgToGpuPass : Pass<"map-linalg-to-gpu", "::mlir::ModuleOp"> {
  let summary = "Launch linalg operations on buffers with one thread for each parallel point";
  let description = [{
    Every linalg operation with a body, on memrefs, becomes a `gpu.launch`: threads count the parallel iterators'
    points, the last one fastest, and each runs the reduction iterators as loops. Blocks have `block-size` threads,
    fewer where there are fewer points; a grid that cannot hold all points, or whose size is known only when the program
    runs, goes over them in strides. An output that no reduction iterator indexes is loaded once and stored once, unless
    an input is the same buffer. If an output is allocated in the block and its only earlier use is a `linalg.fill`, a
    reduction starts from the fill's value and the fill is removed. Indexing maps are computed in `arith`.

    An operation without parallel iterators runs on one thread, with a remark. An output may also be an input if both
    have the same map; other overlaps are undefined, as in linalg.

    Operands that are tensors, element types that no thread can hold (complex numbers, integers of more than 64 bits,
    8-bit floats), and linalg operations without a body are errors. Loops (`scf`, `affine`) and device code are left
    alone. `gpu-kernel-outlining` comes next.
  }];
  let options = [
    Option<"blockSize", "block-size", "int64_t", "256", "Threads of a block">,
  ];
  let dependentDialects = [
    "::mlir::gpu::GPUDialect", "::mlir::memref::MemRefDialect", "::mlir::arith::ArithDialect",
    "::mlir::affine::AffineDialect", "::mlir::scf::SCFDialect"
  ];
}
