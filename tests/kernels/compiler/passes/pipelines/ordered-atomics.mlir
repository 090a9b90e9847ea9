// RUN: mmtune-opt %s --mmtune-gpu-to-binary='device=cuda arch=sm_80 assemble=0' | FileCheck %s

// What asks for an order has it in PTX.
// CHECK: fence.acq_rel.sys;{{.*}}atom.global.add.u32{{.*}}fence.acq_rel.sys;
gpu.module @kernels {
  gpu.func @count(%counter: memref<1xi32>, %out: memref<1xi32>) kernel {
    %zero = arith.constant 0 : index
    %one = arith.constant 1 : i32
    %ticket = memref.atomic_rmw addi %one, %counter[%zero] : (i32, memref<1xi32>) -> i32
    memref.store %ticket, %out[%zero] : memref<1xi32>
    gpu.return
  }
}
