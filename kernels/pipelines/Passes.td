// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
include "mlir/Pass/PassBase.td"

def EmitPackedEntriesPass : Pass<"emit-packed-entries", "::mlir::ModuleOp"> {
  let summary = "Add an entry to every C interface that takes its arguments packed";
  let description = [{
    For each `@_mlir_ciface_f` of the LLVM dialect that has a body, adds
    `@_mlir_packed_f(!llvm.ptr)`. Its parameter points at an array of pointers, one to each argument
    of the C interface and one to the place of its result, if it has one. So a caller needs no code
    generation to call a function whose type it only knows at run time.
  }];
  let dependentDialects = ["::mlir::LLVM::LLVMDialect"];
}

def CheckHostLoweredPass : Pass<"check-host-lowered", "::mlir::ModuleOp"> {
  let summary = "Name the operations of host code that nothing lowers";
  let description = [{
    At the end of the conversion to the LLVM dialect: an operation of another dialect is an error at
    its place. Launches and images stay, as translation knows them.
  }];
}

def CheckOperationSidesPass : Pass<"check-operation-sides", "::mlir::ModuleOp"> {
  let summary = "Refuse operations of host code in kernels, and of kernels in host code";
  let description = [{
    On modules without tensors: an operation of host code in a kernel (a launch, a transfer, an
    allocation that is not shared memory), or one of kernels in host code, is an error at its place.
    So is a `gpu.memset` whose values the runtime cannot write.
  }];
}

def CheckValueTypesPass : Pass<"check-value-types", "::mlir::ModuleOp"> {
  let summary = "Refuse values of types that no code can have";
  let description = [{
    With kernels outlined: a value whose type has no form in machine code (a tuple, a layout that is
    not strided, tf32 outside of matrix operations), or in a kernel none in device code (f80, f128, a
    parameter of 7 bits), is an error at its place. So is an access to a buffer by a vector whose
    elements lie there otherwise (of 1 bit).
  }];
}

def LowerKernelLinalgPass : Pass<"lower-kernel-linalg", "::mlir::gpu::GPUModuleOp"> {
  let summary = "Lower linalg operations of kernels, and copies that are not of one piece, to loops";
  let description = [{
    A linalg operation inside a kernel, where each thread that comes to it executes the whole of it,
    becomes loops. One on tensors, or without a body, is an error.
  }];
  let dependentDialects = [
    "::mlir::affine::AffineDialect", "::mlir::arith::ArithDialect", "::mlir::memref::MemRefDialect",
    "::mlir::linalg::LinalgDialect", "::mlir::scf::SCFDialect"
  ];
}

def LowerHostAssertsPass : Pass<"lower-host-asserts", "::mlir::ModuleOp"> {
  let summary = "Make a failed cf.assert of host code an error of the runtime";
  let description = [{
    A `cf.assert` outside `gpu.module` calls `mgpuAssertFailed` with the message and its place where the
    condition is false. The runtime keeps it as its first error, after which device operations have no
    effect; the function goes on, and the process does not abort.
  }];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::scf::SCFDialect", "::mlir::LLVM::LLVMDialect"
  ];
}

def NormalizeMemorySpacesPass : Pass<"normalize-memory-spaces", "::mlir::ModuleOp"> {
  let summary = "Take the global memory space out of types";
  let description = [{
    Before anything else: memrefs of global memory (space 1, or `#gpu.address_space<global>`), in
    host code and kernels, become memrefs of the default memory space; `convert-memcpy-to-gpu`
    decides where buffers live, whatever their memory space was. In host code any other memory space
    is an error.
  }];
  let options = [
    Option<"processArgs", "process-args", "bool", "true",
           "Callers pass host memory, so a memory space on an argument or a result of a public "
           "function is an error; otherwise arguments are device memory">,
  ];
}

def SetHostLinkagePass : Pass<"set-host-linkage", "::mlir::ModuleOp"> {
  let summary = "Give public functions a C interface and private ones internal linkage";
  let description = [{
    Before host code is lowered: public functions get the C interface that libraries export, and so
    do declarations, for what they are declared to call. Private functions with a body become
    internal, so that neither another library nor another object can stand in for them; a linkage
    that the author gave (`llvm.linkage`) stays. A `memref.global` without a value is a declaration, too,
    whatever its visibility: it becomes public, and refers to a symbol of another module.
  }];
  let dependentDialects = ["::mlir::LLVM::LLVMDialect"];
}
