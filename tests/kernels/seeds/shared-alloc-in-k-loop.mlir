// A tile that is allocated in shared memory in a loop over k: memref.alloc() : memref<128x16xf32, 3>, which no back end
// takes, as a kernel of the 5376x2048 * 2048x5376 product with (42, 42, 1) blocks of (4, 8, 4) threads.
// RUN: mmtune-opt %s --shared-alloc-to-dynamic | FileCheck %s
// RUN: mmtune-opt %s --pass-pipeline='builtin.module(shared-alloc-to-dynamic,gpu.module(expand-kernel-ops,convert-scf-to-cf,convert-gpu-to-nvvm,repair-dynamic-shared-linkage,convert-nvvm-to-llvm,reconcile-unrealized-casts))' \
// RUN:   | FileCheck %s --check-prefix=NVVM

// The launch says how much the two tiles of a turn need together.
// CHECK-LABEL: func.func @matmul(
// CHECK:       %[[BYTES:.*]] = arith.constant 16384 : i32
// CHECK-NEXT:  gpu.launch_func  @matmul_kernel::@matmul_kernel blocks in (%c42, %c42, %c1) threads in (%c4, %c8, %c4) dynamic_shared_memory_size %[[BYTES]] args(%c128 : index,

// A launch that says so itself, and gives more, stays as it is.
// CHECK-LABEL: func.func @launch_with_size(
// CHECK:       %[[GIVEN:.*]] = arith.constant 81920 : i32
// CHECK:       gpu.launch_func  @matmul_kernel::@matmul_kernel blocks in (%c42, %c42, %c1) threads in (%c4, %c8, %c4) dynamic_shared_memory_size %[[GIVEN]] args(%c128 : index,

// One dynamic shared memory, the tiles at the same place in every turn, and a barrier before a turn fills them again.
// CHECK-LABEL: gpu.func @matmul_kernel(
// CHECK-NEXT:  %[[ARENA:.*]] = gpu.dynamic_shared_memory : memref<?xi8, #gpu.address_space<workgroup>>
// CHECK-NEXT:  %[[O0:.*]] = arith.constant 0 : index
// CHECK-NEXT:  %[[TILE:.*]] = memref.view %[[ARENA]][%[[O0]]][] : memref<?xi8, #gpu.address_space<workgroup>> to memref<128x16xf32, #gpu.address_space<workgroup>>
// CHECK-NEXT:  %[[O1:.*]] = arith.constant 8192 : index
// CHECK-NEXT:  %[[TILE2:.*]] = memref.view %[[ARENA]][%[[O1]]][] : memref<?xi8, #gpu.address_space<workgroup>> to memref<16x128xf32, #gpu.address_space<workgroup>>
// CHECK:       scf.for %{{.*}} = %{{.*}} to %{{.*}} step %{{.*}} iter_args(
// CHECK-NEXT:    memref.subview
// CHECK-NEXT:    memref.subview
// CHECK-NEXT:    gpu.barrier
// CHECK-NEXT:    gpu.thread_id x
// CHECK-NEXT:    gpu.thread_id y
// CHECK:         vector.store %{{.*}}, %[[TILE]][
// CHECK:         vector.store %{{.*}}, %[[TILE2]][
// CHECK:         gpu.barrier
// CHECK-NOT:     gpu.barrier
// CHECK-NOT:     memref.alloc
// CHECK:         gpu.return

// NVVM-NOT: malloc
// NVVM:     llvm.mlir.global external @__dynamic_shmem__{{[0-9]+}}() {addr_space = 3 : i32, alignment = 1024 : i64} : !llvm.array<0 x i8>
// NVVM-NOT: malloc
// NVVM-NOT: unrealized_conversion_cast

