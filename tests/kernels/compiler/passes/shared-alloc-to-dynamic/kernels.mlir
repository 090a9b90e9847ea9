// RUN: mmtune-opt %s --shared-alloc-to-dynamic | FileCheck %s
// RUN: mmtune-opt %s --pass-pipeline='builtin.module(shared-alloc-to-dynamic,gpu.module(convert-scf-to-cf,convert-gpu-to-nvvm,repair-dynamic-shared-linkage))' \
// RUN:   | FileCheck %s --check-prefix=NVVM

// No allocation reaches the device's malloc, and what is left is one external symbol that nothing overlaps.
// NVVM-NOT: malloc
// NVVM:     llvm.mlir.global external @__dynamic_shmem__{{[0-9]+}}() {addr_space = 3 : i32, alignment = 1024 : i64} : !llvm.array<0 x i8>
// NVVM-NOT: llvm.mlir.global
// NVVM-NOT: malloc

module attributes {gpu.container_module} {
  // CHECK-LABEL: func.func @host(
  func.func @host(%a: memref<128x64xf32>) {
    %c1 = arith.constant 1 : index
    // CHECK: %[[SIZE:.*]] = arith.constant 16384 : i32
    // CHECK: gpu.launch_func @kernels::@loop {{.*}} dynamic_shared_memory_size %[[SIZE]]
    gpu.launch_func @kernels::@loop blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1) args(%a : memref<128x64xf32>)
    // CHECK: %[[SIZE2:.*]] = arith.constant 388 : i32
    // CHECK: gpu.launch_func @kernels::@mixed {{.*}} dynamic_shared_memory_size %[[SIZE2]]
    gpu.launch_func @kernels::@mixed blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1)
    // CHECK: gpu.launch_func @kernels::@none blocks in (%{{.*}}, %{{.*}}, %{{.*}}) threads in (%{{.*}}, %{{.*}}, %{{.*}})
    // CHECK-NOT: dynamic_shared_memory_size
    // CHECK: return
    gpu.launch_func @kernels::@none blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1)
    return
  }

  gpu.module @kernels {
    // The allocation of a tile in a loop over k, in memory space 3: one place for all turns, and a barrier that the
    // body had only in its middle.
    // CHECK-LABEL: gpu.func @loop(
    // CHECK-NEXT:  %[[ARENA:.*]] = gpu.dynamic_shared_memory : memref<?xi8, #gpu.address_space<workgroup>>
    // CHECK-NEXT:  %[[O0:.*]] = arith.constant 0 : index
    // CHECK-NEXT:  %[[A:.*]] = memref.view %[[ARENA]][%[[O0]]][] : {{.*}} to memref<128x16xf32, #gpu.address_space<workgroup>>
    // CHECK-NEXT:  %[[O1:.*]] = arith.constant 8192 : index
    // CHECK-NEXT:  %[[B:.*]] = memref.view %[[ARENA]][%[[O1]]][]
    // CHECK:       scf.for
    // CHECK-NEXT:    gpu.barrier
    // CHECK-NEXT:    memref.load
    // CHECK-NEXT:    memref.store %{{.*}}, %[[A]]
    // CHECK-NEXT:    gpu.barrier
    // CHECK-NEXT:    memref.load %[[A]]
    // CHECK-NEXT:    memref.store %{{.*}}, %[[B]]
    // CHECK-NOT:   memref.dealloc
    gpu.func @loop(%a: memref<128x64xf32>) kernel {
      %c0 = arith.constant 0 : index
      %c16 = arith.constant 16 : index
      %c64 = arith.constant 64 : index
      scf.for %k = %c0 to %c64 step %c16 {
        %tile_a = memref.alloc() : memref<128x16xf32, 3>
        %tile_b = memref.alloc() : memref<128x16xf32, 3>
        %x = memref.load %a[%c0, %k] : memref<128x64xf32>
        memref.store %x, %tile_a[%c0, %c0] : memref<128x16xf32, 3>
        gpu.barrier
        %y = memref.load %tile_a[%c0, %c0] : memref<128x16xf32, 3>
        memref.store %y, %tile_b[%c0, %c0] : memref<128x16xf32, 3>
        %z = memref.load %tile_a[%c0, %c0] : memref<128x16xf32, 3>
        memref.dealloc %tile_a : memref<128x16xf32, 3>
        memref.dealloc %tile_b : memref<128x16xf32, 3>
      }
      gpu.return
    }

    // Attributions move too: static and dynamic shared memory never meet. 33 floats end at 132, so the next buffer
    // begins at 256, and 388 bytes are needed.
    // CHECK-LABEL: gpu.func @mixed() kernel {
    // CHECK:       memref.view %{{.*}}[%{{.*}}][] : {{.*}} to memref<33xf32, #gpu.address_space<workgroup>>
    // CHECK:       arith.constant 256 : index
    // CHECK:       memref.view %{{.*}}[%{{.*}}][] : {{.*}} to memref<33xf32, #gpu.address_space<workgroup>>
    // CHECK:       scf.for
    // CHECK-NOT:     gpu.barrier
    // CHECK:         memref.store
    // CHECK-NEXT:    gpu.barrier
    // CHECK:       gpu.return
    gpu.func @mixed() workgroup(%s: memref<33xf32, #gpu.address_space<workgroup>>) kernel {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %v = arith.constant 1.0 : f32
      memref.store %v, %s[%c0] : memref<33xf32, #gpu.address_space<workgroup>>
      scf.for %k = %c0 to %c1 step %c1 {
        %t = memref.alloc() : memref<33xf32, #gpu.address_space<workgroup>>
        memref.store %v, %t[%c0] : memref<33xf32, #gpu.address_space<workgroup>>
        gpu.barrier
      }
      memref.store %v, %s[%c0] : memref<33xf32, #gpu.address_space<workgroup>>
      gpu.return
    }

    // CHECK-LABEL: gpu.func @none()
    // CHECK-NOT:   gpu.dynamic_shared_memory
    gpu.func @none() kernel {
      gpu.return
    }
  }
}
