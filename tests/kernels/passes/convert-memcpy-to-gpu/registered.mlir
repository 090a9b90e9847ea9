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

}
