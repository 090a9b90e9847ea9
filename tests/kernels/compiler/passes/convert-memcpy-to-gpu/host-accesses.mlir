// Buffers that the host uses between launches stay with the host and are copied around each launch, so each side sees
// what the other wrote.
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
    gpu.func @read(%in: memref<64xf32> {llvm.readonly}) kernel {
      gpu.return
    }
  }

  // CHECK-LABEL: func.func @load_and_store(
  // CHECK-SAME:    %[[X:.*]]: memref<64xf32>, %[[V:.*]]: f32)
  // CHECK:       memref.store %[[V]], %[[X]]
  // CHECK-NEXT:  %[[D0:.*]] = gpu.alloc
  // CHECK-NEXT:  gpu.memcpy  %[[D0]], %[[X]]
  // CHECK-NEXT:  gpu.launch_func {{.*}} args(%[[D0]] : memref<64xf32>)
  // CHECK-NEXT:  gpu.memcpy  %[[X]], %[[D0]]
  // CHECK-NEXT:  gpu.dealloc  %[[D0]]
  // CHECK-NEXT:  %[[Y:.*]] = memref.load %[[X]]
  // CHECK-NEXT:  %[[D1:.*]] = gpu.alloc
  // CHECK-NEXT:  gpu.memcpy  %[[D1]], %[[X]]
  // CHECK-NEXT:  gpu.launch_func @kernels::@read {{.*}} args(%[[D1]] : memref<64xf32>)
  // CHECK-NEXT:  gpu.dealloc  %[[D1]]
  // CHECK-NEXT:  return %[[Y]]
  func.func @load_and_store(%x: memref<64xf32>, %v: f32) -> f32 {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    memref.store %v, %x[%c0] : memref<64xf32>
    gpu.launch_func @kernels::@scale blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1) args(%x : memref<64xf32>)
    %y = memref.load %x[%c0] : memref<64xf32>
    gpu.launch_func @kernels::@read blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1) args(%x : memref<64xf32>)
    return %y : f32
  }

  // Both sides only read: one copy at the entry is enough.
  // CHECK-LABEL: func.func @both_read(
  // CHECK-SAME:    %[[X:.*]]: memref<64xf32>)
  // CHECK-NEXT:  %[[D:.*]] = gpu.alloc
  // CHECK-NEXT:  gpu.memcpy  %[[D]], %[[X]]
  // CHECK:       memref.load %[[X]]
  // CHECK:       gpu.launch_func {{.*}} args(%[[D]] : memref<64xf32>)
  // CHECK-NOT:   gpu.memcpy
  // CHECK:       return
  func.func @both_read(%x: memref<64xf32>) -> f32 {
    %c1 = arith.constant 1 : index
    %y = memref.load %x[%c1] : memref<64xf32>
    gpu.launch_func @kernels::@read blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1) args(%x : memref<64xf32>)
    return %y : f32
  }

  // A callee gets the host's buffer, as its own conversion expects. What comes out of a call is host memory.
  // CHECK-LABEL: func.func @calls(
  // CHECK:       %[[X:.*]] = memref.alloc()
  // CHECK-NEXT:  %[[Y:.*]] = call @load_and_store(%[[X]], %{{.*}})
  // CHECK-NEXT:  %[[D:.*]] = gpu.alloc
  // CHECK-NEXT:  gpu.memcpy  %[[D]], %[[X]]
  // CHECK-NEXT:  gpu.launch_func {{.*}} args(%[[D]] : memref<64xf32>)
  // CHECK-NEXT:  gpu.memcpy  %[[X]], %[[D]]
  // CHECK-NEXT:  gpu.dealloc  %[[D]]
  // CHECK-NEXT:  %[[Z:.*]] = call @make()
  // CHECK-NEXT:  %[[DZ:.*]] = gpu.alloc
  // CHECK-NEXT:  gpu.memcpy  %[[DZ]], %[[Z]]
  // CHECK-NEXT:  gpu.launch_func {{.*}} args(%[[DZ]] : memref<64xf32>)
  // CHECK-NEXT:  gpu.memcpy  %[[Z]], %[[DZ]]
  // CHECK-NEXT:  gpu.dealloc  %[[DZ]]
  // CHECK-NEXT:  memref.dealloc %[[X]]
  // CHECK-NEXT:  return %[[Z]]
  func.func @calls(%v: f32) -> memref<64xf32> {
    %c1 = arith.constant 1 : index
    %x = memref.alloc() : memref<64xf32>
    %y = call @load_and_store(%x, %v) : (memref<64xf32>, f32) -> f32
    gpu.launch_func @kernels::@scale blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1) args(%x : memref<64xf32>)
    %z = call @make() : () -> memref<64xf32>
    gpu.launch_func @kernels::@scale blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1) args(%z : memref<64xf32>)
    memref.dealloc %x : memref<64xf32>
    return %z : memref<64xf32>
  }
  func.func private @make() -> memref<64xf32>

  // A buffer that comes out of control flow.
  // CHECK-LABEL: func.func @swapped_in_a_loop(
  // CHECK-SAME:    %[[X:.*]]: memref<64xf32>, %[[Y:.*]]: memref<64xf32>)
  // CHECK-NOT:   gpu.alloc
  // CHECK:       scf.for {{.*}} iter_args(%[[A:.*]] = %[[X]], %[[B:.*]] = %[[Y]])
  // CHECK-NEXT:    %[[D:.*]] = gpu.alloc
  // CHECK-NEXT:    gpu.memcpy  %[[D]], %[[A]]
  // CHECK-NEXT:    gpu.launch_func {{.*}} args(%[[D]] : memref<64xf32>)
  // CHECK-NEXT:    gpu.memcpy  %[[A]], %[[D]]
  // CHECK-NEXT:    gpu.dealloc  %[[D]]
  // CHECK-NEXT:    scf.yield %[[B]], %[[A]]
  func.func @swapped_in_a_loop(%x: memref<64xf32>, %y: memref<64xf32>) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c8 = arith.constant 8 : index
    %r:2 = scf.for %i = %c0 to %c8 step %c1 iter_args(%a = %x, %b = %y) -> (memref<64xf32>, memref<64xf32>) {
      gpu.launch_func @kernels::@scale blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1) args(%a : memref<64xf32>)
      scf.yield %b, %a : memref<64xf32>, memref<64xf32>
    }
    return
  }

  // A strided copy runs on the host, which therefore keeps the buffer.
  // CHECK-LABEL: func.func @strided_copy(
  // CHECK:       %[[X:.*]] = memref.alloc()
  // CHECK:       memref.copy %{{.*}}, %[[VIEW:.*]] : memref<8xf32> to memref<8xf32, strided<[8]>>
  // CHECK:       gpu.memcpy  %[[D:.*]], %[[X]]
  // CHECK-NEXT:  gpu.launch_func {{.*}} args(%[[D]] : memref<64xf32>)
  func.func @strided_copy(%in: memref<8xf32>) {
    %c1 = arith.constant 1 : index
    %x = memref.alloc() : memref<64xf32>
    %view = memref.subview %x[0] [8] [8] : memref<64xf32> to memref<8xf32, strided<[8]>>
    memref.copy %in, %view : memref<8xf32> to memref<8xf32, strided<[8]>>
    gpu.launch_func @kernels::@scale blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1) args(%x : memref<64xf32>)
    memref.dealloc %x : memref<64xf32>
    return
  }
}
