// Buffers with a layout: the device has the stretch of memory from the first element to the last, and what lies between
// the elements belongs to others, so it is neither read nor written.
// RUN: mmtune-opt %s --convert-memcpy-to-gpu | FileCheck %s

module attributes {gpu.container_module} {
  gpu.module @kernels {
    gpu.func @scale(%x: memref<4x4xf32, strided<[8, 1]>>) kernel {
      %i = gpu.thread_id x
      %v = memref.load %x[%i, %i] : memref<4x4xf32, strided<[8, 1]>>
      %w = arith.addf %v, %v : f32
      memref.store %w, %x[%i, %i] : memref<4x4xf32, strided<[8, 1]>>
      gpu.return
    }
    gpu.func @read(%x: memref<?xf32, strided<[?], offset: ?>> {llvm.readonly}) kernel {
      gpu.return
    }
    gpu.func @write(%x: memref<?x?xf32, strided<[?, ?], offset: ?>> {llvm.writeonly, mmtune.overwrites}) kernel {
      gpu.return
    }
    gpu.func @at(%x: memref<6xf32, strided<[2], offset: 3>>) kernel {
      gpu.return
    }
    gpu.func @row(%x: memref<4xf32, strided<[1], offset: ?>>) kernel {
      gpu.return
    }
  }

