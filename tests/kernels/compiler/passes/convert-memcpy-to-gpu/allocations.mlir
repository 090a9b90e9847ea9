// RUN: mmtune-opt %s --convert-memcpy-to-gpu | FileCheck %s

module attributes {gpu.container_module} {
  gpu.module @kernels {
    gpu.func @scale(%inout: memref<64xf32>) kernel {
      %i = gpu.thread_id x
      %x = memref.load %inout[%i] : memref<64xf32>
      %y = arith.addf %x, %x : f32
      memref.store %y, %inout[%i] : memref<64xf32>
      gpu.return
    }
    gpu.func @dynamic(%x: memref<?x?xf32>) kernel {
      gpu.return
    }
  }

  // CHECK-LABEL: func.func @program_frees(
  // CHECK:       %[[D:.*]] = gpu.alloc  () : memref<64xf32>
  // CHECK-NEXT:  gpu.launch_func {{.*}} args(%[[D]] : memref<64xf32>)
  // CHECK-NEXT:  gpu.dealloc  %[[D]]
  // CHECK-NOT:   gpu.dealloc
  func.func @program_frees() {
    %c1 = arith.constant 1 : index
    %x = memref.alloc() : memref<64xf32>
    gpu.launch_func @kernels::@scale blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1) args(%x : memref<64xf32>)
    memref.dealloc %x : memref<64xf32>
    return
  }

  // Without a dealloc: freed after the last use. An alloc of the host's stays with the host.
  // CHECK-LABEL: func.func @after_last_use(
  // CHECK:       %[[D:.*]] = gpu.alloc  ()
  // CHECK:       scf.for
  // CHECK:         gpu.launch_func {{.*}} args(%[[D]] : memref<64xf32>)
  // CHECK:       }
  // CHECK-NEXT:  gpu.dealloc  %[[D]]
  // CHECK-NEXT:  %[[H:.*]] = memref.alloc()
  // CHECK-NEXT:  memref.store %{{.*}}, %[[H]]
  func.func @after_last_use(%v: f32) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c8 = arith.constant 8 : index
    %x = memref.alloc() : memref<64xf32>
    scf.for %i = %c0 to %c8 step %c1 {
      gpu.launch_func @kernels::@scale blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1) args(%x : memref<64xf32>)
    }
    %h = memref.alloc() : memref<64xf32>
    memref.store %v, %h[%c0] : memref<64xf32>
    memref.dealloc %h : memref<64xf32>
    return
  }

  // CHECK-LABEL: func.func @in_a_loop(
  // CHECK:       scf.for
  // CHECK-NEXT:    %[[D:.*]] = gpu.alloc  ()
  // CHECK-NEXT:    gpu.launch_func {{.*}} args(%[[D]] : memref<64xf32>)
  // CHECK-NEXT:    gpu.dealloc  %[[D]]
  // CHECK-NEXT:  }
  func.func @in_a_loop() {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c8 = arith.constant 8 : index
    scf.for %i = %c0 to %c8 step %c1 {
      %x = memref.alloc() : memref<64xf32>
      gpu.launch_func @kernels::@scale blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1) args(%x : memref<64xf32>)
    }
    return
  }

  // Sizes are kept, in the device's allocation and in the result's; the size itself stays readable.
  // CHECK-LABEL: func.func @dynamic_and_returned(
  // CHECK-SAME:    %[[M:.*]]: index, %[[N:.*]]: index)
  // CHECK:       %[[D:.*]] = gpu.alloc  (%[[M]], %[[N]]) : memref<?x?xf32>
  // CHECK:       memref.dim %[[D]]
  // CHECK:       %[[H:.*]] = memref.alloc(%[[M]], %[[N]]) : memref<?x?xf32>
  // CHECK-NEXT:  gpu.memcpy  %[[H]], %[[D]]
  // CHECK-NEXT:  gpu.dealloc  %[[D]]
  // CHECK-NEXT:  return %[[H]], %{{.*}}
  func.func @dynamic_and_returned(%m: index, %n: index) -> (memref<?x?xf32>, index) {
    %c1 = arith.constant 1 : index
    %x = memref.alloc(%m, %n) : memref<?x?xf32>
    gpu.launch_func @kernels::@dynamic blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1) args(%x : memref<?x?xf32>)
    %size = memref.dim %x, %c1 : memref<?x?xf32>
    return %x, %size : memref<?x?xf32>, index
  }

  // One host copy, and the caller sees one buffer twice, as before.
  // CHECK-LABEL: func.func @returned_twice(
  // CHECK:       %[[D:.*]] = gpu.alloc  ()
  // CHECK:       %[[H:.*]] = memref.alloc() : memref<64xf32>
  // CHECK-NEXT:  gpu.memcpy  %[[H]], %[[D]]
  // CHECK-NEXT:  %[[VIEW:.*]] = memref.subview %[[H]][8] [8] [1]
  // CHECK-NEXT:  gpu.dealloc  %[[D]]
  // CHECK-NEXT:  return %[[H]], %[[H]], %[[VIEW]]
  func.func @returned_twice() -> (memref<64xf32>, memref<64xf32>, memref<8xf32, strided<[1], offset: 8>>) {
    %c1 = arith.constant 1 : index
    %x = memref.alloc() : memref<64xf32>
    gpu.launch_func @kernels::@scale blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1) args(%x : memref<64xf32>)
    %view = memref.subview %x[8] [8] [1] : memref<64xf32> to memref<8xf32, strided<[1], offset: 8>>
    return %x, %x, %view : memref<64xf32>, memref<64xf32>, memref<8xf32, strided<[1], offset: 8>>
  }

  // Several blocks and returns: each path frees what it allocated, once.
  // CHECK-LABEL: func.func @several_returns(
  // CHECK-SAME:    %[[X:.*]]: memref<64xf32>, %{{.*}}: i1)
  // CHECK:       %[[DX:.*]] = gpu.alloc  ()
  // CHECK:       %[[D:.*]] = gpu.alloc  ()
  // CHECK:       cf.cond_br
  // CHECK:     ^bb1:
  // CHECK-NEXT:  gpu.launch_func {{.*}} args(%[[D]] : memref<64xf32>)
  // CHECK-NEXT:  gpu.memcpy  %[[X]], %[[DX]]
  // CHECK-NEXT:  gpu.dealloc  %[[DX]]
  // CHECK-NEXT:  gpu.dealloc  %[[D]]
  // CHECK-NEXT:  return
  // CHECK:     ^bb2:
  // CHECK-NEXT:  gpu.launch_func {{.*}} args(%[[DX]] : memref<64xf32>)
  // CHECK-NEXT:  %[[OTHER:.*]] = gpu.alloc  ()
  // CHECK-NEXT:  gpu.launch_func {{.*}} args(%[[OTHER]] : memref<64xf32>)
  // CHECK-NEXT:  gpu.dealloc  %[[OTHER]]
  // CHECK-NEXT:  gpu.memcpy  %[[X]], %[[DX]]
  // CHECK-NEXT:  gpu.dealloc  %[[DX]]
  // CHECK-NEXT:  gpu.dealloc  %[[D]]
  // CHECK-NEXT:  return
  func.func @several_returns(%x: memref<64xf32>, %p: i1) {
    %c1 = arith.constant 1 : index
    %y = memref.alloc() : memref<64xf32>
    cf.cond_br %p, ^bb1, ^bb2
  ^bb1:
    gpu.launch_func @kernels::@scale blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1) args(%y : memref<64xf32>)
    return
  ^bb2:
    gpu.launch_func @kernels::@scale blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1) args(%x : memref<64xf32>)
    %z = memref.alloc() : memref<64xf32>
    gpu.launch_func @kernels::@scale blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1) args(%z : memref<64xf32>)
    return
  }

  // No block that every path passes once: the buffer stays with the host and is copied around the launch.
  // CHECK-LABEL: func.func @no_place_to_free(
  // CHECK:     ^bb1:
  // CHECK:       %[[H:.*]] = memref.alloc()
  // CHECK:     ^bb2:
  // CHECK-NEXT:  %[[D:.*]] = gpu.alloc  ()
  // CHECK-NEXT:  gpu.memcpy  %[[D]], %[[H]]
  // CHECK-NEXT:  gpu.launch_func {{.*}} args(%[[D]] : memref<64xf32>)
  // CHECK-NEXT:  gpu.memcpy  %[[H]], %[[D]]
  // CHECK-NEXT:  gpu.dealloc  %[[D]]
  func.func @no_place_to_free(%p: i1) {
    %c1 = arith.constant 1 : index
    cf.br ^bb1
  ^bb1:
    %x = memref.alloc() : memref<64xf32>
    cf.cond_br %p, ^bb2, ^bb3
  ^bb2:
    gpu.launch_func @kernels::@scale blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1) args(%x : memref<64xf32>)
    cf.cond_br %p, ^bb1, ^bb3
  ^bb3:
    return
  }

  // Shared memory and allocations of no launch stay as they are.
  // CHECK-LABEL: func.func @left_alone(
  // CHECK-NEXT:  memref.alloc() : memref<64xf32>
  // CHECK-NEXT:  memref.alloc() : memref<64xf32, 3>
  // CHECK-NEXT:  return
  func.func @left_alone() {
    %x = memref.alloc() : memref<64xf32>
    %y = memref.alloc() : memref<64xf32, 3>
    return
  }
}
