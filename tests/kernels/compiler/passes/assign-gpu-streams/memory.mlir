// RUN: mmtune-opt %s --assign-gpu-streams=max-deferred-bytes=40 | FileCheck %s
// RUN: mmtune-opt %s --assign-gpu-streams=distinct-arguments=true | FileCheck %s --check-prefix=DISTINCT

module attributes {gpu.container_module} {
  gpu.module @counting {
    llvm.mlir.global internal @count(0 : i32) {addr_space = 1 : i32} : i32
    gpu.func @touch(%a: memref<8xi32>) kernel {
      %i = gpu.thread_id x
      %x = memref.load %a[%i] : memref<8xi32>
      memref.store %x, %a[%i] : memref<8xi32>
      gpu.return
    }
    gpu.func @pointer(%a: !llvm.ptr) kernel {
      %c = arith.constant 0 : i32
      llvm.store %c, %a : i32, !llvm.ptr
      gpu.return
    }
  }

  // 32 bytes wait to be freed without more ado; 64 are freed before more is allocated.
  // CHECK-LABEL: func.func @freed_in_between(
  // CHECK:       gpu.memset async
  // CHECK-NOT:   mgpuStreamSynchronize
  // CHECK:       gpu.memset async
  // CHECK-NEXT:  llvm.call @mgpuStreamSynchronize
  // CHECK-NEXT:  llvm.call @mgpuStreamSynchronize
  // CHECK-NEXT:  gpu.dealloc async
  // CHECK-NEXT:  gpu.dealloc async
  // CHECK-NEXT:  gpu.alloc async
  // CHECK-NEXT:  gpu.memset async
  func.func @freed_in_between(%v: i32) {
    %a = gpu.alloc () : memref<8xi32>
    gpu.memset %a, %v : memref<8xi32>, i32
    gpu.dealloc %a : memref<8xi32>
    %b = gpu.alloc () : memref<8xi32>
    gpu.memset %b, %v : memref<8xi32>, i32
    gpu.dealloc %b : memref<8xi32>
    %c = gpu.alloc () : memref<8xi32>
    gpu.memset %c, %v : memref<8xi32>, i32
    gpu.dealloc %c : memref<8xi32>
    return
  }

  // A size that nobody knows may be too large.
  // CHECK-LABEL: func.func @dynamic_size(
  // CHECK:       gpu.memset async
  // CHECK-NEXT:  llvm.call @mgpuStreamSynchronize
  // CHECK-NEXT:  gpu.dealloc async
  // CHECK-NEXT:  gpu.alloc async
  func.func @dynamic_size(%v: i32, %n: index) {
    %a = gpu.alloc (%n) : memref<?xi32>
    gpu.memset %a, %v : memref<?xi32>, i32
    gpu.dealloc %a : memref<?xi32>
    %b = gpu.alloc (%n) : memref<?xi32>
    gpu.memset %b, %v : memref<?xi32>, i32
    gpu.dealloc %b : memref<?xi32>
    return
  }

  // A size that is found out in between keeps its allocation where it is.
  // CHECK-LABEL: func.func @sized_by_the_host(
  // CHECK:       gpu.memset async
  // CHECK-NEXT:  %[[N:.*]] = memref.dim
  // CHECK-NEXT:  gpu.alloc async [%{{.*}}] (%[[N]])
  func.func @sized_by_the_host(%v: i32, %h: memref<?xi32>) {
    %c0 = arith.constant 0 : index
    %a = gpu.alloc () : memref<8xi32>
    gpu.memset %a, %v : memref<8xi32>, i32
    %n = memref.dim %h, %c0 : memref<?xi32>
    %b = gpu.alloc (%n) : memref<?xi32>
    gpu.memset %b, %v : memref<?xi32>, i32
    gpu.dealloc %a : memref<8xi32>
    gpu.dealloc %b : memref<?xi32>
    return
  }

  // Arguments may overlap, unless the caller promises that they do not.
  // CHECK-LABEL:    func.func @arguments(
  // CHECK:          gpu.memset async [%[[T:[0-9]+]]]
  // CHECK-NEXT:     gpu.memset async [%[[T]]]
  // DISTINCT-LABEL: func.func @arguments(
  // DISTINCT:       gpu.memset async [%[[T:[0-9]+]]]
  // DISTINCT-NOT:   gpu.memset async [%[[T]]]
  // DISTINCT:       gpu.memset async
  func.func @arguments(%a: memref<8xi32>, %b: memref<8xi32>, %v: i32) {
    gpu.memset %a, %v : memref<8xi32>, i32
    gpu.memset %b, %v : memref<8xi32>, i32
    return
  }

  // A caller in the module breaks that promise.
  // DISTINCT-LABEL: func.func private @passed_one_buffer_twice(
  // DISTINCT:       gpu.memset async [%[[T:[0-9]+]]]
  // DISTINCT-NEXT:  gpu.memset async [%[[T]]]
  // DISTINCT:       gpu.memset async
  func.func private @passed_one_buffer_twice(%a: memref<8xi32>, %b: memref<8xi32>, %c: memref<8xi32>, %v: i32) {
    gpu.memset %a, %v : memref<8xi32>, i32
    gpu.memset %b, %v : memref<8xi32>, i32
    gpu.memset %c, %v : memref<8xi32>, i32
    return
  }
  func.func @passes_it_twice(%a: memref<8xi32>, %c: memref<8xi32>, %v: i32) {
    call @passed_one_buffer_twice(%a, %a, %c, %v) : (memref<8xi32>, memref<8xi32>, memref<8xi32>, i32) -> ()
    return
  }

  // What comes out of control flow may be any buffer that goes in.
  // DISTINCT-LABEL: func.func @chosen(
  // DISTINCT:       gpu.memset async [%[[T:[0-9]+]]]
  // DISTINCT:       arith.select
  // DISTINCT-NEXT:  gpu.memset async [%[[T]]]
  func.func @chosen(%a: memref<8xi32>, %v: i32, %p: i1) {
    %b = gpu.alloc () : memref<8xi32>
    gpu.memset %b, %v : memref<8xi32>, i32
    %c = arith.select %p, %a, %b : memref<8xi32>
    gpu.memset %c, %v : memref<8xi32>, i32
    gpu.dealloc %b : memref<8xi32>
    return
  }

  // Kernels may hand each other something in a variable of the device.
  // DISTINCT-LABEL: func.func @variables(
  // DISTINCT:       gpu.launch_func async [%[[T:[0-9]+]]]
  // DISTINCT-NEXT:  gpu.launch_func async [%[[T]]]
  func.func @variables(%a: memref<8xi32>, %b: memref<8xi32>) {
    %c1 = arith.constant 1 : index
    gpu.launch_func @counting::@touch blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1) args(%a : memref<8xi32>)
    gpu.launch_func @counting::@touch blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1) args(%b : memref<8xi32>)
    return
  }

  // A pointer may point anywhere.
  // DISTINCT-LABEL: func.func @pointers(
  // DISTINCT:       gpu.memset async [%[[T:[0-9]+]]]
  // DISTINCT-NEXT:  gpu.launch_func async [%[[T]]]
  func.func @pointers(%a: memref<8xi32>, %p: !llvm.ptr, %v: i32) {
    %c1 = arith.constant 1 : index
    gpu.memset %a, %v : memref<8xi32>, i32
    gpu.launch_func @counting::@pointer blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1) args(%p : !llvm.ptr)
    return
  }
}
