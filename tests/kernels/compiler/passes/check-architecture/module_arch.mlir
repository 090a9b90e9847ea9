// RUN: mmtune-opt %s --mmtune-gpu-to-binary="device=cuda arch=sm_90 assemble=0" | FileCheck %s
// RUN: sed -e '/mmtune.arch/d' %s | not mmtune-opt --mmtune-gpu-to-binary="device=cuda arch=sm_90 assemble=0" 2>&1 | FileCheck %s --check-prefix=WITHOUT

// A module may be for one chip, where the target is every device from its architecture on.
// CHECK: gpu.binary @kernels {{.*}}.target sm_90a
// WITHOUT: 'nvvm.wgmma.fence.aligned' is an instruction of sm_90a alone, and this is compiled for sm_90
gpu.module @kernels attributes {
    mmtune.arch = "sm_90a"
} {
  llvm.func @kernel() attributes {gpu.kernel, nvvm.kernel} {
    nvvm.wgmma.fence.aligned
    llvm.return
  }
}
