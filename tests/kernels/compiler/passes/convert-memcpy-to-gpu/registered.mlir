// RUN: mmtune-opt %s --convert-memcpy-to-gpu | FileCheck %s

module attributes {gpu.container_module} {

gpu.module @kernels {
  gpu.func @touch(%x: memref<8xf32>) kernel {
    %i = gpu.thread_id x
    %v = memref.load %x[%i] : memref<8xf32>
    %twice = arith.addf %v, %v : f32
    memref.store %twice, %x[%i] : memref<8xf32>
    gpu.return
  }
}

// What the program makes usable for the device is not copied, whoever else takes the cast.
// CHECK-LABEL: func.func @registered(
// CHECK-NOT:     gpu.alloc
// CHECK:         %[[X:.*]] = memref.alloc
// CHECK:         gpu.launch_func @kernels::@touch{{.*}} args(%[[X]] :
// CHECK-NOT:     gpu.memcpy
// CHECK:         return
func.func private @show(memref<*xf32>)
func.func @registered() {
  %c1 = arith.constant 1 : index
  %x = memref.alloc() : memref<8xf32>
  %u = memref.cast %x : memref<8xf32> to memref<*xf32>
  gpu.host_register %u : memref<*xf32>
  gpu.launch_func @kernels::@touch blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1) args(%x : memref<8xf32>)
  call @show(%u) : (memref<*xf32>) -> ()
  gpu.host_unregister %u : memref<*xf32>
  memref.dealloc %x : memref<8xf32>
  return
}

// Unregistering alone makes nothing usable.
// CHECK-LABEL: func.func @unregistered(
// CHECK:         gpu.alloc
// CHECK:         gpu.launch_func
// CHECK:         gpu.memcpy
func.func @unregistered(%x: memref<8xf32>) {
  %c1 = arith.constant 1 : index
  %u = memref.cast %x : memref<8xf32> to memref<*xf32>
  gpu.host_unregister %u : memref<*xf32>
  gpu.launch_func @kernels::@touch blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1) args(%x : memref<8xf32>)
  return
}

// Memory for both is nobody's copy.
// CHECK-LABEL: func.func @host_shared(
// CHECK:         %[[X:.*]] = gpu.alloc host_shared
// CHECK-NEXT:    memref.store %{{.*}}, %[[X]]
// CHECK-NEXT:    gpu.launch_func @kernels::@touch{{.*}} args(%[[X]] :
// CHECK-NEXT:    memref.load %[[X]]
// CHECK-NOT:     gpu.memcpy
func.func @host_shared(%v: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %x = gpu.alloc host_shared () : memref<8xf32>
  memref.store %v, %x[%c0] : memref<8xf32>
  gpu.launch_func @kernels::@touch blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1) args(%x : memref<8xf32>)
  %r = memref.load %x[%c0] : memref<8xf32>
  gpu.dealloc %x : memref<8xf32>
  return %r : f32
}


// A buffer is used where it lies from its registration on, and no longer than that.
// CHECK-LABEL: func.func @before_and_after(
// CHECK-SAME:    %[[X:.*]]: memref<8xf32>)
// CHECK:         gpu.memcpy %[[D0:.*]], %[[X]]
// CHECK:         gpu.launch_func @kernels::@touch{{.*}} args(%[[D0]] :
// CHECK:         gpu.memcpy %[[X]], %[[D0]]
// CHECK:         gpu.host_register
// CHECK-NOT:     gpu.memcpy
// CHECK:         gpu.launch_func @kernels::@touch{{.*}} args(%[[X]] :
// CHECK-NOT:     gpu.memcpy
// CHECK:         gpu.host_unregister
// CHECK:         gpu.memcpy %[[D1:.*]], %[[X]]
// CHECK:         gpu.launch_func @kernels::@touch{{.*}} args(%[[D1]] :
// CHECK:         gpu.memcpy %[[X]], %[[D1]]
func.func @before_and_after(%x: memref<8xf32>) {
  %c1 = arith.constant 1 : index
  gpu.launch_func @kernels::@touch blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1) args(%x : memref<8xf32>)
  %u = memref.cast %x : memref<8xf32> to memref<*xf32>
  gpu.host_register %u : memref<*xf32>
  gpu.launch_func @kernels::@touch blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1) args(%x : memref<8xf32>)
  gpu.host_unregister %u : memref<*xf32>
  gpu.launch_func @kernels::@touch blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1) args(%x : memref<8xf32>)
  return
}

// Registered twice, it is unregistered twice.
// CHECK-LABEL: func.func @nested(
// CHECK-SAME:    %[[X:.*]]: memref<8xf32>)
// CHECK:         gpu.host_unregister
// CHECK-NOT:     gpu.memcpy
// CHECK:         gpu.launch_func @kernels::@touch{{.*}} args(%[[X]] :
// CHECK-NOT:     gpu.memcpy
// CHECK:         return
func.func @nested(%x: memref<8xf32>) {
  %c1 = arith.constant 1 : index
  %u = memref.cast %x : memref<8xf32> to memref<*xf32>
  gpu.host_register %u : memref<*xf32>
  gpu.host_register %u : memref<*xf32>
  gpu.host_unregister %u : memref<*xf32>
  gpu.launch_func @kernels::@touch blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1) args(%x : memref<8xf32>)
  gpu.host_unregister %u : memref<*xf32>
  return
}

