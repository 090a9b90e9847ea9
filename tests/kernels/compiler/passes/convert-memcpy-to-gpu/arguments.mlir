// RUN: mmtune-opt %s --convert-memcpy-to-gpu | FileCheck %s
// RUN: mmtune-opt %s --convert-memcpy-to-gpu=process-args=false | FileCheck %s --check-prefix=NOARGS

module attributes {gpu.container_module} {
  gpu.module @kernels {
    gpu.func @copy(%in: memref<64xf32>, %out: memref<64xf32>, %n: i32) kernel {
      %i = gpu.thread_id x
      %x = memref.load %in[%i] : memref<64xf32>
      memref.store %x, %out[%i] : memref<64xf32>
      gpu.return
    }
    gpu.func @scale(%inout: memref<64xf32>) kernel {
      %i = gpu.thread_id x
      %x = memref.load %inout[%i] : memref<64xf32>
      %y = arith.addf %x, %x : f32
      memref.store %y, %inout[%i] : memref<64xf32>
      gpu.return
    }
    gpu.func @dynamic(%in: memref<?x8xf32> {llvm.readonly}, %out: memref<?x8xf32> {llvm.writeonly}) kernel {
      gpu.return
    }
    gpu.func @row(%x: memref<64xf32, strided<[1], offset: ?>>) kernel {
      %i = gpu.thread_id x
      %v = memref.load %x[%i] : memref<64xf32, strided<[1], offset: ?>>
      %w = arith.addf %v, %v : f32
      memref.store %w, %x[%i] : memref<64xf32, strided<[1], offset: ?>>
      gpu.return
    }
    llvm.func @promises(%in: !llvm.ptr {llvm.readonly}, %out: !llvm.ptr {llvm.writeonly, mmtune.overwrites})
        attributes {gpu.kernel, nvvm.kernel}
  }

  // A kernel reads %in, so it is copied in and not back; it writes %out, which goes back. What the kernel leaves out of
  // %out must keep its value, so it is copied in as well. %host is no business of the device, nor is %n a memref.
  // CHECK-LABEL: func.func @in_and_out(
  // CHECK-SAME:    %[[IN:.*]]: memref<64xf32>, %[[N:.*]]: i32, %[[OUT:.*]]: memref<64xf32>, %[[HOST:.*]]: memref<64xf32>)
  // CHECK-NEXT:  %[[DIN:.*]] = gpu.alloc  () : memref<64xf32>
  // CHECK-NEXT:  gpu.memcpy  %[[DIN]], %[[IN]]
  // CHECK-NEXT:  %[[DOUT:.*]] = gpu.alloc  () : memref<64xf32>
  // CHECK-NEXT:  gpu.memcpy  %[[DOUT]], %[[OUT]]
  // CHECK-NOT:   gpu.alloc
  // CHECK:       gpu.launch_func {{.*}} args(%[[DIN]] : memref<64xf32>, %[[DOUT]] : memref<64xf32>, %[[N]] : i32)
  // CHECK-NEXT:  gpu.dealloc  %[[DIN]]
  // CHECK-NEXT:  gpu.memcpy  %[[OUT]], %[[DOUT]]
  // CHECK-NEXT:  gpu.dealloc  %[[DOUT]]
  // CHECK-NEXT:  return
  // NOARGS-LABEL: func.func @in_and_out(
  // NOARGS-NOT:   gpu.alloc
  // NOARGS-NOT:   gpu.memcpy
  // NOARGS:       return
  func.func @in_and_out(%in: memref<64xf32>, %n: i32, %out: memref<64xf32>, %host: memref<64xf32>) {
    %c1 = arith.constant 1 : index
    %c64 = arith.constant 64 : index
    gpu.launch_func @kernels::@copy blocks in (%c1, %c1, %c1) threads in (%c64, %c1, %c1)
        args(%in : memref<64xf32>, %out : memref<64xf32>, %n : i32)
    return
  }

