// The 5376x2048 * 2048x5376 module: its host function as outlining leaves it, with its launch of (21, 42, 1) blocks of
// (64, 2, 1) threads and all 87 arguments, and a kernel of that signature.
// RUN: mmtune-opt %s --pass-pipeline='builtin.module(shared-alloc-to-dynamic,convert-memcpy-to-gpu)' | FileCheck %s
// RUN: mmtune-opt %s --pass-pipeline='builtin.module(shared-alloc-to-dynamic,convert-memcpy-to-gpu,func.func(linearize-gpu-tokens))' \
// RUN:   | FileCheck %s --check-prefix=ASYNC
// RUN: mmtune-opt %s --pass-pipeline='builtin.module(shared-alloc-to-dynamic,convert-memcpy-to-gpu{async=true})' \
// RUN:   | FileCheck %s --check-prefix=ASYNC
// RUN: mmtune-opt %s --pass-pipeline='builtin.module(shared-alloc-to-dynamic,convert-memcpy-to-gpu,func.func(linearize-gpu-tokens),gpu.module(expand-kernel-ops,convert-scf-to-cf,convert-gpu-to-nvvm),gpu-to-llvm,reconcile-unrealized-casts)' \
// RUN:   | FileCheck %s --check-prefix=LLVM

// Each argument is copied to a device buffer and not back, the result lives on the device until it is returned, and
// each device buffer is freed once.
// CHECK-LABEL: func.func @matmul(
// CHECK-SAME:    %[[A:.*]]: memref<5376x2048xf32>, %[[B:.*]]: memref<2048x5376xf32>) -> memref<5376x5376xf32>
// CHECK-NEXT:  %[[DA:.*]] = gpu.alloc  () : memref<5376x2048xf32>
// CHECK-NEXT:  gpu.memcpy  %[[DA]], %[[A]] : memref<5376x2048xf32>, memref<5376x2048xf32>
// CHECK-NEXT:  %[[DB:.*]] = gpu.alloc  () : memref<2048x5376xf32>
// CHECK-NEXT:  gpu.memcpy  %[[DB]], %[[B]] : memref<2048x5376xf32>, memref<2048x5376xf32>
// CHECK-NOT:   memref.alloc
// CHECK-NOT:   gpu.memcpy
// CHECK:       %[[DC:.*]] = gpu.alloc  () : memref<5376x5376xf32>
// CHECK:       gpu.launch_func  @matmul_kernel::@matmul_kernel blocks in (%c21, %c42, %c1) threads in (%c64, %c2, %c1) dynamic_shared_memory_size %c49152_i32 args(%c256 : index,
// CHECK-SAME:    %[[DC]] : memref<5376x5376xf32>
// CHECK-SAME:    %[[DA]] : memref<5376x2048xf32>
// CHECK-SAME:    %[[DB]] : memref<2048x5376xf32>
// CHECK-NEXT:  gpu.dealloc  %[[DA]] : memref<5376x2048xf32>
// CHECK-NEXT:  gpu.dealloc  %[[DB]] : memref<2048x5376xf32>
// CHECK-NEXT:  %[[C:.*]] = memref.alloc() {{.*}} : memref<5376x5376xf32>
// CHECK-NEXT:  gpu.memcpy  %[[C]], %[[DC]] : memref<5376x5376xf32>, memref<5376x5376xf32>
// CHECK-NEXT:  gpu.dealloc  %[[DC]] : memref<5376x5376xf32>
// CHECK-NEXT:  return %[[C]] : memref<5376x5376xf32>

// One chain, waited for once.
// ASYNC-LABEL: func.func @matmul(
// ASYNC:       gpu.wait async
// ASYNC-NOT:   gpu.wait
// ASYNC:       gpu.launch_func async [
// ASYNC-NOT:   gpu.wait
// ASYNC:       gpu.memcpy async [
// ASYNC-NEXT:  %[[LAST:.*]] = gpu.dealloc async [
// ASYNC-NEXT:  gpu.wait [%[[LAST]]]
// ASYNC-NEXT:  return