module attributes {gpu.container_module} {
  func.func @matmul(%arg0: memref<5376x2048xf32>, %arg1: memref<2048x5376xf32>) -> memref<5376x5376xf32> {
    %c128 = arith.constant 128 : index
    %c4 = arith.constant 4 : index
    %c32 = arith.constant 32 : index
    %c0 = arith.constant 0 : index
    %c8 = arith.constant 8 : index
    %c-1 = arith.constant -1 : index
    %c16 = arith.constant 16 : index
    %c-16 = arith.constant -16 : index
    %cst = arith.constant 0.000000e+00 : f32
    %c-128 = arith.constant -128 : index
    %c1 = arith.constant 1 : index
    %c42 = arith.constant 42 : index
    %c2048 = arith.constant 2048 : index
    %alloc = memref.alloc() {alignment = 64 : i64} : memref<5376x5376xf32>
    gpu.launch_func  @matmul_kernel::@matmul_kernel blocks in (%c42, %c42, %c1) threads in (%c4, %c8, %c4) args(%c128 : index, %arg0 : memref<5376x2048xf32>, %arg1 : memref<2048x5376xf32>, %alloc : memref<5376x5376xf32>, %c4 : index, %c32 : index, %c0 : index, %c8 : index, %c-1 : index, %c16 : index, %c-16 : index, %cst : f32, %c-128 : index, %c1 : index, %c2048 : index)
    return %alloc : memref<5376x5376xf32>
  }

  func.func @launch_with_size(%memref: memref<5376x2048xf32>, %memref_0: memref<2048x5376xf32>, %memref_1: memref<5376x5376xf32>) {
    %c128 = arith.constant 128 : index
    %c4 = arith.constant 4 : index
    %c32 = arith.constant 32 : index
    %c0 = arith.constant 0 : index
    %c8 = arith.constant 8 : index
    %c-1 = arith.constant -1 : index
    %c16 = arith.constant 16 : index
    %c-16 = arith.constant -16 : index
    %cst = arith.constant 0.000000e+00 : f32
    %c-128 = arith.constant -128 : index
    %c1 = arith.constant 1 : index
    %c42 = arith.constant 42 : index
    %c2048 = arith.constant 2048 : index
    %shmem = arith.constant 81920 : i32
    gpu.launch_func  @matmul_kernel::@matmul_kernel blocks in (%c42, %c42, %c1) threads in (%c4, %c8, %c4) dynamic_shared_memory_size %shmem args(%c128 : index, %memref : memref<5376x2048xf32>, %memref_0 : memref<2048x5376xf32>, %memref_1 : memref<5376x5376xf32>, %c4 : index, %c32 : index, %c0 : index, %c8 : index, %c-1 : index, %c16 : index, %c-16 : index, %cst : f32, %c-128 : index, %c1 : index, %c2048 : index)
    return
  }

