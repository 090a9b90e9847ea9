// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
include "mlir/Pass/PassBase.td"

def ConvertMemcpyToGpuPass : Pass<"convert-memcpy-to-gpu", "::mlir::ModuleOp"> {
  let summary = "Place the buffers that device code uses in device memory";
  let description = [{
    Works on host functions (`func.func`) after kernels are outlined and before `gpu-async-region`. A buffer is the
    origin of views (`memref.subview`, `memref.cast`, …). Only buffers that a `gpu.launch_func` or `gpu.memset` takes
    are moved, depending on their other uses:

    - a dense allocation that the host never reads or writes, and that is freed or returned on every path or nowhere,
      becomes a `gpu.alloc`. Copies of it become `gpu.memcpy`. It is freed where the program freed it, else after its
      last use. Where it is returned, the caller gets a new host allocation with its contents;
    - a global that is constant, has its value, and that device code only reads is used where the runtime keeps it: the
      `memref.get_global` that kernels take gets the unit attribute `mmtune.device_constant`, which
      `load-device-constants` lowers;
    - any other argument or global whose host copy is not needed in between (nor reachable by another name, as a global
      that is not constant may be by an argument) has a device copy from the function's entry to its returns: filled at
      entry unless the first thing that happens to it is to be overwritten, copied back if a kernel may write it;
    - any other buffer (host loads or stores between launches, calls, buffers that come out of control flow) stays on
      the host and has a device copy around each launch, so both sides always see each other's writes.

    A buffer with a strided layout gets device memory from its first element to its last, and the kernel a view of it of
    the same type. Transfers are dense, so its elements go through a host buffer of that shape; memory between them is
    neither read nor written.

    How a kernel accesses a parameter is derived from `llvm.readonly`, `llvm.writeonly` and `llvm.readnone`, else
    from the memory effects in its body; else it reads and writes. A parameter that is only written is copied in all the
    same, because elements that the kernel leaves out must keep their values, unless it carries the unit attribute
    `mmtune.overwrites`: the kernel's promise to write every element.

    Arguments are assumed not to overlap one another nor, within one launch, a global, unless a call in the module
    passes overlapping memory; memory that external functions return is assumed to be new.

    What cannot be converted is an error at its location: `gpu.launch` (outline it first), asynchronous operations,
    layouts without strides, negative strides at a fixed offset, one launch with two buffers that may be the same memory
    and that it may write; without `process-args`, host code that touches an argument, and calls that pass host memory
    to a function of the module.
  }];
  let options = [
    Option<"processArgs", "process-args", "bool", "true",
           "Move function arguments too; otherwise they are device memory already">,
    Option<"async", "async", "bool", "false",
           "Make the device operations asynchronous, as linearize-gpu-tokens does">,
  ];
  let dependentDialects = [
    "::mlir::gpu::GPUDialect", "::mlir::memref::MemRefDialect", "::mlir::arith::ArithDialect",
    "::mlir::LLVM::LLVMDialect"
  ];
}

def LoadDeviceConstantsPass : Pass<"load-device-constants", "::mlir::ModuleOp"> {
  let summary = "Read constants in device code from copies that the runtime keeps on the device";
  let description = [{
    Each `memref.get_global` with `mmtune.device_constant` becomes a call of `mgpuConstantLoad` with the constant's
    address and size, which gives the address of its copy in device memory. The runtime makes that copy once for each
    loaded library and device. A destructor of the module (`llvm.mlir.global_dtors`) gives all of them back. It comes
    after `launch-with-pointers`, before `gpu-to-llvm`.
  }];
  let dependentDialects = [
    "::mlir::memref::MemRefDialect", "::mlir::arith::ArithDialect", "::mlir::LLVM::LLVMDialect"
  ];
}

def TransferViewsPass : Pass<"transfer-views", "::mlir::ModuleOp"> {
  let summary = "Transfer views with an offset or strides by the runtime";
  let description = [{
    Each `gpu.memcpy` on a stream with a memref whose layout is not the identity becomes a call of `mgpuMemcpyMemRef`
    with the descriptors of both, which copies run by run: `gpu-to-llvm` copies as many elements as the source has from
    and to the first ones of the buffers, and refuses other layouts of the source alone. It comes before `gpu-to-llvm`.
  }];
  let dependentDialects = ["::mlir::memref::MemRefDialect", "::mlir::LLVM::LLVMDialect"];
}

