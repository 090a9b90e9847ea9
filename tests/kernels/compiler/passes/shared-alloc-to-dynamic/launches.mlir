// Sizes of launches: of several kernels, from several functions, in several modules, beside what a launch gives itself.
// RUN: mmtune-opt %s --shared-alloc-to-dynamic | FileCheck %s

module attributes {gpu.container_module} {
  // CHECK-LABEL: func.func @first(
  func.func @first(%v: f32) {
    %c1 = arith.constant 1 : index
    // CHECK: %[[SMALL:.*]] = arith.constant 256 : i32
    // CHECK-NEXT: gpu.launch_func @kernels::@fill {{.*}} dynamic_shared_memory_size %[[SMALL]] args(
    gpu.launch_func @kernels::@fill blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1) args(%v : f32)
    // CHECK: %[[LARGE:.*]] = arith.constant 4096 : i32
    // CHECK-NEXT: gpu.launch_func @others::@fill {{.*}} dynamic_shared_memory_size %[[LARGE]] args(
    gpu.launch_func @others::@fill blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1) args(%v : f32)
    return
  }

  // CHECK-LABEL: func.func @second(
  func.func @second(%v: f32, %given: i32) {
    %c1 = arith.constant 1 : index
    %zero = arith.constant 0 : i32
    %more = arith.constant 81920 : i32
    %token = gpu.wait async
    // CHECK: %[[SMALL:.*]] = arith.constant 256 : i32
    // CHECK-NEXT: gpu.launch_func async [%{{.*}}] @kernels::@fill {{.*}} dynamic_shared_memory_size %[[SMALL]] args(
    %done = gpu.launch_func async [%token] @kernels::@fill blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1)
        dynamic_shared_memory_size %zero args(%v : f32)
    gpu.wait [%done]
    // A larger size is kept.
    // CHECK: gpu.launch_func @kernels::@fill {{.*}} dynamic_shared_memory_size %c81920_i32 args(
    gpu.launch_func @kernels::@fill blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1)
        dynamic_shared_memory_size %more args(%v : f32)
    // One that is known only later is raised.
    // CHECK: %[[NEEDED:.*]] = arith.constant 256 : i32
    // CHECK-NEXT: %[[SIZE:.*]] = arith.maxsi %{{.*}}, %[[NEEDED]] : i32
    // CHECK-NEXT: gpu.launch_func @kernels::@fill {{.*}} dynamic_shared_memory_size %[[SIZE]] args(
    gpu.launch_func @kernels::@fill blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1)
        dynamic_shared_memory_size %given args(%v : f32)
    // A kernel without shared buffers keeps what its launch says.
    // CHECK: gpu.launch_func @kernels::@own {{.*}} dynamic_shared_memory_size %c81920_i32
    gpu.launch_func @kernels::@own blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1)
        dynamic_shared_memory_size %more
    return
  }

  gpu.module @kernels {
    // CHECK-LABEL: gpu.func @fill(
    // CHECK:       memref.view {{.*}} to memref<64xf32, #gpu.address_space<workgroup>>
    gpu.func @fill(%v: f32) kernel {
      %t = gpu.thread_id x
      %a = memref.alloc() : memref<64xf32, 3>
      memref.store %v, %a[%t] : memref<64xf32, 3>
      gpu.return
    }

    // CHECK-LABEL: gpu.func @own() kernel
    gpu.func @own() kernel {
      %d = gpu.dynamic_shared_memory : memref<?xi8, #gpu.address_space<workgroup>>
      gpu.return
    }

    // Memory space 3 of functions that kernels call is spelled the same way.
    // CHECK: func.func private @store(memref<64xf32, #gpu.address_space<workgroup>>)
    func.func private @store(memref<64xf32, 3>)
  }

  gpu.module @others {
    gpu.func @fill(%v: f32) kernel {
      %t = gpu.thread_id x
      %a = memref.alloca() : memref<1024xf32, #gpu.address_space<workgroup>>
      memref.store %v, %a[%t] : memref<1024xf32, #gpu.address_space<workgroup>>
      gpu.return
    }
  }
}
