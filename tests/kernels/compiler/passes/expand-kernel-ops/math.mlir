// RUN: mmtune-opt %s --pass-pipeline='builtin.module(gpu.module(expand-kernel-ops))' | FileCheck %s
// RUN: mmtune-opt %s --pass-pipeline='builtin.module(gpu.module(expand-kernel-ops,convert-scf-to-cf,convert-gpu-to-nvvm,replace-libdevice-calls,convert-nvvm-to-llvm,reconcile-unrealized-casts))' \
// RUN:   | FileCheck %s --check-prefix=LOWERED

// Nothing is left that does not translate.
// LOWERED-NOT: unrealized_conversion_cast
// LOWERED-NOT: math.

gpu.module @kernels {
  // Most is left to convert-gpu-to-nvvm; what that forgets is lowered here.
  // CHECK-LABEL: gpu.func @instructions(
  // CHECK:       math.sqrt
  // CHECK:       arith.remf
  // CHECK:       llvm.intr.trunc
  // CHECK:       math.sqrt %{{.*}} : f64
  // CHECK:       llvm.intr.ctpop
  gpu.func @instructions(%x: memref<?xf32>, %y: memref<?xf64>, %z: memref<?xi32>) kernel {
    %i = gpu.thread_id x
    %0 = memref.load %x[%i] : memref<?xf32>
    %1 = math.sqrt %0 : f32
    %2 = math.absf %1 : f32
    %3 = math.ceil %2 : f32
    %4 = math.fma %3, %2, %1 : f32
    %5 = math.roundeven %4 : f32
    %6 = math.copysign %5, %0 : f32
    %7 = math.rsqrt %6 : f32
    %8 = arith.remf %7, %0 : f32
    %9 = math.trunc %8 : f32
    memref.store %9, %x[%i] : memref<?xf32>
    %d = memref.load %y[%i] : memref<?xf64>
    %e = math.sqrt %d : f64
    memref.store %e, %y[%i] : memref<?xf64>
    %n = memref.load %z[%i] : memref<?xi32>
    %bits = math.ctpop %n : i32
    memref.store %bits, %z[%i] : memref<?xi32>
    gpu.return
  }

  // Functions stay for convert-gpu-to-nvvm; powers with small constant exponents are multiplications, on vectors too.
  // CHECK-LABEL: gpu.func @powers(
  // CHECK:       math.exp
  // CHECK:       %[[SQUARE:.*]] = arith.mulf %[[X:.*]], %[[X]] : f32
  // CHECK-NEXT:  arith.mulf %[[SQUARE]], %[[X]] : f32
  // CHECK:       arith.divf
  // CHECK:       math.powf
  // CHECK:       %[[MAGNITUDE:.*]] = math.absf %[[BASE:.*]] : f32
  // CHECK:       %[[POWER:.*]] = math.powf %[[MAGNITUDE]], %{{.*}} : f32
  // CHECK:       math.copysign %[[POWER]], %[[BASE]] : f32
  // CHECK:       %[[WIDE:.*]] = arith.extf %{{.*}} : f32 to f64
  // CHECK:       %[[WIDE_POWER:.*]] = math.powf %{{.*}} : f64
  // CHECK:       %[[SIGNED:.*]] = math.copysign %[[WIDE_POWER]], %[[WIDE]] : f64
  // CHECK:       arith.select %{{.*}}, %[[SIGNED]], %[[WIDE_POWER]] : f64
  // CHECK:       arith.mulf %{{.*}} : vector<2x2xf32>
  // CHECK-NOT:   math.fpowi
  // CHECK:       gpu.return
  gpu.func @powers(%x: memref<?xf32>, %v: vector<2x2xf32>, %out: memref<?xvector<2x2xf32>>, %n: i32) kernel {
    %i = gpu.thread_id x
    %0 = memref.load %x[%i] : memref<?xf32>
    %1 = math.exp %0 : f32
    %three = arith.constant 3.0 : f32
    %2 = math.powf %1, %three : f32
    %minus = arith.constant -1 : i32
    %3 = math.fpowi %2, %minus : f32, i32
    %4 = math.powf %3, %0 : f32
    %seven = arith.constant 7 : i32
    %5 = math.fpowi %4, %seven : f32, i32
    %6 = math.fpowi %5, %n : f32, i32
    memref.store %6, %x[%i] : memref<?xf32>
    %twos = arith.constant dense<2> : vector<2x2xi64>
    %7 = math.fpowi %v, %twos : vector<2x2xf32>, vector<2x2xi64>
    memref.store %7, %out[%i] : memref<?xvector<2x2xf32>>
    gpu.return
  }

  // Integers of any width; what no target has.
  // CHECK-LABEL: gpu.func @composed(
  // CHECK-COUNT-2: llvm.intr.abs
  // CHECK:       scf.while
  // CHECK:       arith.shrui
  // CHECK-NOT:   math.
  // CHECK:       %[[AT_LEAST:.*]] = arith.maximumf %{{.*}}, %{{.*}} : f16
  // CHECK:       arith.minimumf %[[AT_LEAST]], %{{.*}} : f16
  // CHECK:       gpu.return
  gpu.func @composed(%x: memref<?xi8>, %y: memref<?xi64>, %z: memref<?xf16>) kernel {
    %i = gpu.thread_id x
    %0 = memref.load %x[%i] : memref<?xi8>
    %1 = math.absi %0 : i8
    memref.store %1, %x[%i] : memref<?xi8>
    %2 = memref.load %y[%i] : memref<?xi64>
    %3 = math.absi %2 : i64
    %4 = math.ipowi %3, %2 : i64
    memref.store %4, %y[%i] : memref<?xi64>
    %5 = memref.load %z[%i] : memref<?xf16>
    %low = arith.constant -1.0 : f16
    %high = arith.constant 2.0 : f16
    %6 = math.clampf %5 to [%low, %high] : f16
    memref.store %6, %z[%i] : memref<?xf16>
    gpu.return
  }

  // Types and vectors that convert-gpu-to-nvvm takes apart.
  gpu.func @types(%x: memref<?xbf16>, %v: vector<2x2xf32>, %out: memref<?xvector<2x2xf32>>, %h: memref<?xf16>,
                  %w: vector<4xi16>, %integers: memref<?xvector<4xi16>>, %d: memref<?xf64>) kernel {
    %i = gpu.thread_id x
    %0 = memref.load %x[%i] : memref<?xbf16>
    %1 = math.exp %0 : bf16
    memref.store %1, %x[%i] : memref<?xbf16>
    %2 = math.exp %v : vector<2x2xf32>
    %sin, %cos = math.sincos %2 : vector<2x2xf32>
    %both = arith.addf %sin, %cos : vector<2x2xf32>
    memref.store %both, %out[%i] : memref<?xvector<2x2xf32>>
    %3 = memref.load %h[%i] : memref<?xf16>
    %4 = math.tanh %3 : f16
    %5 = math.rsqrt %4 : f16
    %6 = arith.remf %5, %3 : f16
    memref.store %6, %h[%i] : memref<?xf16>
    %7 = math.ipowi %w, %w : vector<4xi16>
    %8 = math.absi %7 : vector<4xi16>
    memref.store %8, %integers[%i] : memref<?xvector<4xi16>>
    %9 = memref.load %d[%i] : memref<?xf64>
    %10 = math.exp %9 : f64
    memref.store %10, %d[%i] : memref<?xf64>
    gpu.return
  }

  // Views and affine operations become arithmetic in either case.
  // CHECK-LABEL: gpu.func @views(
  // CHECK-NOT:   memref.subview
  // CHECK-NOT:   affine.apply
  // CHECK:       gpu.return
  gpu.func @views(%x: memref<8x16xf32>, %v: f32) kernel {
    %i = gpu.thread_id x
    %j = affine.apply affine_map<(d0) -> (d0 * 2 + 1)>(%i)
    %row = memref.subview %x[%i, 0] [1, 16] [1, 1] : memref<8x16xf32> to memref<16xf32, strided<[1], offset: ?>>
    memref.store %v, %row[%j] : memref<16xf32, strided<[1], offset: ?>>
    gpu.return
  }

  // A kernel that is an llvm.func was measured as it is.
  // CHECK-LABEL: llvm.func @emitted(
  // CHECK-NEXT:    %[[A:.*]] = arith.constant 1.000000e+00 : f32
  // CHECK-NEXT:    %[[B:.*]] = arith.constant 1.000000e+00 : f32
  // CHECK-NEXT:    arith.addf %[[A]], %[[B]]
  llvm.func @emitted(%p: !llvm.ptr) attributes {gpu.kernel, nvvm.kernel} {
    %a = arith.constant 1.0 : f32
    %b = arith.constant 1.0 : f32
    %c = arith.addf %a, %b : f32
    llvm.store %c, %p : f32, !llvm.ptr
    llvm.return
  }
}
