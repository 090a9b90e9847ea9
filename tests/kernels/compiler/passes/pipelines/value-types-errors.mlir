// RUN: mmtune-opt %s --check-value-types --split-input-file --verify-diagnostics

// expected-error @below {{a value of type 'tuple<f32, i32>' has no machine representation: pass its parts one by one}}
func.func @tuple(%x: tuple<f32, i32>) {
  return
}

// -----

// expected-error @below {{a value of type 'none' has no machine representation}}
func.func private @none() -> none

// -----

// expected-error @below {{a value of type 'memref<4xtf32>' exists only within matrix instructions: keep the values as f32}}
func.func @tf32(%x: memref<4xtf32>) {
  return
}

// -----

// expected-error @below {{a value of type 'memref<4x4xf32, affine_map<(d0, d1) -> (d1, d0)>>' has elements that are not at fixed distances}}
func.func private @layout(%x: memref<4x4xf32, affine_map<(i, j) -> (j, i)>>, %y: memref<4x4xf32, strided<[?, 1], offset: ?>>)

// -----

// The host's, but not a kernel's.
func.func @host(%x: f80, %y: complex<f128>, %z: i7) {
  return
}
gpu.module @kernels {
  gpu.func @kernel(%x: memref<4xf64>, %i: index) kernel {
    %v = memref.load %x[%i] : memref<4xf64>
    // expected-error @below {{a value of type 'f128' is not supported in device code: use f64 at most}}
    %w = arith.extf %v : f64 to f128
    gpu.return
  }
}

// -----

gpu.module @kernels {
  // expected-error @below {{a value of type 'i7' cannot be passed to a kernel: extend it to 8, 16, 32, 64 or 128 bits before the launch}}
  gpu.func @parameter(%i: i1, %j: i8, %k: i128, %l: i7) kernel {
    gpu.return
  }
}

// -----

gpu.module @kernels {
  gpu.func @inside(%x: memref<4xi7>, %i: index) kernel {
    %v = memref.load %x[%i] : memref<4xi7>
    %n = func.call @callee(%v) : (i7) -> i7
    gpu.return
  }
  func.func @callee(%v: i7) -> i7 {
    return %v : i7
  }
}

// -----

// Eight of a vector are one byte, and eight bytes of a buffer.
func.func @bits(%x: memref<64xi1>, %v: vector<8xi1>, %one: vector<1xi1>, %whole: memref<8xvector<8xi1>>, %i: index) {
  vector.store %one, %x[%i] : memref<64xi1>, vector<1xi1>
  %w = vector.load %whole[%i] : memref<8xvector<8xi1>>, vector<8xi1>
  // expected-error @below {{the elements of 'vector<8xi1>' do not lie in memory as those of 'memref<64xi1>'}}
  vector.store %v, %x[%i] : memref<64xi1>, vector<8xi1>
  return
}

// -----

func.func @three_bytes(%x: memref<64xi24>, %zero: i24, %i: index) -> vector<4xi24> {
  // expected-error @below {{the elements of 'vector<4xi24>' do not lie in memory as those of 'memref<64xi24>'}}
  %v = vector.transfer_read %x[%i], %zero : memref<64xi24>, vector<4xi24>
  return %v : vector<4xi24>
}

// -----

func.func @affine(%x: memref<64xi4>, %v: vector<4xi4>) {
  // expected-error @below {{the elements of 'vector<4xi4>' do not lie in memory as those of 'memref<64xi4>'}}
  affine.vector_store %v, %x[8] : memref<64xi4>, vector<4xi4>
  return
}
