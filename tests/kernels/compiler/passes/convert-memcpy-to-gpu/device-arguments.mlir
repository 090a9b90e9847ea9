// RUN: mmtune-opt %s --convert-memcpy-to-gpu=process-args=false --split-input-file --verify-diagnostics | FileCheck %s

module attributes {gpu.container_module} {
  gpu.module @kernels {
    gpu.func @scale(%inout: memref<64xf32>) kernel {
      %i = gpu.thread_id x
      %x = memref.load %inout[%i] : memref<64xf32>
      %y = arith.addf %x, %x : f32
      memref.store %y, %inout[%i] : memref<64xf32>
      gpu.return
    }
  }

  // The host cannot copy what is on the device; the device can, also to and from the host's memory.
  // CHECK-LABEL: func.func @copies(
  // CHECK-SAME:    %[[X:.*]]: memref<64xf32>, %[[Y:.*]]: memref<64xf32>) -> memref<64xf32>
  // CHECK:         gpu.memcpy  %[[Y]], %[[X]]
  // CHECK:         %[[HOST:.*]] = memref.alloc()
  // CHECK:         gpu.memcpy  %[[HOST]], %[[Y]]
  // CHECK-NOT:     memref.copy
  // CHECK:         return %[[HOST]]
  func.func @copies(%x: memref<64xf32>, %y: memref<64xf32>) -> memref<64xf32> {
    %c1 = arith.constant 1 : index
    gpu.launch_func @kernels::@scale blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1) args(%x : memref<64xf32>)
    memref.copy %x, %y : memref<64xf32> to memref<64xf32>
    %host = memref.alloc() : memref<64xf32>
    memref.copy %y, %host : memref<64xf32> to memref<64xf32>
    return %host : memref<64xf32>
  }

  // What only looks at the descriptor does not touch the memory; other functions take device memory too.
  // CHECK-LABEL: func.func @descriptor(
  func.func @descriptor(%x: memref<?xf32>, %y: memref<64xf32>) -> (index, index, memref<?xf32>) {
    %c0 = arith.constant 0 : index
    %n = memref.dim %x, %c0 : memref<?xf32>
    %p = memref.extract_aligned_pointer_as_index %x : memref<?xf32> -> index
    %z = call @copies(%y, %y) : (memref<64xf32>, memref<64xf32>) -> memref<64xf32>
    memref.dealloc %z : memref<64xf32>
    return %n, %p, %x : index, index, memref<?xf32>
  }
}

// -----

func.func @load(%n: index, %x: memref<64xf32>) -> f32 {
  %c0 = arith.constant 0 : index
  %half = memref.subview %x[%n] [32] [1] : memref<64xf32> to memref<32xf32, strided<[1], offset: ?>>
  // expected-error @below {{'memref.load' op runs on the host and takes argument #1, which is device memory (process-args=false): copy it to host memory first}}
  %v = memref.load %half[%c0] : memref<32xf32, strided<[1], offset: ?>>
  return %v : f32
}

// -----

func.func @store(%x: memref<64xf32>, %v: f32) {
  %c0 = arith.constant 0 : index
  // expected-error @below {{'memref.store' op runs on the host and takes argument #0}}
  memref.store %v, %x[%c0] : memref<64xf32>
  return
}

// -----

// Of any layout.
// CHECK-LABEL: func.func @copy_of_a_column(
// CHECK:         gpu.memcpy  %{{.*}}, %{{.*}} : memref<4xf32>, memref<4xf32, strided<[4]>>
// CHECK-NOT:     memref.copy
func.func @copy_of_a_column(%x: memref<4x4xf32>, %y: memref<4xf32>) {
  %column = memref.subview %x[0, 0] [4, 1] [1, 1] : memref<4x4xf32> to memref<4xf32, strided<[4]>>
  memref.copy %column, %y : memref<4xf32, strided<[4]>> to memref<4xf32>
  return
}

// -----

func.func @free(%x: memref<64xf32>) {
  // expected-error @below {{'memref.dealloc' op runs on the host and takes argument #0}}
  memref.dealloc %x : memref<64xf32>
  return
}

// -----

func.func @choose(%x: memref<64xf32>, %y: memref<64xf32>, %p: i1) -> memref<64xf32> {
  // expected-error @below {{'arith.select' op runs on the host and takes argument #0}}
  %z = arith.select %p, %x, %y : memref<64xf32>
  return %z : memref<64xf32>
}

// -----

func.func private @helper(%x: memref<64xf32>) {
  return
}
func.func @passes_host_memory() {
  %x = memref.alloc() : memref<64xf32>
  // expected-error @below {{operand #0 is host memory, and the arguments of @helper are device memory (process-args=false)}}
  call @helper(%x) : (memref<64xf32>) -> ()
  memref.dealloc %x : memref<64xf32>
  return
}
