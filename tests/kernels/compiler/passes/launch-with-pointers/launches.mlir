// RUN: mmtune-opt %s --launch-with-pointers | FileCheck %s
// RUN: mmtune-opt %s --pass-pipeline='builtin.module(launch-with-pointers,gpu.module(convert-gpu-to-nvvm),expand-strided-metadata,lower-affine,gpu-to-llvm,reconcile-unrealized-casts)' \
// RUN:   | FileCheck %s --check-prefix=LLVM

// Lowered without bare pointers, a pointer is one argument and a memref a descriptor; nothing is left over.
// LLVM-LABEL: llvm.func @identity(
// LLVM-NOT:   memref
// LLVM:       gpu.launch_func <%{{.*}} : !llvm.ptr> @kernels::@pointers {{.*}} args(%{{[^ ]*}} : !llvm.ptr, %{{[^ ]*}} : i32, %{{[^ ]*}} : !llvm.ptr)
// LLVM-LABEL: llvm.func @descriptors(
// LLVM:       gpu.launch_func @kernels::@memrefs {{.*}} args(%{{[^ ]*}} : !llvm.ptr, %{{[^ ]*}} : !llvm.ptr, %{{[^ ]*}} : i64, %{{[^ ]*}} : i64, %{{[^ ]*}} : i64)
// LLVM-NOT:   unrealized_conversion_cast
// LLVM:       gpu.module