// Each turn registers for itself.
// CHECK-LABEL: func.func @turns(
// CHECK-SAME:    %[[X:[a-z0-9]*]]: memref<8xf32>,
// CHECK:         scf.for
// CHECK:           gpu.host_register
// CHECK:           scf.for
// CHECK-NOT:         gpu.memcpy
// CHECK:             gpu.launch_func @kernels::@touch{{.*}} args(%[[X]] :
// CHECK-NOT:         gpu.memcpy
// CHECK:           gpu.host_unregister
// CHECK:           gpu.memcpy
// CHECK:           gpu.launch_func @kernels::@touch
// CHECK:           gpu.memcpy
func.func @turns(%x: memref<8xf32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    %u = memref.cast %x : memref<8xf32> to memref<*xf32>
    gpu.host_register %u : memref<*xf32>
    scf.for %j = %c0 to %n step %c1 {
      gpu.launch_func @kernels::@touch blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1) args(%x : memref<8xf32>)
    }
    gpu.host_unregister %u : memref<*xf32>
    gpu.launch_func @kernels::@touch blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1) args(%x : memref<8xf32>)
  }
  return
}

// Where it cannot be seen, it counts as registered.
// CHECK-LABEL: func.func @perhaps(
// CHECK-SAME:    %[[X:[a-z0-9]*]]: memref<8xf32>,
// CHECK-NOT:     gpu.memcpy
// CHECK:         gpu.launch_func @kernels::@touch{{.*}} args(%[[X]] :
// CHECK-NOT:     gpu.memcpy
// CHECK:         return
func.func @perhaps(%x: memref<8xf32>, %asked: i1) {
  %c1 = arith.constant 1 : index
  scf.if %asked {
    %u = memref.cast %x : memref<8xf32> to memref<*xf32>
    gpu.host_register %u : memref<*xf32>
  }
  gpu.launch_func @kernels::@touch blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1) args(%x : memref<8xf32>)
  return
}

// Of two that are registered, one no longer.
// CHECK-LABEL: func.func @selected_too_late(
// CHECK:         gpu.host_unregister
// CHECK:         %[[S:.*]] = arith.select
// CHECK:         gpu.memcpy %[[D:.*]], %[[S]]
// CHECK:         gpu.launch_func @kernels::@touch{{.*}} args(%[[D]] :
func.func @selected_too_late(%x: memref<8xf32>, %y: memref<8xf32>, %asked: i1) {
  %c1 = arith.constant 1 : index
  %u = memref.cast %x : memref<8xf32> to memref<*xf32>
  %w = memref.cast %y : memref<8xf32> to memref<*xf32>
  gpu.host_register %u : memref<*xf32>
  gpu.host_register %w : memref<*xf32>
  gpu.host_unregister %w : memref<*xf32>
  %s = arith.select %asked, %x, %y : memref<8xf32>
  gpu.launch_func @kernels::@touch blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1) args(%s : memref<8xf32>)
  gpu.host_unregister %u : memref<*xf32>
  return
}

// What is registered is the host's, though the device uses it outside of the registration only.
// CHECK-LABEL: func.func @allocated(
// CHECK:         %[[X:.*]] = memref.alloc() : memref<8xf32>
// CHECK:         %[[U:.*]] = memref.cast %[[X]]
// CHECK:         gpu.host_register %[[U]]
func.func @allocated() {
  %c1 = arith.constant 1 : index
  %x = memref.alloc() : memref<8xf32>
  gpu.launch_func @kernels::@touch blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1) args(%x : memref<8xf32>)
  %u = memref.cast %x : memref<8xf32> to memref<*xf32>
  gpu.host_register %u : memref<*xf32>
  gpu.host_unregister %u : memref<*xf32>
  memref.dealloc %x : memref<8xf32>
  return
}

// One of two that are registered is used later, too: until then both are used where they lie.
// CHECK-LABEL: func.func @selected_and_later(
// CHECK:         %[[S:.*]] = arith.select
// CHECK-NOT:     gpu.memcpy
// CHECK:         gpu.launch_func @kernels::@touch{{.*}} args(%[[S]] :
// CHECK:         gpu.host_unregister
// CHECK:         gpu.memcpy
func.func @selected_and_later(%x: memref<8xf32>, %y: memref<8xf32>, %asked: i1) {
  %c1 = arith.constant 1 : index
  %u = memref.cast %x : memref<8xf32> to memref<*xf32>
  %w = memref.cast %y : memref<8xf32> to memref<*xf32>
  gpu.host_register %u : memref<*xf32>
  gpu.host_register %w : memref<*xf32>
  %s = arith.select %asked, %x, %y : memref<8xf32>
  gpu.launch_func @kernels::@touch blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1) args(%s : memref<8xf32>)
  gpu.host_unregister %u : memref<*xf32>
  gpu.host_unregister %w : memref<*xf32>
  gpu.launch_func @kernels::@touch blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1) args(%x : memref<8xf32>)
  return
}

}
