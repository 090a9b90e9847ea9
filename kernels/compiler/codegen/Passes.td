// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
include "mlir/Pass/PassBase.td"

def CheckArchitecturePass : Pass<"check-architecture", "::mlir::gpu::GPUModuleOp"> {
  let summary = "Refuse instructions that the architecture lacks";
  let description = [{
    For a GPU, with kernels in the LLVM and NVVM dialects: an operation that becomes an instruction of other
    architectures is an error that names those. LLVM would abort the process, or ptxas reject the code. Inline PTX is
    left to ptxas. A module with the attribute `mmtune.arch` is for that architecture.
  }];
  let options = [
    Option<"arch", "arch", "std::string", "\"sm_80\"", "Architecture to generate for">,
  ];
}

def GpuModulesToBinaryPass : Pass<"gpu-modules-to-binary", "::mlir::ModuleOp"> {
  let summary = "Replace every gpu.module by a gpu.binary with its device image";
  let description = [{
    Takes `gpu.module`s in the LLVM dialect, as `mmtune-gpu-to-binary` lowers them. The image is a cubin (or PTX, where
    there is no assembler) for CUDA, an object for the SIMT device. Attributes of the module that are not its own stay
    on the binary.
  }];
  let options = [
    Option<"device", "device", "std::string", "\"simt\"", "Kind of device: simt or cuda">,
    Option<"arch", "arch", "std::string", "\"sm_80\"", "Architecture to generate for">,
    Option<"assemble", "assemble", "bool", "true", "For CUDA: a cubin, not PTX, where ptxas is found">,
    Option<"raceDetection", "race-detection", "bool", "false", "For the SIMT device: code for race detection">,
  ];
  let dependentDialects = ["::mlir::gpu::GPUDialect", "::mlir::NVVM::NVVMDialect"];
}
