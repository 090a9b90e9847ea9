// What calls inside the module pass together may overlap: no device copy of it outlives a launch.
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
    gpu.func @copy(%in: memref<64xf32>, %out: memref<64xf32>) kernel {
      %i = gpu.thread_id x
      %x = memref.load %in[%i] : memref<64xf32>
      memref.store %x, %out[%i] : memref<64xf32>
      gpu.return
    }
  }
  memref.global @state : memref<64xf32> = dense<0.0>

  // Both are one buffer in @twice_the_same.
  // CHECK-LABEL: func.func private @both(
  // CHECK-SAME:    %[[X:.*]]: memref<64xf32>, %[[Y:.*]]: memref<64xf32>)
  // CHECK:       gpu.memcpy  %[[D0:.*]], %[[X]]
  // CHECK-NEXT:  gpu.launch_func {{.*}} args(%[[D0]] : memref<64xf32>)
  // CHECK-NEXT:  gpu.memcpy  %[[X]], %[[D0]]
  // CHECK:       gpu.memcpy  %[[D1:.*]], %[[Y]]
  // CHECK-NEXT:  gpu.launch_func {{.*}} args(%[[D1]] : memref<64xf32>)
  // CHECK-NEXT:  gpu.memcpy  %[[Y]], %[[D1]]
  func.func private @both(%x: memref<64xf32>, %y: memref<64xf32>) {
    %c1 = arith.constant 1 : index
    gpu.launch_func @kernels::@scale blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1) args(%x : memref<64xf32>)
    gpu.launch_func @kernels::@scale blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1) args(%y : memref<64xf32>)
    return
  }
  func.func @twice_the_same(%x: memref<64xf32>) {
    call @through(%x, %x) : (memref<64xf32>, memref<64xf32>) -> ()
    return
  }
  func.func private @through(%x: memref<64xf32>, %y: memref<64xf32>) {
    call @both(%x, %y) : (memref<64xf32>, memref<64xf32>) -> ()
    return
  }

  // Nobody passes one buffer as both: copied once.
  // CHECK-LABEL: func.func private @apart(
  // CHECK-SAME:    %[[X:.*]]: memref<64xf32>, %[[Y:.*]]: memref<64xf32>)
  // CHECK:       gpu.memcpy  %{{.*}}, %[[X]]
  // CHECK:       gpu.memcpy  %{{.*}}, %[[Y]]
  // CHECK:       gpu.launch_func
  // CHECK-NEXT:  gpu.launch_func
  func.func private @apart(%x: memref<64xf32>, %y: memref<64xf32>) {
    %c1 = arith.constant 1 : index
    gpu.launch_func @kernels::@scale blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1) args(%x : memref<64xf32>)
    gpu.launch_func @kernels::@scale blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1) args(%y : memref<64xf32>)
    return
  }
  func.func @two(%x: memref<64xf32>) {
    %y = memref.alloc() : memref<64xf32>
    call @apart(%x, %y) : (memref<64xf32>, memref<64xf32>) -> ()
    memref.dealloc %y : memref<64xf32>
    return
  }

  // The callee of the callee uses a global, which the argument may be: what a kernel wrote is on the host before the
  // call, and what the callee wrote is seen after it.
  // CHECK-LABEL: func.func @callee_uses_a_global(
  // CHECK-SAME:    %[[X:.*]]: memref<64xf32>)
  // CHECK:       gpu.memcpy  %[[X]], %[[D:.*]] :
  // CHECK-NEXT:  gpu.dealloc  %[[D]]
  // CHECK-NEXT:  call @indirectly()
  // CHECK-NEXT:  %[[E:.*]] = gpu.alloc
  // CHECK-NEXT:  gpu.memcpy  %[[E]], %[[X]]
  func.func @callee_uses_a_global(%x: memref<64xf32>) {
    %c1 = arith.constant 1 : index
    gpu.launch_func @kernels::@scale blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1) args(%x : memref<64xf32>)
    call @indirectly() : () -> ()
    gpu.launch_func @kernels::@scale blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1) args(%x : memref<64xf32>)
    return
  }
  func.func private @indirectly() {
    call @uses_state() : () -> ()
    return
  }
  func.func private @uses_state() {
    %c0 = arith.constant 0 : index
    %zero = arith.constant 0.0 : f32
    %state = memref.get_global @state : memref<64xf32>
    memref.store %zero, %state[%c0] : memref<64xf32>
    return
  }

  // A call of what uses no global leaves the argument on the device.
  // CHECK-LABEL: func.func @callee_uses_none(
  // CHECK:       gpu.launch_func
  // CHECK-NEXT:  call @clock()
  // CHECK-NEXT:  gpu.launch_func
  func.func @callee_uses_none(%x: memref<64xf32>) {
    %c1 = arith.constant 1 : index
    gpu.launch_func @kernels::@scale blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1) args(%x : memref<64xf32>)
    %now = call @clock() : () -> f64
    gpu.launch_func @kernels::@scale blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1) args(%x : memref<64xf32>)
    return
  }
  func.func private @clock() -> f64

  // What a call allocates is not what another was given.
  // CHECK-LABEL: func.func @new_from_a_call(
  // CHECK:       gpu.launch_func @kernels::@copy
  func.func @new_from_a_call(%x: memref<64xf32>) {
    %c1 = arith.constant 1 : index
    call @both(%x, %x) : (memref<64xf32>, memref<64xf32>) -> ()
    %y = call @make() : () -> memref<64xf32>
    gpu.launch_func @kernels::@copy blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1) args(%x : memref<64xf32>, %y : memref<64xf32>)
    return
  }
  func.func private @make() -> memref<64xf32> {
    %x = memref.alloc() : memref<64xf32>
    return %x : memref<64xf32>
  }
}
