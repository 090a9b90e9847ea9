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
    gpu.func @opaque(%x: memref<64xf32>) kernel {
      %view = memref.reinterpret_cast %x to offset: [0], sizes: [64], strides: [1] : memref<64xf32> to memref<64xf32>
      func.call @device(%view) : (memref<64xf32>) -> ()
      gpu.return
    }
    func.func private @device(memref<64xf32>)
  }
  memref.global "private" constant @table : memref<64xf32> = dense<1.0>
  memref.global "private" @state : memref<64xf32> = dense<0.0>

  // Copies between device buffers stay on the device; copies to the host's cross over.
  // CHECK-LABEL: func.func @copies(
  // CHECK-SAME:    %[[X:.*]]: memref<64xf32>, %[[OUT:.*]]: memref<64xf32>)
  // CHECK:       %[[DX:.*]] = gpu.alloc
  // CHECK:       gpu.memcpy  %[[DX]], %[[X]]
  // CHECK:       %[[DY:.*]] = gpu.alloc
  // CHECK-NEXT:  gpu.memcpy  %[[DY]], %[[DX]]
  // CHECK-NEXT:  gpu.launch_func {{.*}} args(%[[DY]] : memref<64xf32>)
  // CHECK-NEXT:  gpu.launch_func {{.*}} args(%[[DX]] : memref<64xf32>)
  // CHECK-NEXT:  gpu.memcpy  %[[OUT]], %[[DY]]
  // CHECK-NEXT:  gpu.dealloc  %[[DY]]
  // CHECK-NOT:   memref.copy
  // CHECK:       return
  func.func @copies(%x: memref<64xf32>, %out: memref<64xf32>) {
    %c1 = arith.constant 1 : index
    %y = memref.alloc() : memref<64xf32>
    memref.copy %x, %y : memref<64xf32> to memref<64xf32>
    gpu.launch_func @kernels::@scale blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1) args(%y : memref<64xf32>)
    gpu.launch_func @kernels::@scale blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1) args(%x : memref<64xf32>)
    memref.copy %y, %out : memref<64xf32> to memref<64xf32>
    memref.dealloc %y : memref<64xf32>
    return
  }

  // Filled from elsewhere before anything reads it: the argument's contents are not copied in.
  // CHECK-LABEL: func.func @copied_over(
  // CHECK-SAME:    %[[X:.*]]: memref<64xf32>, %[[HOST:.*]]: memref<64xf32>)
  // CHECK-NEXT:  %[[D:.*]] = gpu.alloc
  // CHECK-NOT:   gpu.memcpy  %[[D]], %[[X]]
  // CHECK:       gpu.memcpy  %[[D]], %[[HOST]]
  // CHECK-NEXT:  gpu.launch_func
  // CHECK-NEXT:  gpu.memcpy  %[[X]], %[[D]]
  func.func @copied_over(%x: memref<64xf32>, %host: memref<64xf32>) {
    %c1 = arith.constant 1 : index
    memref.copy %host, %x : memref<64xf32> to memref<64xf32>
    gpu.launch_func @kernels::@scale blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1) args(%x : memref<64xf32>)
    return
  }

  // A copy of the host's buffers only.
  // CHECK-LABEL: func.func @host_copy(
  // CHECK-NEXT:  memref.copy
  func.func @host_copy(%x: memref<64xf32>, %y: memref<64xf32>) {
    memref.copy %x, %y : memref<64xf32> to memref<64xf32>
    return
  }

  // One device copy of a global, made where it dominates the loop and the branch that use it. Kernels may not write a
  // constant, so it is not copied back even when nothing is known about the kernel.
  // CHECK-LABEL: func.func @globals(
  // CHECK-DAG:   %[[TABLE:.*]] = memref.get_global @table
  // CHECK-DAG:   %[[STATE:.*]] = memref.get_global @state
  // CHECK-DAG:   gpu.memcpy  %[[DTABLE:.*]], %[[TABLE]]
  // CHECK-DAG:   gpu.memcpy  %[[DSTATE:.*]], %[[STATE]]
  // CHECK:       scf.for
  // CHECK-NEXT:    gpu.launch_func @kernels::@opaque {{.*}} args(%[[DTABLE]] : memref<64xf32>)
  // CHECK-NEXT:    scf.if
  // CHECK-NEXT:      gpu.launch_func {{.*}} args(%[[DSTATE]] : memref<64xf32>)
  // CHECK:       gpu.launch_func {{.*}} args(%[[DSTATE]] : memref<64xf32>)
  // CHECK-NOT:   gpu.memcpy  %[[TABLE]]
  // CHECK:       gpu.memcpy  %[[STATE]], %[[DSTATE]]
  // CHECK-NEXT:  gpu.dealloc  %[[DSTATE]]
  // CHECK-NEXT:  return
  func.func @globals(%p: i1) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    scf.for %i = %c0 to %c1 step %c1 {
      %table = memref.get_global @table : memref<64xf32>
      gpu.launch_func @kernels::@opaque blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1) args(%table : memref<64xf32>)
      scf.if %p {
        %state = memref.get_global @state : memref<64xf32>
        gpu.launch_func @kernels::@scale blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1) args(%state : memref<64xf32>)
      }
    }
    %again = memref.get_global @state : memref<64xf32>
    gpu.launch_func @kernels::@scale blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1) args(%again : memref<64xf32>)
    return
  }

  // The caller may have passed @state: no copy of one outlives a launch of the other.
  // CHECK-LABEL: func.func @argument_and_global(
  // CHECK-SAME:    %[[X:.*]]: memref<64xf32>)
  // CHECK:       gpu.launch_func {{.*}} args(%[[D:.*]] : memref<64xf32>)
  // CHECK-NEXT:  gpu.memcpy  %[[X]], %[[D]]
  // CHECK:       %[[STATE:.*]] = memref.get_global @state
  // CHECK:       gpu.memcpy  %[[DSTATE:.*]], %[[STATE]]
  // CHECK-NEXT:  gpu.launch_func {{.*}} args(%[[DSTATE]] : memref<64xf32>)
  // CHECK-NEXT:  gpu.memcpy  %[[STATE]], %[[DSTATE]]
  func.func @argument_and_global(%x: memref<64xf32>) {
    %c1 = arith.constant 1 : index
    gpu.launch_func @kernels::@scale blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1) args(%x : memref<64xf32>)
    %state = memref.get_global @state : memref<64xf32>
    gpu.launch_func @kernels::@scale blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1) args(%state : memref<64xf32>)
    return
  }

  // CHECK-LABEL: func.func @memset(
  // CHECK:       %[[D:.*]] = gpu.alloc
  // CHECK-NEXT:  gpu.memset  %[[D]], %{{.*}}
  // CHECK-NEXT:  gpu.launch_func {{.*}} args(%[[D]] : memref<64xf32>)
  func.func @memset() {
    %c1 = arith.constant 1 : index
    %zero = arith.constant 0.0 : f32
    %x = memref.alloc() : memref<64xf32>
    gpu.memset %x, %zero : memref<64xf32>, f32
    gpu.launch_func @kernels::@scale blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1) args(%x : memref<64xf32>)
    return
  }
}
