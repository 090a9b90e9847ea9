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

// Every caller passes device memory, through others too.
// CHECK-LABEL: func.func private @on_device(
// CHECK-SAME:    %[[X:.*]]: memref<8xf32>)
// CHECK-NOT:     gpu.memcpy
// CHECK:         gpu.launch_func @kernels::@touch{{.*}} args(%[[X]] :
// CHECK-NOT:     gpu.memcpy
// CHECK:         return
func.func private @on_device(%x: memref<8xf32>) {
  %c1 = arith.constant 1 : index
  gpu.launch_func @kernels::@touch blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1) args(%x : memref<8xf32>)
  return
}
func.func private @passed_on(%x: memref<8xf32>) {
  call @on_device(%x) : (memref<8xf32>) -> ()
  return
}

// What calls return is where it was made.
// CHECK-LABEL: func.func private @made(
// CHECK:         gpu.alloc
// CHECK-NOT:     memref.alloc
// CHECK:         return
func.func private @made() -> memref<8xf32> {
  %d = gpu.alloc () : memref<8xf32>
  return %d : memref<8xf32>
}

// CHECK-LABEL: func.func @caller(
// CHECK-SAME:    %[[H:.*]]: memref<8xf32>)
// CHECK:         %[[D:.*]] = gpu.alloc
// CHECK-NEXT:    gpu.memcpy %[[D]], %[[H]]
// CHECK-NEXT:    call @passed_on(%[[D]])
// CHECK-NEXT:    %[[M:.*]] = call @made()
// CHECK-NEXT:    gpu.launch_func @kernels::@touch{{.*}} args(%[[M]] :
// CHECK-NEXT:    call @on_device(%[[M]])
// CHECK-NEXT:    gpu.memcpy %[[H]], %[[D]]
func.func @caller(%h: memref<8xf32>) {
  %c1 = arith.constant 1 : index
  %d = gpu.alloc () : memref<8xf32>
  gpu.memcpy %d, %h : memref<8xf32>, memref<8xf32>
  call @passed_on(%d) : (memref<8xf32>) -> ()
  %m = call @made() : () -> memref<8xf32>
  gpu.launch_func @kernels::@touch blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1) args(%m : memref<8xf32>)
  call @on_device(%m) : (memref<8xf32>) -> ()
  gpu.memcpy %h, %d : memref<8xf32>, memref<8xf32>
  gpu.dealloc %d : memref<8xf32>
  gpu.dealloc %m : memref<8xf32>
  return
}

// Memory for both goes with the host's.
// CHECK-LABEL: func.func private @for_both(
// CHECK-SAME:    %[[X:.*]]: memref<8xf32>)
// CHECK:         gpu.memcpy %[[D:.*]], %[[X]]
// CHECK:         gpu.launch_func @kernels::@touch{{.*}} args(%[[D]] :
func.func private @for_both(%x: memref<8xf32>) {
  %c1 = arith.constant 1 : index
  gpu.launch_func @kernels::@touch blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1) args(%x : memref<8xf32>)
  return
}
func.func @both(%h: memref<8xf32>) {
  %d = gpu.alloc host_shared () : memref<8xf32>
  call @for_both(%d) : (memref<8xf32>) -> ()
  call @for_both(%h) : (memref<8xf32>) -> ()
  gpu.dealloc %d : memref<8xf32>
  return
}

}
