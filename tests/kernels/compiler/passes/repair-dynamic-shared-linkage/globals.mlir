// RUN: mmtune-opt %s --pass-pipeline='builtin.module(gpu.module(repair-dynamic-shared-linkage))' | FileCheck %s
// RUN: mmtune-opt %s --pass-pipeline='builtin.module(gpu.module(convert-gpu-to-nvvm,repair-dynamic-shared-linkage))' \
// RUN:   | FileCheck %s --check-prefix=LOWERED

// Two kernels with dynamic shared memory, one beside a static buffer: what they share is external, where the backend
// would give an internal global a byte of static shared memory. The static one stays internal.
// LOWERED-LABEL: gpu.module @kernels
// LOWERED-NEXT:  llvm.mlir.global external @__dynamic_shmem__{{[0-9]+}}() {addr_space = 3 : i32, alignment = 1024 : i64} : !llvm.array<0 x i8>
// LOWERED-NOT:   !llvm.array<0 x i8>
// LOWERED:       llvm.func @one
// LOWERED-NOT:   !llvm.array<0 x i8>
// LOWERED:       llvm.mlir.global internal @{{.*}}() {addr_space = 3 : i32, alignment = 16 : i64} : !llvm.array<33 x f32>
// LOWERED-NOT:   !llvm.array<0 x i8>
// LOWERED:       llvm.func @beside_a_static_one
gpu.module @kernels {
  gpu.func @one(%out: memref<?xf32>) kernel {
    %c0 = arith.constant 0 : index
    %d = gpu.dynamic_shared_memory : memref<?xi8, #gpu.address_space<workgroup>>
    %v = memref.view %d[%c0][] : memref<?xi8, #gpu.address_space<workgroup>> to memref<8xf32, #gpu.address_space<workgroup>>
    %x = memref.load %v[%c0] : memref<8xf32, #gpu.address_space<workgroup>>
    memref.store %x, %out[%c0] : memref<?xf32>
    gpu.return
  }
  gpu.func @beside_a_static_one(%out: memref<?xf32>)
      workgroup(%s: memref<33xf32, #gpu.address_space<workgroup>> {llvm.align = 16 : i64}) kernel {
    %c0 = arith.constant 0 : index
    %d = gpu.dynamic_shared_memory : memref<?xi8, #gpu.address_space<workgroup>>
    %v = memref.view %d[%c0][] : memref<?xi8, #gpu.address_space<workgroup>> to memref<8xf32, #gpu.address_space<workgroup>>
    %x = memref.load %v[%c0] : memref<8xf32, #gpu.address_space<workgroup>>
    memref.store %x, %s[%c0] : memref<33xf32, #gpu.address_space<workgroup>>
    gpu.return
  }
}

// Only arrays of no elements in shared memory change; an alignment that is there is raised, and no other global
// is touched.
// CHECK-LABEL: gpu.module @globals
// CHECK-NEXT:  llvm.mlir.global external @dynamic() {addr_space = 3 : i32, alignment = 1024 : i64} : !llvm.array<0 x i8>
// CHECK-NEXT:  llvm.mlir.global external @floats() {addr_space = 3 : i32, alignment = 1024 : i64} : !llvm.array<0 x f32>
// CHECK-NEXT:  llvm.mlir.global internal @static() {addr_space = 3 : i32, alignment = 8 : i64} : !llvm.array<4 x i64>
// CHECK-NEXT:  llvm.mlir.global internal @elsewhere() {addr_space = 1 : i32} : !llvm.array<0 x i8>
// CHECK-NEXT:  llvm.mlir.global internal @scalar() {addr_space = 3 : i32} : i32
gpu.module @globals {
  llvm.mlir.global internal @dynamic() {addr_space = 3 : i32, alignment = 16 : i64} : !llvm.array<0 x i8>
  llvm.mlir.global private @floats() {addr_space = 3 : i32} : !llvm.array<0 x f32>
  llvm.mlir.global internal @static() {addr_space = 3 : i32, alignment = 8 : i64} : !llvm.array<4 x i64>
  llvm.mlir.global internal @elsewhere() {addr_space = 1 : i32} : !llvm.array<0 x i8>
  llvm.mlir.global internal @scalar() {addr_space = 3 : i32} : i32
}
