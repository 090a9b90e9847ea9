// The 5376x2048 * 2048x5376 module, with the launch of (21, 42, 1) blocks of (64, 2, 1) threads: its host
// function as outlining leaves it, constants and all.
// RUN: mmtune-opt %s --convert-memcpy-to-gpu | FileCheck %s
// RUN: mmtune-opt %s --pass-pipeline='builtin.module(convert-memcpy-to-gpu,func.func(linearize-gpu-tokens))' \
// RUN:   | FileCheck %s --check-prefix=ASYNC
// RUN: mmtune-opt %s --pass-pipeline='builtin.module(convert-memcpy-to-gpu{async=true})' | FileCheck %s --check-prefix=ASYNC

// CHECK-LABEL: func.func @matmul(
// CHECK-SAME:    %[[A:.*]]: memref<5376x2048xf32>, %[[B:.*]]: memref<2048x5376xf32>) -> memref<5376x5376xf32>
// CHECK-NEXT:  %[[DA:.*]] = gpu.alloc  () : memref<5376x2048xf32>
// CHECK-NEXT:  gpu.memcpy  %[[DA]], %[[A]] : memref<5376x2048xf32>, memref<5376x2048xf32>
// CHECK-NEXT:  %[[DB:.*]] = gpu.alloc  () : memref<2048x5376xf32>
// CHECK-NEXT:  gpu.memcpy  %[[DB]], %[[B]] : memref<2048x5376xf32>, memref<2048x5376xf32>
// CHECK-NOT:   memref.alloc
// CHECK:       %[[DC:.*]] = gpu.alloc  () : memref<5376x5376xf32>
// CHECK-NEXT:  gpu.launch_func  @matmul_kernel::@matmul_kernel blocks in (%c21, %c42, %c1) threads in (%c64, %c2, %c1)
// CHECK-SAME:    %[[DC]] : memref<5376x5376xf32>
// CHECK-SAME:    %[[DA]] : memref<5376x2048xf32>
// CHECK-SAME:    %[[DB]] : memref<2048x5376xf32>
// CHECK-NEXT:  gpu.dealloc  %[[DA]] : memref<5376x2048xf32>
// CHECK-NEXT:  gpu.dealloc  %[[DB]] : memref<2048x5376xf32>
// CHECK-NEXT:  %[[C:.*]] = memref.alloc() {{.*}} : memref<5376x5376xf32>
// CHECK-NEXT:  gpu.memcpy  %[[C]], %[[DC]] : memref<5376x5376xf32>, memref<5376x5376xf32>
// CHECK-NEXT:  gpu.dealloc  %[[DC]] : memref<5376x5376xf32>
// CHECK-NEXT:  return %[[C]] : memref<5376x5376xf32>

// ASYNC-LABEL: func.func @matmul(
// ASYNC:       gpu.wait async
// ASYNC-NOT:   gpu.wait
// ASYNC:       gpu.launch_func async [
// ASYNC-NOT:   gpu.wait
// ASYNC:       gpu.memcpy async [
// ASYNC-NEXT:  %[[LAST:.*]] = gpu.dealloc async [
// ASYNC-NEXT:  gpu.wait [%[[LAST]]]
// ASYNC-NEXT:  return

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
      // The product's read and write sets, which is what the pass looks at.
      %a = memref.load %arg81[%arg1, %arg1] : memref<5376x2048xf32>
      %b = memref.load %arg83[%arg1, %arg1] : memref<2048x5376xf32>
      %c = memref.load %arg7[%arg1, %arg1] : memref<5376x5376xf32>
      %ab = arith.mulf %a, %b : f32
      %sum = arith.addf %ab, %c : f32
      memref.store %sum, %arg7[%arg1, %arg1] : memref<5376x5376xf32>
      gpu.return
    }
  }
}