// Memrefs as seven values each, vectors of two dimensions as arrays.
// LLVM-LABEL: llvm.func @matmul(
// LLVM-NOT:   memref
// LLVM:       gpu.launch_func <%{{.*}} : !llvm.ptr> @matmul_kernel::@matmul_kernel
// LLVM-SAME:    vector<8xf32>, %{{[^ ]*}} : !llvm.ptr, %{{[^ ]*}} : !llvm.ptr, %{{[^ ]*}} : i64, %{{[^ ]*}} : i64, %{{[^ ]*}} : i64, %{{[^ ]*}} : i64, %{{[^ ]*}} : i64, %
// LLVM-SAME:    !llvm.array<2 x vector<2xf32>>
// LLVM-SAME:    !llvm.array<4 x vector<1xf32>>, %{{[^ ]*}} : !llvm.array<2 x vector<1xf32>>, %{{[^ ]*}} : i64)
// LLVM-NOT:   unrealized_conversion_cast
// LLVM:       gpu.module

module attributes {gpu.container_module} {
  func.func @matmul(%arg0: memref<5376x2048xf32>, %arg1: memref<2048x5376xf32>) -> memref<5376x5376xf32> {
    %c256 = arith.constant 256 : index
    %c0 = arith.constant 0 : index
    %c-1 = arith.constant -1 : index
    %c32 = arith.constant 32 : index
    %c128 = arith.constant 128 : index
    %c64 = arith.constant 64 : index
    %cst = arith.constant dense<0.000000e+00> : vector<8xf32>
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c3 = arith.constant 3 : index
    %c4 = arith.constant 4 : index
    %c5 = arith.constant 5 : index
    %c6 = arith.constant 6 : index
    %c7 = arith.constant 7 : index
    %c8 = arith.constant 8 : index
    %c9 = arith.constant 9 : index
    %c10 = arith.constant 10 : index
    %c11 = arith.constant 11 : index
    %c12 = arith.constant 12 : index
    %c13 = arith.constant 13 : index
    %c14 = arith.constant 14 : index
    %c15 = arith.constant 15 : index
    %c16 = arith.constant 16 : index
    %c24 = arith.constant 24 : index
    %c40 = arith.constant 40 : index
    %c48 = arith.constant 48 : index
    %c56 = arith.constant 56 : index
    %c72 = arith.constant 72 : index
    %c80 = arith.constant 80 : index
    %c88 = arith.constant 88 : index
    %c96 = arith.constant 96 : index
    %c104 = arith.constant 104 : index
    %c112 = arith.constant 112 : index
    %c120 = arith.constant 120 : index
    %c17 = arith.constant 17 : index
    %c18 = arith.constant 18 : index
    %c19 = arith.constant 19 : index
    %c20 = arith.constant 20 : index
    %c21 = arith.constant 21 : index
    %c22 = arith.constant 22 : index
    %c23 = arith.constant 23 : index
    %c25 = arith.constant 25 : index
    %c26 = arith.constant 26 : index
    %c27 = arith.constant 27 : index
    %c28 = arith.constant 28 : index
    %c29 = arith.constant 29 : index
    %c30 = arith.constant 30 : index
    %c31 = arith.constant 31 : index
    %c33 = arith.constant 33 : index
    %c34 = arith.constant 34 : index
    %c35 = arith.constant 35 : index
    %c36 = arith.constant 36 : index
    %c37 = arith.constant 37 : index
    %c38 = arith.constant 38 : index
    %c39 = arith.constant 39 : index
    %c41 = arith.constant 41 : index
    %c42 = arith.constant 42 : index
    %c43 = arith.constant 43 : index
    %c44 = arith.constant 44 : index
    %c45 = arith.constant 45 : index
    %c46 = arith.constant 46 : index
    %c47 = arith.constant 47 : index
    %c49 = arith.constant 49 : index
    %c50 = arith.constant 50 : index
    %c51 = arith.constant 51 : index
    %c52 = arith.constant 52 : index
    %c53 = arith.constant 53 : index
    %c54 = arith.constant 54 : index
    %c55 = arith.constant 55 : index
    %c57 = arith.constant 57 : index
    %c58 = arith.constant 58 : index
    %c59 = arith.constant 59 : index
    %c60 = arith.constant 60 : index
    %c61 = arith.constant 61 : index
    %c62 = arith.constant 62 : index
    %c63 = arith.constant 63 : index
    %c-16 = arith.constant -16 : index
    %c-256 = arith.constant -256 : index
    %c-8 = arith.constant -8 : index
    %cst_0 = arith.constant dense<0.000000e+00> : vector<2x2xf32>
    %cst_3 = arith.constant 0.000000e+00 : f32
    %cst_1 = arith.constant dense<0.000000e+00> : vector<4x1xf32>
    %cst_2 = arith.constant dense<0.000000e+00> : vector<2x1xf32>
    %c2048 = arith.constant 2048 : index
    %alloc = memref.alloc() {alignment = 64 : i64} : memref<5376x5376xf32>
    gpu.launch_func  @matmul_kernel::@matmul_kernel blocks in (%c21, %c42, %c1) threads in (%c64, %c2, %c1)  args(%c256 : index, %c0 : index, %c-1 : index, %c32 : index, %c128 : index, %c64 : index, %cst : vector<8xf32>, %alloc : memref<5376x5376xf32>, %c1 : index, %c2 : index, %c3 : index, %c4 : index, %c5 : index, %c6 : index, %c7 : index, %c8 : index, %c9 : index, %c10 : index, %c11 : index, %c12 : index, %c13 : index, %c14 : index, %c15 : index, %c16 : index, %c24 : index, %c40 : index, %c48 : index, %c56 : index, %c72 : index, %c80 : index, %c88 : index, %c96 : index, %c104 : index, %c112 : index, %c120 : index, %c17 : index, %c18 : index, %c19 : index, %c20 : index, %c21 : index, %c22 : index, %c23 : index, %c25 : index, %c26 : index, %c27 : index, %c28 : index, %c29 : index, %c30 : index, %c31 : index, %c33 : index, %c34 : index, %c35 : index, %c36 : index, %c37 : index, %c38 : index, %c39 : index, %c41 : index, %c42 : index, %c43 : index, %c44 : index, %c45 : index, %c46 : index, %c47 : index, %c49 : index, %c50 : index, %c51 : index, %c52 : index, %c53 : index, %c54 : index, %c55 : index, %c57 : index, %c58 : index, %c59 : index, %c60 : index, %c61 : index, %c62 : index, %c63 : index, %c-16 : index, %c-256 : index, %c-8 : index, %cst_0 : vector<2x2xf32>, %arg0 : memref<5376x2048xf32>, %cst_3 : f32, %arg1 : memref<2048x5376xf32>, %cst_1 : vector<4x1xf32>, %cst_2 : vector<2x1xf32>, %c2048 : index)
    return %alloc : memref<5376x5376xf32>
  }

