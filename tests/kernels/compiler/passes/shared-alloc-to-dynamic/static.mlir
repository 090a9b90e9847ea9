// RUN: mmtune-opt %s -shared-alloc-to-dynamic | FileCheck %s

// Beside dynamic shared memory of the kernel's own, buffers are static.

// CHECK-LABEL: gpu.func @beside
// CHECK-SAME: workgroup(%[[A:.*]] : memref<64xf32, #gpu.address_space<workgroup>> {{.*}}, %[[B:.*]] : memref<32xf32, #gpu.address_space<workgroup>>
// CHECK: gpu.dynamic_shared_memory
// CHECK-NOT: memref.alloc
// CHECK: memref.store %{{.*}}, %[[A]]
// CHECK: memref.store %{{.*}}, %[[B]]
gpu.module @kernels {
  gpu.func @beside(%x: f32, %i: index) workgroup(%a: memref<64xf32, 3>) kernel {
    %d = gpu.dynamic_shared_memory : memref<?xi8, #gpu.address_space<workgroup>>
    %b = memref.alloc() : memref<32xf32, 3>
    memref.store %x, %a[%i] : memref<64xf32, 3>
    memref.store %x, %b[%i] : memref<32xf32, 3>
    gpu.return
  }
}