  // 28 elements from the first to the last, on the host's side of a transfer as on the device's.
  // CHECK-LABEL: func.func @in_and_out(
  // CHECK-SAME:    %[[X:.*]]: memref<4x4xf32, strided<[8, 1]>>)
  // CHECK:       %[[C28:.*]] = arith.constant 28 : index
  // CHECK:       %[[MEMORY:.*]] = gpu.alloc  (%[[C28]]) : memref<?xf32>
  // CHECK-NEXT:  %[[D:.*]] = memref.reinterpret_cast %[[MEMORY]] to offset: [0], sizes: [4, 4], strides: [8, 1]
  // CHECK-SAME:    memref<?xf32> to memref<4x4xf32, strided<[8, 1]>>
  // CHECK-NEXT:  %[[IN:.*]] = memref.alloc(%[[C28]]) : memref<?xf32>
  // CHECK-NEXT:  %[[IN_VIEW:.*]] = memref.reinterpret_cast %[[IN]] to offset: [0], sizes: [4, 4], strides: [8, 1]
  // CHECK-NEXT:  memref.copy %[[X]], %[[IN_VIEW]]
  // CHECK-NEXT:  gpu.memcpy  %[[MEMORY]], %[[IN]] : memref<?xf32>, memref<?xf32>
  // CHECK-NEXT:  memref.dealloc %[[IN]]
  // CHECK:       gpu.launch_func {{.*}} args(%[[D]] : memref<4x4xf32, strided<[8, 1]>>)
  // CHECK-NEXT:  %[[OUT:.*]] = memref.alloc(%[[C28]]) : memref<?xf32>
  // CHECK-NEXT:  gpu.memcpy  %[[OUT]], %[[MEMORY]] : memref<?xf32>, memref<?xf32>
  // CHECK-NEXT:  %[[OUT_VIEW:.*]] = memref.reinterpret_cast %[[OUT]]
  // CHECK-NEXT:  memref.copy %[[OUT_VIEW]], %[[X]]
  // CHECK-NEXT:  memref.dealloc %[[OUT]]
  // CHECK-NEXT:  gpu.dealloc  %[[MEMORY]] : memref<?xf32>
  // CHECK-NEXT:  return
  func.func @in_and_out(%x: memref<4x4xf32, strided<[8, 1]>>) {
    %c1 = arith.constant 1 : index
    gpu.launch_func @kernels::@scale blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1)
        args(%x : memref<4x4xf32, strided<[8, 1]>>)
    return
  }

  // A negative stride at run time: the first element is then not the lowest one.
  // CHECK-LABEL: func.func @sizes_at_run_time(
  // CHECK-SAME:    %[[X:.*]]: memref<?xf32, strided<[?], offset: ?>>)
  // CHECK:       %{{.*}}, %{{.*}}, %[[SIZE:.*]], %[[STRIDE:.*]] = memref.extract_strided_metadata %[[X]]
  // CHECK:       %[[LAST:.*]] = arith.subi %[[SIZE]], %{{.*}}
  // CHECK:       %[[DISTANCE:.*]] = arith.muli %[[LAST]], %[[STRIDE]]
  // CHECK:       %[[LOW:.*]] = arith.minsi %[[DISTANCE]], %{{.*}}
  // CHECK:       %[[BEFORE:.*]] = arith.subi %{{.*}}, %[[LOW]]
  // CHECK:       %[[AFTER:.*]] = arith.maxsi %[[DISTANCE]], %{{.*}}
  // CHECK:       %[[EMPTY:.*]] = arith.cmpi eq, %[[SIZE]], %{{.*}}
  // CHECK:       %[[EXTENT:.*]] = arith.select %[[EMPTY]], %{{.*}}, %{{.*}}
  // CHECK:       gpu.alloc  (%[[EXTENT]]) : memref<?xf32>
  // CHECK:       memref.reinterpret_cast %{{.*}} to offset: [%[[BEFORE]]], sizes: [%[[SIZE]]], strides: [%[[STRIDE]]]
  // CHECK:       memref.copy %[[X]],
  // CHECK:       gpu.launch_func
  // CHECK-NEXT:  gpu.dealloc
  // CHECK-NEXT:  return
  func.func @sizes_at_run_time(%x: memref<?xf32, strided<[?], offset: ?>>) {
    %c1 = arith.constant 1 : index
    gpu.launch_func @kernels::@read blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1)
        args(%x : memref<?xf32, strided<[?], offset: ?>>)
    return
  }

  // CHECK-LABEL: func.func @overwritten(
  // CHECK-SAME:    %[[X:.*]]: memref<?x?xf32,
  // CHECK-NOT:   memref.copy %[[X]],
  // CHECK:       gpu.launch_func
  // CHECK:       memref.copy %{{.*}}, %[[X]]
  func.func @overwritten(%x: memref<?x?xf32, strided<[?, ?], offset: ?>>) {
    %c1 = arith.constant 1 : index
    gpu.launch_func @kernels::@write blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1)
        args(%x : memref<?x?xf32, strided<[?, ?], offset: ?>>)
    return
  }

  // The type fixes the offset, so the device's memory begins as far before the first element.
  // CHECK-LABEL: func.func @offset_in_the_type(
  // CHECK:       %[[C14:.*]] = arith.constant 14 : index
  // CHECK:       gpu.alloc  (%[[C14]]) : memref<?xf32>
  // CHECK-NEXT:  memref.reinterpret_cast %{{.*}} to offset: [3], sizes: [6], strides: [2]
  func.func @offset_in_the_type(%x: memref<6xf32, strided<[2], offset: 3>>) {
    %c1 = arith.constant 1 : index
    gpu.launch_func @kernels::@at blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1)
        args(%x : memref<6xf32, strided<[2], offset: 3>>)
    return
  }

  // A view of the argument that is made with the argument's own offset: the copy has the same one.
  // CHECK-LABEL: func.func @offset_by_number(
  // CHECK:       %{{.*}}, %[[OFFSET:.*]], %{{.*}}, %{{.*}} = memref.extract_strided_metadata
  // CHECK:       %[[EXTENT:.*]] = arith.addi %[[OFFSET]], %{{.*}}
  // CHECK:       gpu.alloc  (%[[EXTENT]]) : memref<?xf32>
  // CHECK:       memref.reinterpret_cast %{{.*}} to offset: [%[[OFFSET]]], sizes: [16], strides: [1]
  func.func @offset_by_number(%x: memref<16xf32, strided<[1], offset: ?>>) {
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %base, %offset, %size, %stride = memref.extract_strided_metadata %x : memref<16xf32, strided<[1], offset: ?>> -> memref<f32>, index, index, index
    %second = arith.addi %offset, %c4 : index
    %row = memref.reinterpret_cast %base to offset: [%second], sizes: [4], strides: [1] : memref<f32> to memref<4xf32, strided<[1], offset: ?>>
    gpu.launch_func @kernels::@row blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1)
        args(%row : memref<4xf32, strided<[1], offset: ?>>)
    return
  }

  // The host stores to it as well: copied around the launch.
  // CHECK-LABEL: func.func @host_access(
  // CHECK-SAME:    %[[X:.*]]: memref<4x4xf32, strided<[8, 1]>>,
  // CHECK:       memref.store %{{.*}}, %[[X]]
  // CHECK:       memref.copy %[[X]],
  // CHECK:       gpu.launch_func
  // CHECK:       memref.copy %{{.*}}, %[[X]]
  // CHECK:       gpu.dealloc
  // CHECK-NEXT:  memref.store %{{.*}}, %[[X]]
  func.func @host_access(%x: memref<4x4xf32, strided<[8, 1]>>, %v: f32) {
    %c1 = arith.constant 1 : index
    memref.store %v, %x[%c1, %c1] : memref<4x4xf32, strided<[8, 1]>>
    gpu.launch_func @kernels::@scale blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1)
        args(%x : memref<4x4xf32, strided<[8, 1]>>)
    memref.store %v, %x[%c1, %c1] : memref<4x4xf32, strided<[8, 1]>>
    return
  }

  // What a call returns may have any layout.
  // CHECK-LABEL: func.func @result_of_a_call(
  // CHECK:       %[[X:.*]] = call @make()
  // CHECK:       gpu.alloc  (%{{.*}}) : memref<?xf32>
  // CHECK:       memref.copy %[[X]],
  // CHECK:       gpu.launch_func
  // CHECK:       gpu.dealloc
  func.func @result_of_a_call() {
    %c1 = arith.constant 1 : index
    %x = call @make() : () -> memref<?xf32, strided<[?], offset: ?>>
    gpu.launch_func @kernels::@read blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1)
        args(%x : memref<?xf32, strided<[?], offset: ?>>)
    return
  }
  func.func private @make() -> memref<?xf32, strided<[?], offset: ?>>
}