def LaunchWithPointersPass : Pass<"launch-with-pointers", "::mlir::ModuleOp"> {
  let summary = "Pass buffers to kernels that are llvm.funcs as pointers";
  let description = [{
    A kernel that is an `llvm.func` takes `!llvm.ptr` where a `gpu.func` takes a memref. In every `gpu.launch_func` of
    such a kernel this pass replaces a memref by the address of its first element, so that `gpu-to-llvm` without bare
    pointers does not pass a descriptor. The rest of the launch stays as it is; so do launches of kernels that are
    `gpu.func`s, or that are compiled already. It runs after transfers are placed, which requires the memrefs.

    A memref with an entry in the launch's `mmtune.tensor_maps` becomes a tensor map, 128 bytes that the kernel takes by
    value (`llvm.byval`): `mgpuTensorMapEncodeTiled` writes it to the stack. Extents that the entry names as `rows` or
    `batch` are those at run time.

    A buffer that is not in row-major order without gaps is an error, unless the kernel's parameter has the attribute
    `mmtune.knows_strides`; so are arguments that differ from the parameters in number or type. For memory of a caller,
    a `cf.assert` before the launch checks the alignment of the parameter (`llvm.align`).
  }];
  let dependentDialects = [
    "::mlir::gpu::GPUDialect", "::mlir::memref::MemRefDialect", "::mlir::arith::ArithDialect",
    "::mlir::cf::ControlFlowDialect", "::mlir::LLVM::LLVMDialect"
  ];
}

def NormalizeSlicesPass : Pass<"normalize-slices", "::mlir::ModuleOp"> {
  let summary = "Normalize slices so that MLIR finds the dimensions that they drop";
  let description = [{
    Slices of tensors get a step of 1 in dimensions of one element, so that a slice of the whole tensor is recognized. A
    slice with steps that drops some dimensions of one element and keeps others is taken with all dimensions and then
    reshaped (a `memref.subview`: sliced again), as MLIR crashes when it identifies the dropped dimensions by strides
    that only the result has. It runs before all simplifications.
  }];
  let dependentDialects = ["::mlir::memref::MemRefDialect", "::mlir::tensor::TensorDialect"];
}

def AssertSizesPass : Pass<"assert-sizes", "::mlir::ModuleOp"> {
  let summary = "Assert the dynamic sizes that operations require";
  let description = [{
    Inserts a `cf.assert` before each operation of host code that requires relations between dynamic sizes, unless they
    are known to hold. Each operation gets one assertion for all of its sizes:

    - `linalg` and `tm_tensor` operations, and elementwise ones on whole tensors: sizes that one loop goes over are
      equal; indices of another form, as those of a convolution, lie inside the operand. Indices that use a loop twice,
      or a remainder of anything but a loop, are not checked, as they are not for static sizes either;
    - `cast`: the static sizes of the result; `memref.copy` and `gpu.memcpy`: those of both memrefs;
    - `tensor.concat`: the sizes of the first part, and together the static ones of the result;
    - `expand_shape` and `tensor.reshape`: the product of the sizes that one, or all, become;
    - slices of tensors and `memref.subview`: what is read or written lies in the whole, and has the source's sizes.

    With other sizes the module is undefined. As host code continues after a failed assertion, dynamic sizes of operands
    and slices become 0 and a `memref.copy` is skipped, so that neither copies nor kernels access memory beyond a
    buffer. It runs first, as simplifications assume that the sizes are right.
  }];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::cf::ControlFlowDialect", "::mlir::memref::MemRefDialect",
    "::mlir::scf::SCFDialect", "::mlir::tensor::TensorDialect"
  ];
}

def DecomposeTensorsPass : Pass<"decompose-tensors", "::mlir::ModuleOp"> {
  let summary = "Decompose tensor operations that exporters write into ones that threads can run";
  let description = [{
    `linalg.softmax` becomes its reductions and elementwise operations, `tensor.pad` one linalg operation (or a fill and
    a copy), `linalg.pack` and `linalg.unpack` of tensors one each, and so do `tensor.concat` (or a chain of
    `tensor.insert_slice`), a chain of up to four insertions that writes the whole tensor with elementwise results, and
    an insertion into a `linalg.fill` at a static offset. A `tm_tensor.scatter` of up to four updates into a tensor that
    cannot be written in place becomes one linalg operation; `tm_tensor.sort` and `scan` get separate outputs. The
    transpose of a constant that nothing else uses becomes a constant. An `ml_program.global` that is private and unused
    is dropped; one that is not mutable becomes a constant; others become `memref.global`s, which loads copy from and
    stores copy to. It runs before `bufferize-tensors`.
  }];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::linalg::LinalgDialect", "::mlir::tensor::TensorDialect",
    "::mlir::bufferization::BufferizationDialect",
    "::mlir::memref::MemRefDialect", "::mlir::ml_program::MLProgramDialect"
  ];
}

def BufferizeTensorsPass : Pass<"bufferize-tensors", "::mlir::ModuleOp"> {
  let summary = "Bufferize a module with tensors, and free the allocated buffers";
  let description = [{
    Runs MLIR's one-shot bufferization across functions, with identity layouts at their boundaries, and its buffer
    deallocation. A module without tensors is not changed: its author allocates and frees. Tensor arguments of public
    functions are never written, but copied where the function would, unless `bufferization.writable` allows it. Copies
    of slices whose buffers linalg operations use become `linalg.copy`, which runs on the same device. Arithmetic on
    whole tensors (`arith.extf` of a tensor) becomes linalg operations first.
  }];
  let dependentDialects = [
    "::mlir::bufferization::BufferizationDialect", "::mlir::memref::MemRefDialect",
    "::mlir::scf::SCFDialect", "::mlir::linalg::LinalgDialect", "::mlir::tensor::TensorDialect"
  ];
}
