// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
include "mlir/Pass/PassBase.td"

def ExportCInterfacesPass : Pass<"export-c-interfaces", "::mlir::ModuleOp"> {
  let summary = "Rename the C interfaces of functions to their exported names";
  let description = [{
    At the end of host code: `@_mlir_ciface_mmtune.f`, the C interface of a function that `set-host-linkage` renamed,
    becomes `@_mlir_ciface_<prefix>f`.

    With `packed`, adds `@_mlir_packed_<prefix>f(!llvm.ptr)`. Its parameter points at an array of pointers, one to each
    argument of the C interface and one to the memory for its result, if it has one. So a caller can call a function
    whose type it knows only at run time, without code generation.
  }];
  let options = [
    Option<"prefix", "prefix", "std::string", "", "Prefix of exported names, after _mlir_ciface_">,
    Option<"packed", "packed", "bool", "true", "Export entries that take their arguments packed, too">,
  ];
  let dependentDialects = ["::mlir::LLVM::LLVMDialect"];
}

def CheckHostLoweredPass : Pass<"check-host-lowered", "::mlir::ModuleOp"> {
  let summary = "Report operations of host code that were not lowered";
  let description = [{
    At the end of the conversion to the LLVM dialect: an operation of another dialect is an error. Launches and images
    stay, as translation handles them. A global of 2 GiB or more is an error, too.
  }];
}

def VerifyDevicePlacementPass : Pass<"verify-device-placement", "::mlir::ModuleOp"> {
  let summary = "Verify that operations are on the side, host or device, that supports them";
  let description = [{
    On modules without tensors: an operation of host code in a kernel (a launch, a transfer, an allocation that is not
    shared memory), or one of kernels in host code, is an error. So is a `gpu.memset` whose values the runtime cannot
    write.
  }];
}

def CheckValueTypesPass : Pass<"check-value-types", "::mlir::ModuleOp"> {
  let summary = "Refuse values of types that have no machine representation";
  let description = [{
    With kernels outlined: a value whose type has no machine representation (a tuple, a layout that is not strided, tf32
    outside of matrix operations), or in a kernel none in device code (f80, f128, a parameter of 7 bits), is an error.
    So is an access to a buffer by a vector whose elements are laid out differently in memory (of 1 bit).
  }];
}

def NameKernelsPass : Pass<"name-kernels", "::mlir::ModuleOp"> {
  let summary = "Rename kernels to valid PTX identifiers";
  let description = [{
    With kernels outlined: a symbol of a `gpu.module` whose name is no PTX identifier, such as the kernels of a function
    `@"main.1"`, gets a name that begins with `k_` and has underscores for invalid characters; launches follow. LLVM
    would abort at such names, or ptxas reject them.
  }];
}

def LowerKernelLinalgPass : Pass<"lower-kernel-linalg", "::mlir::gpu::GPUModuleOp"> {
  let summary = "Lower linalg operations of kernels, and strided copies, to loops";
  let description = [{
    A linalg operation inside a kernel, which each thread that reaches it executes as a whole, becomes loops. One on
    tensors, or without a body, is an error.
  }];
  let dependentDialects = [
    "::mlir::affine::AffineDialect", "::mlir::arith::ArithDialect", "::mlir::memref::MemRefDialect",
    "::mlir::linalg::LinalgDialect", "::mlir::scf::SCFDialect"
  ];
}

def LowerHostAssertsPass : Pass<"lower-host-asserts", "::mlir::ModuleOp"> {
  let summary = "Make a failed cf.assert of host code an error of the runtime";
  let description = [{
    A `cf.assert` outside `gpu.module` calls `mgpuAssertFailed` with the message and its location where the condition is
    false. The runtime keeps it as its first error, after which device operations have no effect; the function goes on,
    and the process does not abort.
  }];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::scf::SCFDialect", "::mlir::LLVM::LLVMDialect"
  ];
}

def NormalizeMemorySpacesPass : Pass<"normalize-memory-spaces", "::mlir::ModuleOp"> {
  let summary = "Remove the global memory space from types";
  let description = [{
    Before anything else: memrefs of global memory (space 1, or `#gpu.address_space<global>`), in host code and kernels,
    become memrefs of the default memory space; `convert-memcpy-to-gpu` decides where buffers live, whatever their
    memory space was. In host code any other memory space is an error.
  }];
  let options = [
    Option<"processArgs", "process-args", "bool", "true",
           "Callers pass host memory, so a memory space on an argument or a result of a public "
           "function is an error; otherwise arguments are device memory">,
  ];
}

def SetHostLinkagePass : Pass<"set-host-linkage", "::mlir::ModuleOp"> {
  let summary = "Give public functions a C interface, and definitions private names and linkage";
  let description = [{
    Before host code is lowered: public functions get the C interface that libraries export, and so do declarations, for
    the functions that they call. Functions with a body, globals with their own memory and device images get names that
    begin with `mmtune.` and become internal, so that no other library or object can replace them, and none of them
    replaces a C function (`@malloc`, `@expf`) or a program's `@main`; a linkage that the author gave (`llvm.linkage`)
    stays. A `memref.global` without a value is a declaration, whatever its visibility: it becomes public, and refers to
    a symbol of another module.
  }];
  let dependentDialects = ["::mlir::LLVM::LLVMDialect"];
}