  gpu.module @matmul_kernel {
    gpu.func @matmul_kernel(%arg0: index, %arg1: memref<5376x2048xf32>, %arg2: memref<2048x5376xf32>, %arg3: memref<5376x5376xf32>, %arg4: index, %arg5: index, %arg6: index, %arg7: index, %arg8: index, %arg9: index, %arg10: index, %arg11: f32, %arg12: index, %arg13: index, %arg14: index) kernel {
      // A block computes 128 x 128 elements, a thread 8 x 16 of them: 8 rows of two vectors.
      %c0 = arith.constant 0 : index
      %c16 = arith.constant 16 : index
      %c256 = arith.constant 256 : index
      %c2048 = arith.constant 2048 : index
      %block_x = gpu.block_id x
      %block_y = gpu.block_id y
      %row = arith.muli %block_x, %arg0 : index
      %column = arith.muli %block_y, %arg0 : index
      %subview = memref.subview %arg1[%row, 0] [128, 2048] [1, 1] : memref<5376x2048xf32> to memref<128x2048xf32, strided<[2048, 1], offset: ?>>
      %subview_0 = memref.subview %arg2[0, %column] [2048, 128] [1, 1] : memref<2048x5376xf32> to memref<2048x128xf32, strided<[5376, 1], offset: ?>>
      %subview_1 = memref.subview %arg3[%row, %column] [128, 128] [1, 1] : memref<5376x5376xf32> to memref<128x128xf32, strided<[5376, 1], offset: ?>>
      %zero = vector.broadcast %arg11 : f32 to vector<8xf32>
      %thread_z = gpu.thread_id z
      %sum:16 = scf.for %arg15 = %c0 to %c2048 step %c16
          iter_args(%z0 = %zero, %z1 = %zero, %z2 = %zero, %z3 = %zero, %z4 = %zero, %z5 = %zero, %z6 = %zero, %z7 = %zero,
                    %z8 = %zero, %z9 = %zero, %z10 = %zero, %z11 = %zero, %z12 = %zero, %z13 = %zero, %z14 = %zero, %z15 = %zero)
          -> (vector<8xf32>, vector<8xf32>, vector<8xf32>, vector<8xf32>, vector<8xf32>, vector<8xf32>, vector<8xf32>, vector<8xf32>,
              vector<8xf32>, vector<8xf32>, vector<8xf32>, vector<8xf32>, vector<8xf32>, vector<8xf32>, vector<8xf32>, vector<8xf32>) {
        %subview_2 = memref.subview %subview[0, %arg15] [128, 16] [1, 1] : memref<128x2048xf32, strided<[2048, 1], offset: ?>> to memref<128x16xf32, strided<[2048, 1], offset: ?>>
        %subview_3 = memref.subview %subview_0[%arg15, 0] [16, 128] [1, 1] : memref<2048x128xf32, strided<[5376, 1], offset: ?>> to memref<16x128xf32, strided<[5376, 1], offset: ?>>
        %alloc = memref.alloc() : memref<128x16xf32, 3>
        %4 = gpu.thread_id  x
        %5 = gpu.thread_id  y
        %alloc_4 = memref.alloc() : memref<16x128xf32, 3>
        %6 = arith.muli %5, %arg4 : index
        %7 = arith.addi %4, %6 : index
        %8 = arith.muli %thread_z, %arg5 : index
        %thread = arith.addi %7, %8 : index
        scf.for %l = %thread to %c256 step %arg0 {
          %2 = arith.constant 2 : index
          %r = arith.divui %l, %2 : index
          %half = arith.remui %l, %2 : index
          %c = arith.muli %half, %arg7 : index
          %v = vector.load %subview_2[%r, %c] : memref<128x16xf32, strided<[2048, 1], offset: ?>>, vector<8xf32>
          vector.store %v, %alloc[%r, %c] : memref<128x16xf32, 3>, vector<8xf32>
        }
        scf.for %l = %thread to %c256 step %arg0 {
          %r = arith.divui %l, %arg9 : index
          %part = arith.remui %l, %arg9 : index
          %c = arith.muli %part, %arg7 : index
          %v = vector.load %subview_3[%r, %c] : memref<16x128xf32, strided<[5376, 1], offset: ?>>, vector<8xf32>
          vector.store %v, %alloc_4[%r, %c] : memref<16x128xf32, 3>, vector<8xf32>
        }
        gpu.barrier
        %ti = arith.divui %thread, %arg7 : index
        %tj = arith.remui %thread, %arg7 : index
        %i0 = arith.muli %ti, %arg7 : index
        %j0 = arith.muli %tj, %arg9 : index
        %j1 = arith.addi %j0, %arg7 : index
        %i1 = arith.addi %i0, %arg13 : index
        %i2 = arith.addi %i1, %arg13 : index
        %i3 = arith.addi %i2, %arg13 : index
        %i4 = arith.addi %i3, %arg13 : index
        %i5 = arith.addi %i4, %arg13 : index
        %i6 = arith.addi %i5, %arg13 : index
        %i7 = arith.addi %i6, %arg13 : index
        %h:16 = scf.for %kk = %arg6 to %arg9 step %arg13
            iter_args(%y0 = %z0, %y1 = %z1, %y2 = %z2, %y3 = %z3, %y4 = %z4, %y5 = %z5, %y6 = %z6, %y7 = %z7,
                      %y8 = %z8, %y9 = %z9, %y10 = %z10, %y11 = %z11, %y12 = %z12, %y13 = %z13, %y14 = %z14, %y15 = %z15)
            -> (vector<8xf32>, vector<8xf32>, vector<8xf32>, vector<8xf32>, vector<8xf32>, vector<8xf32>, vector<8xf32>, vector<8xf32>,
                vector<8xf32>, vector<8xf32>, vector<8xf32>, vector<8xf32>, vector<8xf32>, vector<8xf32>, vector<8xf32>, vector<8xf32>) {
          %b0 = vector.load %alloc_4[%kk, %j0] : memref<16x128xf32, 3>, vector<8xf32>
          %b1 = vector.load %alloc_4[%kk, %j1] : memref<16x128xf32, 3>, vector<8xf32>
          %e0 = memref.load %alloc[%i0, %kk] : memref<128x16xf32, 3>
          %a0 = vector.broadcast %e0 : f32 to vector<8xf32>
          %x0 = vector.fma %a0, %b0, %y0 : vector<8xf32>
          %x1 = vector.fma %a0, %b1, %y1 : vector<8xf32>
          %e1 = memref.load %alloc[%i1, %kk] : memref<128x16xf32, 3>
          %a1 = vector.broadcast %e1 : f32 to vector<8xf32>
          %x2 = vector.fma %a1, %b0, %y2 : vector<8xf32>
          %x3 = vector.fma %a1, %b1, %y3 : vector<8xf32>
          %e2 = memref.load %alloc[%i2, %kk] : memref<128x16xf32, 3>
          %a2 = vector.broadcast %e2 : f32 to vector<8xf32>
          %x4 = vector.fma %a2, %b0, %y4 : vector<8xf32>
          %x5 = vector.fma %a2, %b1, %y5 : vector<8xf32>
          %e3 = memref.load %alloc[%i3, %kk] : memref<128x16xf32, 3>
          %a3 = vector.broadcast %e3 : f32 to vector<8xf32>
          %x6 = vector.fma %a3, %b0, %y6 : vector<8xf32>
          %x7 = vector.fma %a3, %b1, %y7 : vector<8xf32>
          %e4 = memref.load %alloc[%i4, %kk] : memref<128x16xf32, 3>
          %a4 = vector.broadcast %e4 : f32 to vector<8xf32>
          %x8 = vector.fma %a4, %b0, %y8 : vector<8xf32>
          %x9 = vector.fma %a4, %b1, %y9 : vector<8xf32>
          %e5 = memref.load %alloc[%i5, %kk] : memref<128x16xf32, 3>
          %a5 = vector.broadcast %e5 : f32 to vector<8xf32>
          %x10 = vector.fma %a5, %b0, %y10 : vector<8xf32>
          %x11 = vector.fma %a5, %b1, %y11 : vector<8xf32>
          %e6 = memref.load %alloc[%i6, %kk] : memref<128x16xf32, 3>
          %a6 = vector.broadcast %e6 : f32 to vector<8xf32>
          %x12 = vector.fma %a6, %b0, %y12 : vector<8xf32>
          %x13 = vector.fma %a6, %b1, %y13 : vector<8xf32>
          %e7 = memref.load %alloc[%i7, %kk] : memref<128x16xf32, 3>
          %a7 = vector.broadcast %e7 : f32 to vector<8xf32>
          %x14 = vector.fma %a7, %b0, %y14 : vector<8xf32>
          %x15 = vector.fma %a7, %b1, %y15 : vector<8xf32>
          scf.yield %x0, %x1, %x2, %x3, %x4, %x5, %x6, %x7, %x8, %x9, %x10, %x11, %x12, %x13, %x14, %x15
              : vector<8xf32>, vector<8xf32>, vector<8xf32>, vector<8xf32>, vector<8xf32>, vector<8xf32>, vector<8xf32>, vector<8xf32>,
                vector<8xf32>, vector<8xf32>, vector<8xf32>, vector<8xf32>, vector<8xf32>, vector<8xf32>, vector<8xf32>, vector<8xf32>
        }
        scf.yield %h#0, %h#1, %h#2, %h#3, %h#4, %h#5, %h#6, %h#7, %h#8, %h#9, %h#10, %h#11, %h#12, %h#13, %h#14, %h#15
            : vector<8xf32>, vector<8xf32>, vector<8xf32>, vector<8xf32>, vector<8xf32>, vector<8xf32>, vector<8xf32>, vector<8xf32>,
              vector<8xf32>, vector<8xf32>, vector<8xf32>, vector<8xf32>, vector<8xf32>, vector<8xf32>, vector<8xf32>, vector<8xf32>
      }
      %x = gpu.thread_id x
      %y = gpu.thread_id y
      %y4 = arith.muli %y, %arg4 : index
      %xy = arith.addi %x, %y4 : index
      %z32 = arith.muli %thread_z, %arg5 : index
      %t = arith.addi %xy, %z32 : index
      %group = arith.divui %t, %arg7 : index
      %tile = arith.remui %t, %arg7 : index
      %r0 = arith.muli %group, %arg7 : index
      %c0_5 = arith.muli %tile, %arg9 : index
      %c1 = arith.addi %c0_5, %arg7 : index
      %r1 = arith.addi %r0, %arg13 : index
      %r2 = arith.addi %r1, %arg13 : index
      %r3 = arith.addi %r2, %arg13 : index
      %r4 = arith.addi %r3, %arg13 : index
      %r5 = arith.addi %r4, %arg13 : index
      %r6 = arith.addi %r5, %arg13 : index
      %r7 = arith.addi %r6, %arg13 : index
      vector.store %sum#0, %subview_1[%r0, %c0_5] : memref<128x128xf32, strided<[5376, 1], offset: ?>>, vector<8xf32>
      vector.store %sum#1, %subview_1[%r0, %c1] : memref<128x128xf32, strided<[5376, 1], offset: ?>>, vector<8xf32>
      vector.store %sum#2, %subview_1[%r1, %c0_5] : memref<128x128xf32, strided<[5376, 1], offset: ?>>, vector<8xf32>
      vector.store %sum#3, %subview_1[%r1, %c1] : memref<128x128xf32, strided<[5376, 1], offset: ?>>, vector<8xf32>
      vector.store %sum#4, %subview_1[%r2, %c0_5] : memref<128x128xf32, strided<[5376, 1], offset: ?>>, vector<8xf32>
      vector.store %sum#5, %subview_1[%r2, %c1] : memref<128x128xf32, strided<[5376, 1], offset: ?>>, vector<8xf32>
      vector.store %sum#6, %subview_1[%r3, %c0_5] : memref<128x128xf32, strided<[5376, 1], offset: ?>>, vector<8xf32>
      vector.store %sum#7, %subview_1[%r3, %c1] : memref<128x128xf32, strided<[5376, 1], offset: ?>>, vector<8xf32>
      vector.store %sum#8, %subview_1[%r4, %c0_5] : memref<128x128xf32, strided<[5376, 1], offset: ?>>, vector<8xf32>
      vector.store %sum#9, %subview_1[%r4, %c1] : memref<128x128xf32, strided<[5376, 1], offset: ?>>, vector<8xf32>
      vector.store %sum#10, %subview_1[%r5, %c0_5] : memref<128x128xf32, strided<[5376, 1], offset: ?>>, vector<8xf32>
      vector.store %sum#11, %subview_1[%r5, %c1] : memref<128x128xf32, strided<[5376, 1], offset: ?>>, vector<8xf32>
      vector.store %sum#12, %subview_1[%r6, %c0_5] : memref<128x128xf32, strided<[5376, 1], offset: ?>>, vector<8xf32>
      vector.store %sum#13, %subview_1[%r6, %c1] : memref<128x128xf32, strided<[5376, 1], offset: ?>>, vector<8xf32>
      vector.store %sum#14, %subview_1[%r7, %c0_5] : memref<128x128xf32, strided<[5376, 1], offset: ?>>, vector<8xf32>
      vector.store %sum#15, %subview_1[%r7, %c1] : memref<128x128xf32, strided<[5376, 1], offset: ?>>, vector<8xf32>
      gpu.return
    }
  }
}
