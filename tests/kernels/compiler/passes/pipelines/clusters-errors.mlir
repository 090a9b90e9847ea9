// RUN: mmtune-opt %s --mmtune-to-gpu="device=cuda arch=sm_80" --mmtune-gpu-to-binary="device=cuda arch=sm_80 assemble=0" --verify-diagnostics
// RUN: sed -e '/expected-error/d' %s | mmtune-opt --mmtune-to-gpu="device=cuda arch=sm_90" | FileCheck %s

// CHECK: gpu.cluster_id
func.func @f(%a: memref<4xindex>, %n: index) {
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %n, %gy = %n, %gz = %n) threads(%tx, %ty, %tz) in (%sx = %n, %sy = %n, %sz = %n) {
    // expected-error @below {{'nvvm.read.ptx.sreg.clusterid.x' is an instruction of sm_90 and newer, and this is compiled for sm_80}}
    %c = gpu.cluster_id x
    memref.store %c, %a[%tx] : memref<4xindex>
    gpu.terminator
  }
  return
}
