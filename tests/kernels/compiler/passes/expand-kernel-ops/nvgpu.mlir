// RUN: mmtune-opt %s --pass-pipeline='builtin.module(gpu.module(expand-kernel-ops))' | FileCheck %s

// CHECK-LABEL: gpu.func @copy
// CHECK-NOT: nvgpu
// CHECK: nvvm.cp.async.shared.global
// CHECK: nvvm.cp.async.commit.group
// CHECK: nvvm.cp.async.wait.group 0
gpu.module @kernels {
  gpu.func @copy(%in: memref<64xf32>) workgroup(%buffer: memref<64xf32, #gpu.address_space<workgroup>>) kernel {
    %x = gpu.thread_id x
    %copy = nvgpu.device_async_copy %in[%x], %buffer[%x], 1 : memref<64xf32> to memref<64xf32, #gpu.address_space<workgroup>>
    %group = nvgpu.device_async_create_group %copy
    nvgpu.device_async_wait %group {numGroups = 0 : i32}
    gpu.return
  }
}
