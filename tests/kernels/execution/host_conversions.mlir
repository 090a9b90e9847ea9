// Functions without device operations, whose conversions and arithmetic a processor may have no instructions for.

func.func @to_bf16(%singles: memref<?xf32>, %doubles: memref<?xf64>, %from_singles: memref<?xbf16>,
                   %from_doubles: memref<?xbf16>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = memref.dim %singles, %c0 : memref<?xf32>
  scf.for %i = %c0 to %n step %c1 {
    %s = memref.load %singles[%i] : memref<?xf32>
    %0 = arith.truncf %s : f32 to bf16
    memref.store %0, %from_singles[%i] : memref<?xbf16>
    %d = memref.load %doubles[%i] : memref<?xf64>
    %1 = arith.truncf %d : f64 to bf16
    memref.store %1, %from_doubles[%i] : memref<?xbf16>
  }
  return
}

func.func @to_f16(%singles: memref<?xf32>, %doubles: memref<?xf64>, %from_singles: memref<?xf16>,
                  %from_doubles: memref<?xf16>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = memref.dim %singles, %c0 : memref<?xf32>
  scf.for %i = %c0 to %n step %c1 {
    %s = memref.load %singles[%i] : memref<?xf32>
    %0 = arith.truncf %s : f32 to f16
    memref.store %0, %from_singles[%i] : memref<?xf16>
    %d = memref.load %doubles[%i] : memref<?xf64>
    %1 = arith.truncf %d : f64 to f16
    memref.store %1, %from_doubles[%i] : memref<?xf16>
  }
  return
}

func.func @widen(%halves: memref<?xf16>, %bfloats: memref<?xbf16>, %from_halves: memref<?xf64>,
                 %from_bfloats: memref<?xf64>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = memref.dim %halves, %c0 : memref<?xf16>
  scf.for %i = %c0 to %n step %c1 {
    %h = memref.load %halves[%i] : memref<?xf16>
    %0 = arith.extf %h : f16 to f64
    memref.store %0, %from_halves[%i] : memref<?xf64>
    %b = memref.load %bfloats[%i] : memref<?xbf16>
    %1 = arith.extf %b : bf16 to f64
    memref.store %1, %from_bfloats[%i] : memref<?xf64>
  }
  return
}

// Each result is exact, or rounded once.
func.func @arithmetic(%b: bf16, %h: f16, %n: i64) -> (bf16, bf16, bf16, f16, f16, f16) {
  %b0 = arith.addf %b, %b : bf16
  %b1 = math.sqrt %b : bf16
  %b2 = arith.sitofp %n : i64 to bf16
  %h0 = arith.mulf %h, %h : f16
  %h1 = math.sqrt %h : f16
  %h2 = arith.uitofp %n : i64 to f16
  return %b0, %b1, %b2, %h0, %h1, %h2 : bf16, bf16, bf16, f16, f16, f16
}

// A division of 128 bits and a power are calls on every processor; a rounding and a fused product on old ones.
func.func @calls(%x: i64, %y: i64, %a: f32, %n: i32) -> (i64, i64, f32, f32, f32) {
  %x128 = arith.extsi %x : i64 to i128
  %y128 = arith.extsi %y : i64 to i128
  %square = arith.muli %x128, %x128 : i128
  %q = arith.divsi %square, %y128 : i128
  %r = arith.remsi %square, %y128 : i128
  %q64 = arith.trunci %q : i128 to i64
  %r64 = arith.trunci %r : i128 to i64
  %p = math.fpowi %a, %n : f32, i32
  %e = math.roundeven %a : f32
  %f = math.fma %a, %a, %a : f32
  return %q64, %r64, %p, %e, %f : i64, i64, f32, f32, f32
}