  // CHECK-LABEL: func.func @returned(
  // CHECK-SAME:    %[[X:.*]]: memref<64xf32>)
  // CHECK:       %[[D:.*]] = gpu.alloc
  // CHECK:       gpu.launch_func {{.*}} args(%[[D]] : memref<64xf32>)
  // CHECK-NEXT:  gpu.memcpy  %[[X]], %[[D]]
  // CHECK-NEXT:  gpu.dealloc  %[[D]]
  // CHECK-NEXT:  return %[[X]]
  func.func @returned(%x: memref<64xf32>) -> memref<64xf32> {
    %c1 = arith.constant 1 : index
    gpu.launch_func @kernels::@scale blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1) args(%x : memref<64xf32>)
    return %x : memref<64xf32>
  }

  // CHECK-LABEL: func.func @dynamic_sizes(
  // CHECK-SAME:    %[[IN:.*]]: memref<?x8xf32>, %[[OUT:.*]]: memref<?x8xf32>)
  // CHECK:       %[[N:.*]] = memref.dim %[[IN]], %{{.*}}
  // CHECK:       %[[DIN:.*]] = gpu.alloc  (%[[N]]) : memref<?x8xf32>
  // CHECK:       %[[M:.*]] = memref.dim %[[OUT]], %{{.*}}
  // CHECK:       %[[DOUT:.*]] = gpu.alloc  (%[[M]]) : memref<?x8xf32>
  // CHECK:       gpu.launch_func
  // CHECK-NOT:   gpu.memcpy  %[[IN]]
  // CHECK:       gpu.memcpy  %[[OUT]], %[[DOUT]]
  func.func @dynamic_sizes(%in: memref<?x8xf32>, %out: memref<?x8xf32>) {
    %c1 = arith.constant 1 : index
    gpu.launch_func @kernels::@dynamic blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1)
        args(%in : memref<?x8xf32>, %out : memref<?x8xf32>)
    return
  }

  // CHECK-LABEL: func.func @overwritten(
  // CHECK-SAME:    %[[IN:.*]]: memref<64xf32>, %[[OUT:.*]]: memref<64xf32>)
  // CHECK-NOT:   gpu.memcpy  %{{.*}}, %[[OUT]]
  // CHECK:       gpu.launch_func
  // CHECK:       gpu.memcpy  %[[OUT]], %{{.*}}
  func.func @overwritten(%in: memref<64xf32>, %out: memref<64xf32>) {
    %c1 = arith.constant 1 : index
    gpu.launch_func @kernels::@promises blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1)
        args(%in : memref<64xf32>, %out : memref<64xf32>)
    return
  }

  // Overwritten on one path only: the other path's contents must survive the copy back.
  // CHECK-LABEL: func.func @overwritten_on_one_path(
  // CHECK-SAME:    %[[IN:.*]]: memref<64xf32>, %[[OUT:.*]]: memref<64xf32>,
  // CHECK:       gpu.memcpy  %[[D:.*]], %[[OUT]]
  // CHECK:       scf.if
  // CHECK:       gpu.memcpy  %[[OUT]], %[[D]]
  func.func @overwritten_on_one_path(%in: memref<64xf32>, %out: memref<64xf32>, %p: i1) {
    %c1 = arith.constant 1 : index
    scf.if %p {
      gpu.launch_func @kernels::@promises blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1)
          args(%in : memref<64xf32>, %out : memref<64xf32>)
    }
    return
  }

  // The caller's side of a view is the view of the caller's memory; the kernel gets the same view of the copy.
  // CHECK-LABEL: func.func @subview(
  // CHECK-SAME:    %[[X:.*]]: memref<4x64xf32>, %[[I:.*]]: index)
  // CHECK:       %[[D:.*]] = gpu.alloc  () : memref<4x64xf32>
  // CHECK:       gpu.memcpy  %[[D]], %[[X]]
  // CHECK:       %[[ROW:.*]] = memref.subview %[[D]][%[[I]], 0] [1, 64] [1, 1]
  // CHECK:       gpu.launch_func {{.*}} args(%[[ROW]] : memref<64xf32, strided<[1], offset: ?>>)
  // CHECK:       gpu.memcpy  %[[X]], %[[D]]
  // CHECK:       gpu.dealloc  %[[D]]
  func.func @subview(%x: memref<4x64xf32>, %i: index) {
    %c1 = arith.constant 1 : index
    %row = memref.subview %x[%i, 0] [1, 64] [1, 1] : memref<4x64xf32> to memref<64xf32, strided<[1], offset: ?>>
    gpu.launch_func @kernels::@row blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1)
        args(%row : memref<64xf32, strided<[1], offset: ?>>)
    return
  }
}
