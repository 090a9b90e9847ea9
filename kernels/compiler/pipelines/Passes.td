// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
include "mlir/Pass/PassBase.td"

def ExportCInterfacesPass : Pass<"export-c-interfaces", "::mlir::ModuleOp"> {
  let summary = "Give the C interfaces of functions the names that they are exported by";
  let description = [{
    At the end of host code: `@_mlir_ciface_mmtune.f`, the C interface of what `set-host-linkage` named, becomes
    `@_mlir_ciface_<prefix>f`.

    With `packed`, adds `@_mlir_packed_<prefix>f(!llvm.ptr)`. Its parameter points at an array of pointers, one to each
    argument of the C interface and one to the place of its result, if it has one. So a caller needs no code generation to
    call a function whose type it only knows at run time.
  }];
  let options = [
    Option<"prefix", "prefix", "std::string", "", "What exported names begin with, behind _mlir_ciface_">,
    Option<"packed", "packed", "bool", "true", "Export entries that take their arguments packed, too">,
  ];
  let dependentDialects = ["::mlir::LLVM::LLVMDialect"];
}

def CheckHostLoweredPass : Pass<"check-host-lowered", "::mlir::ModuleOp"> {
  let summary = "Name the operations of host code that nothing lowers";
  let description = [{
    At the end of the conversion to the LLVM dialect: an operation of another dialect is an error at
    its place. Launches and images stay, as translation knows them. A global of 2 GiB or more is an error, too.
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

def NameKernelsPass : Pass<"name-kernels", "::mlir::ModuleOp"> {
  let summary = "Give kernels names that PTX has identifiers for";
  let description = [{
    With kernels outlined: what a `gpu.module` defines under another name, as the kernels of a function `@"main.1"` are, gets
    one that begins with `k_` and has underscores for what PTX has not; launches follow. LLVM aborts at such names, or
    ptxas refuses them.
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
  let summary = "Give public functions a C interface, and what the module defines names and linkage of its own";
  let description = [{
    Before host code is lowered: public functions get the C interface that libraries export, and so
    do declarations, for what they are declared to call. Functions with a body, globals with their own memory and device
    images get names that begin with `mmtune.` and become internal, so that neither another library nor another object
    can stand in for them, and none of them stands in for a function of C (`@malloc`, `@expf`) or for a program's `@main`;
    a linkage that the author gave (`llvm.linkage`) stays. A `memref.global` without a value
    is a declaration, whatever its visibility: it becomes public, and refers to a symbol of another module.
  }];
  let dependentDialects = ["::mlir::LLVM::LLVMDialect"];
}
