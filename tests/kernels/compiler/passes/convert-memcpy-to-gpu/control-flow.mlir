// Buffers that come out of control flow, and loops around launches.
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
    gpu.func @none(%x: memref<0xf32>) kernel {
      gpu.return
    }
  }

  // The copy of the argument is made before the loop, in which no copies are.
  // CHECK-LABEL: func.func @while(
  // CHECK-SAME:    %[[X:.*]]: memref<64xf32>, %{{.*}}: index)
  // CHECK:       gpu.memcpy  %[[D:.*]], %[[X]]
  // CHECK:       scf.while
  // CHECK:       } do {
  // CHECK:         gpu.launch_func {{.*}} args(%[[D]] : memref<64xf32>)
  // CHECK-NOT:     gpu.memcpy
  // CHECK:         scf.yield
  // CHECK-NEXT:  }
  // CHECK-NEXT:  gpu.memcpy  %[[X]], %[[D]]
  // CHECK-NEXT:  gpu.dealloc  %[[D]]
  func.func @while(%x: memref<64xf32>, %n: index) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %r = scf.while (%i = %c0) : (index) -> index {
      %more = arith.cmpi slt, %i, %n : index
      scf.condition(%more) %i : index
    } do {
    ^bb0(%i: index):
      gpu.launch_func @kernels::@scale blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1) args(%x : memref<64xf32>)
      %next = arith.addi %i, %c1 : index
      scf.yield %next : index
    }
    return
  }

  // CHECK-LABEL: func.func @selected(
  // CHECK:       %[[Z:.*]] = arith.select
  // CHECK-NEXT:  %[[D:.*]] = gpu.alloc
  // CHECK-NEXT:  gpu.memcpy  %[[D]], %[[Z]]
  // CHECK-NEXT:  gpu.launch_func {{.*}} args(%[[D]] : memref<64xf32>)
  // CHECK-NEXT:  gpu.memcpy  %[[Z]], %[[D]]
  // CHECK-NEXT:  gpu.dealloc  %[[D]]
  func.func @selected(%p: i1, %x: memref<64xf32>, %y: memref<64xf32>) {
    %c1 = arith.constant 1 : index
    %z = arith.select %p, %x, %y : memref<64xf32>
    gpu.launch_func @kernels::@scale blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1) args(%z : memref<64xf32>)
    return
  }

  // The branch's allocation is the host's, as the result is.
  // CHECK-LABEL: func.func @out_of_a_branch(
  // CHECK:       %[[Z:.*]] = scf.if
  // CHECK:         memref.alloc()
  // CHECK:       gpu.memcpy  %[[D:.*]], %[[Z]]
  // CHECK-NEXT:  gpu.launch_func {{.*}} args(%[[D]] : memref<64xf32>)
  // CHECK-NEXT:  gpu.memcpy  %[[Z]], %[[D]]
  // CHECK-NEXT:  gpu.dealloc  %[[D]]
  // CHECK-NEXT:  return %[[Z]]
  func.func @out_of_a_branch(%p: i1) -> memref<64xf32> {
    %c1 = arith.constant 1 : index
    %z = scf.if %p -> memref<64xf32> {
      %a = memref.alloc() : memref<64xf32>
      gpu.launch_func @kernels::@scale blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1) args(%a : memref<64xf32>)
      scf.yield %a : memref<64xf32>
    } else {
      %b = memref.alloc() : memref<64xf32>
      scf.yield %b : memref<64xf32>
    }
    gpu.launch_func @kernels::@scale blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1) args(%z : memref<64xf32>)
    return %z : memref<64xf32>
  }

  // CHECK-LABEL: func.func @block_argument(
  // CHECK:     ^bb1(%[[Z:.*]]: memref<64xf32>):
  // CHECK-NEXT:  %[[D:.*]] = gpu.alloc
  // CHECK-NEXT:  gpu.memcpy  %[[D]], %[[Z]]
  // CHECK-NEXT:  gpu.launch_func {{.*}} args(%[[D]] : memref<64xf32>)
  // CHECK-NEXT:  gpu.memcpy  %[[Z]], %[[D]]
  func.func @block_argument(%p: i1, %x: memref<64xf32>, %y: memref<64xf32>) {
    %c1 = arith.constant 1 : index
    cf.cond_br %p, ^bb1(%x : memref<64xf32>), ^bb1(%y : memref<64xf32>)
  ^bb1(%z: memref<64xf32>):
    gpu.launch_func @kernels::@scale blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1) args(%z : memref<64xf32>)
    return
  }

  // Through a memref without rank and back: another name of the same memory.
  // CHECK-LABEL: func.func @through_an_unranked_memref(
  // CHECK:       %[[X:.*]] = memref.alloc()
  // CHECK:       %[[Y:.*]] = memref.cast %{{.*}} : memref<*xf32> to memref<64xf32>
  // CHECK:       gpu.memcpy  %[[Y]], %{{.*}}
  // CHECK:       gpu.memcpy  %{{.*}}, %[[X]]
  // CHECK:       gpu.memcpy  %[[X]], %{{.*}}
  // CHECK:       memref.dealloc %[[X]]
  func.func @through_an_unranked_memref() {
    %c1 = arith.constant 1 : index
    %x = memref.alloc() : memref<64xf32>
    %any = memref.cast %x : memref<64xf32> to memref<*xf32>
    %y = memref.cast %any : memref<*xf32> to memref<64xf32>
    gpu.launch_func @kernels::@scale blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1) args(%y : memref<64xf32>)
    gpu.launch_func @kernels::@scale blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1) args(%x : memref<64xf32>)
    memref.dealloc %x : memref<64xf32>
    return
  }

  // On the stack: nothing to free on the host, the device copy is freed after its last use.
  // CHECK-LABEL: func.func @stack(
  // CHECK-NOT:   memref.alloca
  // CHECK:       %[[D:.*]] = gpu.alloc  ()
  // CHECK-NEXT:  gpu.launch_func {{.*}} args(%[[D]] : memref<64xf32>)
  // CHECK-NEXT:  gpu.dealloc  %[[D]]
  func.func @stack() {
    %c1 = arith.constant 1 : index
    %x = memref.alloca() : memref<64xf32>
    gpu.launch_func @kernels::@scale blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1) args(%x : memref<64xf32>)
    return
  }

  // CHECK-LABEL: func.func @empty(
  // CHECK:       gpu.alloc  () : memref<0xf32>
  func.func @empty(%x: memref<0xf32>) {
    %c1 = arith.constant 1 : index
    gpu.launch_func @kernels::@none blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1) args(%x : memref<0xf32>)
    return
  }

  // Freed on one path only: it stays the host's, where the program leaks it, and the device's copies are freed.
  // CHECK-LABEL: func.func @freed_on_one_path(
  // CHECK:       memref.alloc()
  // CHECK:       gpu.launch_func
  // CHECK-NEXT:  gpu.memcpy
  // CHECK-NEXT:  gpu.dealloc
  // CHECK:     ^bb1:
  // CHECK-NEXT:  memref.dealloc
  func.func @freed_on_one_path(%p: i1) {
    %c1 = arith.constant 1 : index
    %x = memref.alloc() : memref<64xf32>
    gpu.launch_func @kernels::@scale blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1) args(%x : memref<64xf32>)
    cf.cond_br %p, ^bb1, ^bb2
  ^bb1:
    memref.dealloc %x : memref<64xf32>
    return
  ^bb2:
    return
  }

  // Freed on either path, or returned.
  // CHECK-LABEL: func.func @freed_or_returned(
  // CHECK:       %[[D:.*]] = gpu.alloc  ()
  // CHECK:     ^bb1:
  // CHECK-NEXT:  gpu.dealloc  %[[D]]
  // CHECK-NEXT:  return %[[Y:.*]] :
  // CHECK:     ^bb2:
  // CHECK-NEXT:  %[[H:.*]] = memref.alloc()
  // CHECK-NEXT:  gpu.memcpy  %[[H]], %[[D]]
  // CHECK-NEXT:  gpu.dealloc  %[[D]]
  // CHECK-NEXT:  return %[[H]]
  func.func @freed_or_returned(%p: i1, %y: memref<64xf32>) -> memref<64xf32> {
    %c1 = arith.constant 1 : index
    %x = memref.alloc() : memref<64xf32>
    gpu.launch_func @kernels::@scale blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1) args(%x : memref<64xf32>)
    cf.cond_br %p, ^bb1, ^bb2
  ^bb1:
    memref.dealloc %x : memref<64xf32>
    return %y : memref<64xf32>
  ^bb2:
    return %x : memref<64xf32>
  }
}