  gpu.module @matmul_kernel {
    gpu.func @matmul_kernel(%arg0: index, %arg1: index, %arg2: index, %arg3: index, %arg4: index, %arg5: index, %arg6: vector<8xf32>, %arg7: memref<5376x5376xf32>, %arg8: index, %arg9: index, %arg10: index, %arg11: index, %arg12: index, %arg13: index, %arg14: index, %arg15: index, %arg16: index, %arg17: index, %arg18: index, %arg19: index, %arg20: index, %arg21: index, %arg22: index, %arg23: index, %arg24: index, %arg25: index, %arg26: index, %arg27: index, %arg28: index, %arg29: index, %arg30: index, %arg31: index, %arg32: index, %arg33: index, %arg34: index, %arg35: index, %arg36: index, %arg37: index, %arg38: index, %arg39: index, %arg40: index, %arg41: index, %arg42: index, %arg43: index, %arg44: index, %arg45: index, %arg46: index, %arg47: index, %arg48: index, %arg49: index, %arg50: index, %arg51: index, %arg52: index, %arg53: index, %arg54: index, %arg55: index, %arg56: index, %arg57: index, %arg58: index, %arg59: index, %arg60: index, %arg61: index, %arg62: index, %arg63: index, %arg64: index, %arg65: index, %arg66: index, %arg67: index, %arg68: index, %arg69: index, %arg70: index, %arg71: index, %arg72: index, %arg73: index, %arg74: index, %arg75: index, %arg76: index, %arg77: index, %arg78: index, %arg79: index, %arg80: vector<2x2xf32>, %arg81: memref<5376x2048xf32>, %arg82: f32, %arg83: memref<2048x5376xf32>, %arg84: vector<4x1xf32>, %arg85: vector<2x1xf32>, %arg86: index) kernel {
      // A block computes 256 x 128 elements, a thread 16 x 16 of them: two halves of 8 rows of two vectors. Slices of 32
      // columns of A and rows of B go through shared memory.
      %c1024 = arith.constant 1024 : index
      %c512 = arith.constant 512 : index
      %tile_a = memref.alloc() : memref<256x32xf32, 3>
      %tile_b = memref.alloc() : memref<32x128xf32, 3>
      %tx = gpu.thread_id x
      %ty = gpu.thread_id y
      %bx = gpu.block_id x
      %by = gpu.block_id y
      %ty64 = arith.muli %ty, %arg5 : index
      %t = arith.addi %ty64, %tx : index
      %row0 = arith.muli %bx, %arg0 : index
      %col0 = arith.muli %by, %arg4 : index
      %ti = arith.divui %t, %arg15 : index
      %tj = arith.remui %t, %arg15 : index
      %i0 = arith.muli %ti, %arg23 : index
      %j0 = arith.muli %tj, %arg23 : index
      %j1 = arith.addi %j0, %arg15 : index
      %i1 = arith.addi %i0, %arg8 : index
      %i2 = arith.addi %i0, %arg9 : index
      %i3 = arith.addi %i0, %arg10 : index
      %i4 = arith.addi %i0, %arg11 : index
      %i5 = arith.addi %i0, %arg12 : index
      %i6 = arith.addi %i0, %arg13 : index
      %i7 = arith.addi %i0, %arg14 : index
      %i8 = arith.addi %i0, %arg15 : index
      %i9 = arith.addi %i0, %arg16 : index
      %i10 = arith.addi %i0, %arg17 : index
      %i11 = arith.addi %i0, %arg18 : index
      %i12 = arith.addi %i0, %arg19 : index
      %i13 = arith.addi %i0, %arg20 : index
      %i14 = arith.addi %i0, %arg21 : index
      %i15 = arith.addi %i0, %arg22 : index
      %sum:32 = scf.for %k = %arg1 to %arg86 step %arg3
          iter_args(%z0 = %arg6, %z1 = %arg6, %z2 = %arg6, %z3 = %arg6, %z4 = %arg6, %z5 = %arg6, %z6 = %arg6, %z7 = %arg6, %z8 = %arg6, %z9 = %arg6, %z10 = %arg6, %z11 = %arg6, %z12 = %arg6, %z13 = %arg6, %z14 = %arg6, %z15 = %arg6,
                    %z16 = %arg6, %z17 = %arg6, %z18 = %arg6, %z19 = %arg6, %z20 = %arg6, %z21 = %arg6, %z22 = %arg6, %z23 = %arg6, %z24 = %arg6, %z25 = %arg6, %z26 = %arg6, %z27 = %arg6, %z28 = %arg6, %z29 = %arg6, %z30 = %arg6, %z31 = %arg6)
          -> (vector<8xf32>, vector<8xf32>, vector<8xf32>, vector<8xf32>, vector<8xf32>, vector<8xf32>, vector<8xf32>, vector<8xf32>, vector<8xf32>, vector<8xf32>, vector<8xf32>, vector<8xf32>, vector<8xf32>, vector<8xf32>, vector<8xf32>, vector<8xf32>, vector<8xf32>, vector<8xf32>, vector<8xf32>, vector<8xf32>, vector<8xf32>, vector<8xf32>, vector<8xf32>, vector<8xf32>, vector<8xf32>, vector<8xf32>, vector<8xf32>, vector<8xf32>, vector<8xf32>, vector<8xf32>, vector<8xf32>, vector<8xf32>) {
        gpu.barrier
        scf.for %l = %t to %c1024 step %arg4 {
          %r = arith.divui %l, %arg11 : index
          %l4 = arith.remui %l, %arg11 : index
          %c = arith.muli %l4, %arg15 : index
          %gr = arith.addi %row0, %r : index
          %gc = arith.addi %k, %c : index
          %v = vector.load %arg81[%gr, %gc] : memref<5376x2048xf32>, vector<8xf32>
          vector.store %v, %tile_a[%r, %c] : memref<256x32xf32, 3>, vector<8xf32>
        }
        scf.for %l = %t to %c512 step %arg4 {
          %r = arith.divui %l, %arg23 : index
          %l16 = arith.remui %l, %arg23 : index
          %c = arith.muli %l16, %arg15 : index
          %gr = arith.addi %k, %r : index
          %gc = arith.addi %col0, %c : index
          %v = vector.load %arg83[%gr, %gc] : memref<2048x5376xf32>, vector<8xf32>
          vector.store %v, %tile_b[%r, %c] : memref<32x128xf32, 3>, vector<8xf32>
        }
        gpu.barrier
        %h0:16 = scf.for %kk = %arg1 to %arg3 step %arg8
            iter_args(%y0 = %z0, %y1 = %z1, %y2 = %z2, %y3 = %z3, %y4 = %z4, %y5 = %z5, %y6 = %z6, %y7 = %z7,
                      %y8 = %z8, %y9 = %z9, %y10 = %z10, %y11 = %z11, %y12 = %z12, %y13 = %z13, %y14 = %z14, %y15 = %z15)
            -> (vector<8xf32>, vector<8xf32>, vector<8xf32>, vector<8xf32>, vector<8xf32>, vector<8xf32>, vector<8xf32>, vector<8xf32>, vector<8xf32>, vector<8xf32>, vector<8xf32>, vector<8xf32>, vector<8xf32>, vector<8xf32>, vector<8xf32>, vector<8xf32>) {
          %b0 = vector.load %tile_b[%kk, %j0] : memref<32x128xf32, 3>, vector<8xf32>
          %b1 = vector.load %tile_b[%kk, %j1] : memref<32x128xf32, 3>, vector<8xf32>
          %e0 = memref.load %tile_a[%i0, %kk] : memref<256x32xf32, 3>
          %a0 = vector.broadcast %e0 : f32 to vector<8xf32>
          %x0 = vector.fma %a0, %b0, %y0 : vector<8xf32>
          %x1 = vector.fma %a0, %b1, %y1 : vector<8xf32>
          %e1 = memref.load %tile_a[%i1, %kk] : memref<256x32xf32, 3>
          %a1 = vector.broadcast %e1 : f32 to vector<8xf32>
          %x2 = vector.fma %a1, %b0, %y2 : vector<8xf32>
          %x3 = vector.fma %a1, %b1, %y3 : vector<8xf32>
          %e2 = memref.load %tile_a[%i2, %kk] : memref<256x32xf32, 3>
          %a2 = vector.broadcast %e2 : f32 to vector<8xf32>
          %x4 = vector.fma %a2, %b0, %y4 : vector<8xf32>
          %x5 = vector.fma %a2, %b1, %y5 : vector<8xf32>
          %e3 = memref.load %tile_a[%i3, %kk] : memref<256x32xf32, 3>
          %a3 = vector.broadcast %e3 : f32 to vector<8xf32>
          %x6 = vector.fma %a3, %b0, %y6 : vector<8xf32>
          %x7 = vector.fma %a3, %b1, %y7 : vector<8xf32>
          %e4 = memref.load %tile_a[%i4, %kk] : memref<256x32xf32, 3>
          %a4 = vector.broadcast %e4 : f32 to vector<8xf32>
          %x8 = vector.fma %a4, %b0, %y8 : vector<8xf32>
          %x9 = vector.fma %a4, %b1, %y9 : vector<8xf32>
          %e5 = memref.load %tile_a[%i5, %kk] : memref<256x32xf32, 3>
          %a5 = vector.broadcast %e5 : f32 to vector<8xf32>
          %x10 = vector.fma %a5, %b0, %y10 : vector<8xf32>
          %x11 = vector.fma %a5, %b1, %y11 : vector<8xf32>
          %e6 = memref.load %tile_a[%i6, %kk] : memref<256x32xf32, 3>
          %a6 = vector.broadcast %e6 : f32 to vector<8xf32>
          %x12 = vector.fma %a6, %b0, %y12 : vector<8xf32>
          %x13 = vector.fma %a6, %b1, %y13 : vector<8xf32>
          %e7 = memref.load %tile_a[%i7, %kk] : memref<256x32xf32, 3>
          %a7 = vector.broadcast %e7 : f32 to vector<8xf32>
          %x14 = vector.fma %a7, %b0, %y14 : vector<8xf32>
          %x15 = vector.fma %a7, %b1, %y15 : vector<8xf32>
          scf.yield %x0, %x1, %x2, %x3, %x4, %x5, %x6, %x7, %x8, %x9, %x10, %x11, %x12, %x13, %x14, %x15
              : vector<8xf32>, vector<8xf32>, vector<8xf32>, vector<8xf32>, vector<8xf32>, vector<8xf32>, vector<8xf32>, vector<8xf32>, vector<8xf32>, vector<8xf32>, vector<8xf32>, vector<8xf32>, vector<8xf32>, vector<8xf32>, vector<8xf32>, vector<8xf32>
        }
        %h1:16 = scf.for %kk = %arg1 to %arg3 step %arg8
            iter_args(%y16 = %z16, %y17 = %z17, %y18 = %z18, %y19 = %z19, %y20 = %z20, %y21 = %z21, %y22 = %z22, %y23 = %z23,
                      %y24 = %z24, %y25 = %z25, %y26 = %z26, %y27 = %z27, %y28 = %z28, %y29 = %z29, %y30 = %z30, %y31 = %z31)
            -> (vector<8xf32>, vector<8xf32>, vector<8xf32>, vector<8xf32>, vector<8xf32>, vector<8xf32>, vector<8xf32>, vector<8xf32>, vector<8xf32>, vector<8xf32>, vector<8xf32>, vector<8xf32>, vector<8xf32>, vector<8xf32>, vector<8xf32>, vector<8xf32>) {
          %b0 = vector.load %tile_b[%kk, %j0] : memref<32x128xf32, 3>, vector<8xf32>
          %b1 = vector.load %tile_b[%kk, %j1] : memref<32x128xf32, 3>, vector<8xf32>
          %e0 = memref.load %tile_a[%i8, %kk] : memref<256x32xf32, 3>
          %a0 = vector.broadcast %e0 : f32 to vector<8xf32>
          %x0 = vector.fma %a0, %b0, %y16 : vector<8xf32>
          %x1 = vector.fma %a0, %b1, %y17 : vector<8xf32>
          %e1 = memref.load %tile_a[%i9, %kk] : memref<256x32xf32, 3>
          %a1 = vector.broadcast %e1 : f32 to vector<8xf32>
          %x2 = vector.fma %a1, %b0, %y18 : vector<8xf32>
          %x3 = vector.fma %a1, %b1, %y19 : vector<8xf32>
          %e2 = memref.load %tile_a[%i10, %kk] : memref<256x32xf32, 3>
          %a2 = vector.broadcast %e2 : f32 to vector<8xf32>
          %x4 = vector.fma %a2, %b0, %y20 : vector<8xf32>
          %x5 = vector.fma %a2, %b1, %y21 : vector<8xf32>
          %e3 = memref.load %tile_a[%i11, %kk] : memref<256x32xf32, 3>
          %a3 = vector.broadcast %e3 : f32 to vector<8xf32>
          %x6 = vector.fma %a3, %b0, %y22 : vector<8xf32>
          %x7 = vector.fma %a3, %b1, %y23 : vector<8xf32>
          %e4 = memref.load %tile_a[%i12, %kk] : memref<256x32xf32, 3>
          %a4 = vector.broadcast %e4 : f32 to vector<8xf32>
          %x8 = vector.fma %a4, %b0, %y24 : vector<8xf32>
          %x9 = vector.fma %a4, %b1, %y25 : vector<8xf32>
          %e5 = memref.load %tile_a[%i13, %kk] : memref<256x32xf32, 3>
          %a5 = vector.broadcast %e5 : f32 to vector<8xf32>
          %x10 = vector.fma %a5, %b0, %y26 : vector<8xf32>
          %x11 = vector.fma %a5, %b1, %y27 : vector<8xf32>
          %e6 = memref.load %tile_a[%i14, %kk] : memref<256x32xf32, 3>
          %a6 = vector.broadcast %e6 : f32 to vector<8xf32>
          %x12 = vector.fma %a6, %b0, %y28 : vector<8xf32>
          %x13 = vector.fma %a6, %b1, %y29 : vector<8xf32>
          %e7 = memref.load %tile_a[%i15, %kk] : memref<256x32xf32, 3>
          %a7 = vector.broadcast %e7 : f32 to vector<8xf32>
          %x14 = vector.fma %a7, %b0, %y30 : vector<8xf32>
          %x15 = vector.fma %a7, %b1, %y31 : vector<8xf32>
          scf.yield %x0, %x1, %x2, %x3, %x4, %x5, %x6, %x7, %x8, %x9, %x10, %x11, %x12, %x13, %x14, %x15
              : vector<8xf32>, vector<8xf32>, vector<8xf32>, vector<8xf32>, vector<8xf32>, vector<8xf32>, vector<8xf32>, vector<8xf32>, vector<8xf32>, vector<8xf32>, vector<8xf32>, vector<8xf32>, vector<8xf32>, vector<8xf32>, vector<8xf32>, vector<8xf32>
        }
        scf.yield %h0#0, %h0#1, %h0#2, %h0#3, %h0#4, %h0#5, %h0#6, %h0#7, %h0#8, %h0#9, %h0#10, %h0#11, %h0#12, %h0#13, %h0#14, %h0#15,
                  %h1#0, %h1#1, %h1#2, %h1#3, %h1#4, %h1#5, %h1#6, %h1#7, %h1#8, %h1#9, %h1#10, %h1#11, %h1#12, %h1#13, %h1#14, %h1#15
            : vector<8xf32>, vector<8xf32>, vector<8xf32>, vector<8xf32>, vector<8xf32>, vector<8xf32>, vector<8xf32>, vector<8xf32>, vector<8xf32>, vector<8xf32>, vector<8xf32>, vector<8xf32>, vector<8xf32>, vector<8xf32>, vector<8xf32>, vector<8xf32>, vector<8xf32>, vector<8xf32>, vector<8xf32>, vector<8xf32>, vector<8xf32>, vector<8xf32>, vector<8xf32>, vector<8xf32>, vector<8xf32>, vector<8xf32>, vector<8xf32>, vector<8xf32>, vector<8xf32>, vector<8xf32>, vector<8xf32>, vector<8xf32>
      }
      %gj0 = arith.addi %col0, %j0 : index
      %gj1 = arith.addi %col0, %j1 : index
      %gi0 = arith.addi %row0, %i0 : index
      vector.store %sum#0, %arg7[%gi0, %gj0] : memref<5376x5376xf32>, vector<8xf32>
      vector.store %sum#1, %arg7[%gi0, %gj1] : memref<5376x5376xf32>, vector<8xf32>
      %gi1 = arith.addi %row0, %i1 : index
      vector.store %sum#2, %arg7[%gi1, %gj0] : memref<5376x5376xf32>, vector<8xf32>
      vector.store %sum#3, %arg7[%gi1, %gj1] : memref<5376x5376xf32>, vector<8xf32>
      %gi2 = arith.addi %row0, %i2 : index
      vector.store %sum#4, %arg7[%gi2, %gj0] : memref<5376x5376xf32>, vector<8xf32>
      vector.store %sum#5, %arg7[%gi2, %gj1] : memref<5376x5376xf32>, vector<8xf32>
      %gi3 = arith.addi %row0, %i3 : index
      vector.store %sum#6, %arg7[%gi3, %gj0] : memref<5376x5376xf32>, vector<8xf32>
      vector.store %sum#7, %arg7[%gi3, %gj1] : memref<5376x5376xf32>, vector<8xf32>
      %gi4 = arith.addi %row0, %i4 : index
      vector.store %sum#8, %arg7[%gi4, %gj0] : memref<5376x5376xf32>, vector<8xf32>
      vector.store %sum#9, %arg7[%gi4, %gj1] : memref<5376x5376xf32>, vector<8xf32>
      %gi5 = arith.addi %row0, %i5 : index
      vector.store %sum#10, %arg7[%gi5, %gj0] : memref<5376x5376xf32>, vector<8xf32>
      vector.store %sum#11, %arg7[%gi5, %gj1] : memref<5376x5376xf32>, vector<8xf32>
      %gi6 = arith.addi %row0, %i6 : index
      vector.store %sum#12, %arg7[%gi6, %gj0] : memref<5376x5376xf32>, vector<8xf32>
      vector.store %sum#13, %arg7[%gi6, %gj1] : memref<5376x5376xf32>, vector<8xf32>
      %gi7 = arith.addi %row0, %i7 : index
      vector.store %sum#14, %arg7[%gi7, %gj0] : memref<5376x5376xf32>, vector<8xf32>
      vector.store %sum#15, %arg7[%gi7, %gj1] : memref<5376x5376xf32>, vector<8xf32>
      %gi8 = arith.addi %row0, %i8 : index
      vector.store %sum#16, %arg7[%gi8, %gj0] : memref<5376x5376xf32>, vector<8xf32>
      vector.store %sum#17, %arg7[%gi8, %gj1] : memref<5376x5376xf32>, vector<8xf32>
      %gi9 = arith.addi %row0, %i9 : index
      vector.store %sum#18, %arg7[%gi9, %gj0] : memref<5376x5376xf32>, vector<8xf32>
      vector.store %sum#19, %arg7[%gi9, %gj1] : memref<5376x5376xf32>, vector<8xf32>
      %gi10 = arith.addi %row0, %i10 : index
      vector.store %sum#20, %arg7[%gi10, %gj0] : memref<5376x5376xf32>, vector<8xf32>
      vector.store %sum#21, %arg7[%gi10, %gj1] : memref<5376x5376xf32>, vector<8xf32>
      %gi11 = arith.addi %row0, %i11 : index
      vector.store %sum#22, %arg7[%gi11, %gj0] : memref<5376x5376xf32>, vector<8xf32>
      vector.store %sum#23, %arg7[%gi11, %gj1] : memref<5376x5376xf32>, vector<8xf32>
      %gi12 = arith.addi %row0, %i12 : index
      vector.store %sum#24, %arg7[%gi12, %gj0] : memref<5376x5376xf32>, vector<8xf32>
      vector.store %sum#25, %arg7[%gi12, %gj1] : memref<5376x5376xf32>, vector<8xf32>
      %gi13 = arith.addi %row0, %i13 : index
      vector.store %sum#26, %arg7[%gi13, %gj0] : memref<5376x5376xf32>, vector<8xf32>
      vector.store %sum#27, %arg7[%gi13, %gj1] : memref<5376x5376xf32>, vector<8xf32>
      %gi14 = arith.addi %row0, %i14 : index
      vector.store %sum#28, %arg7[%gi14, %gj0] : memref<5376x5376xf32>, vector<8xf32>
      vector.store %sum#29, %arg7[%gi14, %gj1] : memref<5376x5376xf32>, vector<8xf32>
      %gi15 = arith.addi %row0, %i15 : index
      vector.store %sum#30, %arg7[%gi15, %gj0] : memref<5376x5376xf32>, vector<8xf32>
      vector.store %sum#31, %arg7[%gi15, %gj1] : memref<5376x5376xf32>, vector<8xf32>
      gpu.return
    }
  }
}