module attributes {gpu.container_module} {
  // The launch's dependency, its token, its shared memory and its clusters stay.
  // CHECK-LABEL: func.func @identity(
  // CHECK-SAME:    %[[A:.*]]: memref<4x8xf32>, %[[N:.*]]: i32
  func.func @identity(%a: memref<4x8xf32>, %n: i32) {
    %c1 = arith.constant 1 : index
    %bytes = arith.constant 4096 : i32
    // CHECK: %[[START:.*]] = gpu.wait async
    %start = gpu.wait async
    // CHECK: %[[BUFFER:.*]], %[[ALLOCATED:.*]] = gpu.alloc async [%[[START]]]
    %buffer, %allocated = gpu.alloc async [%start] () : memref<4x8xf32>
    // CHECK-NEXT: %[[ADDRESS:.*]] = memref.extract_aligned_pointer_as_index %[[BUFFER]]
    // CHECK-NEXT: %[[INTEGER:.*]] = arith.index_cast %[[ADDRESS]] : index to i64
    // CHECK-NEXT: %[[POINTER:.*]] = llvm.inttoptr %[[INTEGER]] : i64 to !llvm.ptr
    // CHECK-NEXT: %[[ADDRESS2:.*]] = memref.extract_aligned_pointer_as_index %[[A]]
    // CHECK-NEXT: %[[INTEGER2:.*]] = arith.index_cast %[[ADDRESS2]] : index to i64
    // CHECK-NEXT: %[[POINTER2:.*]] = llvm.inttoptr %[[INTEGER2]] : i64 to !llvm.ptr
    // CHECK-NEXT: gpu.launch_func async [%[[ALLOCATED]]] @kernels::@pointers
    // CHECK-SAME:   clusters in
    // CHECK-SAME:   blocks in
    // CHECK-SAME:   dynamic_shared_memory_size %c4096_i32
    // CHECK-SAME:   args(%[[POINTER]] : !llvm.ptr, %[[N]] : i32, %[[POINTER2]] : !llvm.ptr)
    %launched = gpu.launch_func async [%allocated] @kernels::@pointers
        clusters in (%c1, %c1, %c1) blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1)
        dynamic_shared_memory_size %bytes args(%buffer : memref<4x8xf32>, %n : i32, %a : memref<4x8xf32>)
    %freed = gpu.dealloc async [%launched] %buffer : memref<4x8xf32>
    gpu.wait [%freed]
    return
  }

  // Offsets in bytes, constant or not.
  // CHECK-LABEL: func.func @offsets(
  func.func @offsets(%a: memref<8x16xf64>, %row: index, %n: i32) {
    %c1 = arith.constant 1 : index
    %constant = memref.subview %a[2, 0] [4, 16] [1, 1] : memref<8x16xf64> to memref<4x16xf64, strided<[16, 1], offset: 32>>
    %dynamic = memref.subview %a[%row, 0] [1, 7] [1, 1] : memref<8x16xf64> to memref<1x7xf64, strided<[16, 1], offset: ?>>
    // CHECK:      memref.extract_aligned_pointer_as_index
    // CHECK:      %[[C32:.*]] = arith.constant 32 : index
    // CHECK:      %[[C8:.*]] = arith.constant 8 : index
    // CHECK:      %[[BYTES:.*]] = arith.muli %[[C32]], %[[C8]] : index
    // CHECK:      arith.addi %{{.*}}, %[[BYTES]] : index
    // CHECK:      memref.extract_aligned_pointer_as_index
    // CHECK:      %{{.*}}, %[[OFFSET:.*]], %{{.*}}:2, %{{.*}}:2 = memref.extract_strided_metadata
    // CHECK:      %[[BYTES2:.*]] = arith.muli %[[OFFSET]], %{{.*}} : index
    // CHECK:      %[[SUM:.*]] = arith.addi %{{.*}}, %[[BYTES2]] : index
    // CHECK-NEXT: %[[INTEGER:.*]] = arith.index_cast %[[SUM]] : index to i64
    // CHECK-NEXT: %[[POINTER:.*]] = llvm.inttoptr %[[INTEGER]] : i64 to !llvm.ptr
    // CHECK-NEXT: gpu.launch_func {{.*}} %[[POINTER]] : !llvm.ptr)
    gpu.launch_func @kernels::@pointers blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1)
        args(%constant : memref<4x16xf64, strided<[16, 1], offset: 32>>, %n : i32,
             %dynamic : memref<1x7xf64, strided<[16, 1], offset: ?>>)
    return
  }

  // Dynamic sizes; an index for an i64, vectors of one dimension and of two, a pointer that is one already.
  // CHECK-LABEL: func.func @other_arguments(
  // CHECK-SAME:    %{{.*}}: memref<?x?xf32>, %[[I:.*]]: index, %[[V:.*]]: vector<8xf32>, %[[W:.*]]: vector<2x2xf32>, %[[P:.*]]: !llvm.ptr
  // CHECK:         gpu.launch_func {{.*}} args(%{{.*}} : !llvm.ptr<1>, %[[I]] : index, %[[V]] : vector<8xf32>, %[[W]] : vector<2x2xf32>, %[[P]] : !llvm.ptr)
  func.func @other_arguments(%a: memref<?x?xf32>, %i: index, %v: vector<8xf32>, %w: vector<2x2xf32>, %p: !llvm.ptr) {
    %c1 = arith.constant 1 : index
    gpu.launch_func @kernels::@mixed blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1)
        args(%a : memref<?x?xf32>, %i : index, %v : vector<8xf32>, %w : vector<2x2xf32>, %p : !llvm.ptr)
    return
  }

  // A kernel that knows how far the rows lie apart gets the address of the first element.
  // CHECK-LABEL: func.func @strided(
  // CHECK:         %[[ADDRESS:.*]] = memref.extract_aligned_pointer_as_index %{{.*}} : memref<4x4xf32, strided<[8, 1], offset: 3>>
  // CHECK:         %[[OFFSET:.*]] = arith.muli
  // CHECK:         arith.addi %[[ADDRESS]], %[[OFFSET]]
  // CHECK:         gpu.launch_func @kernels::@rows {{.*}} args(%{{.*}} : !llvm.ptr)
  func.func @strided(%a: memref<4x4xf32, strided<[8, 1], offset: 3>>) {
    %c1 = arith.constant 1 : index
    gpu.launch_func @kernels::@rows blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1)
        args(%a : memref<4x4xf32, strided<[8, 1], offset: 3>>)
    return
  }

  // A gpu.func takes the memref.
  // CHECK-LABEL: func.func @descriptors(
  // CHECK-NOT:     memref.extract
  // CHECK:         gpu.launch_func @kernels::@memrefs {{.*}} args(%{{.*}} : memref<?xf32>)
  func.func @descriptors(%a: memref<?xf32>) {
    %c1 = arith.constant 1 : index
    gpu.launch_func @kernels::@memrefs blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1) args(%a : memref<?xf32>)
    return
  }

  gpu.module @kernels {
    llvm.func @pointers(%a: !llvm.ptr, %n: i32, %b: !llvm.ptr) attributes {gpu.kernel, nvvm.kernel} {
      llvm.return
    }
    llvm.func @mixed(%a: !llvm.ptr<1>, %i: i64, %v: vector<8xf32>, %w: !llvm.array<2 x vector<2xf32>>, %p: !llvm.ptr)
        attributes {gpu.kernel, nvvm.kernel} {
      llvm.return
    }
    llvm.func @rows(%a: !llvm.ptr {mmtune.knows_strides}) attributes {gpu.kernel, nvvm.kernel} {
      llvm.return
    }
    gpu.func @memrefs(%a: memref<?xf32>) kernel {
      gpu.return
    }
  }
}
