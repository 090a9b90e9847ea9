// Kernels that are gpu.funcs, with descriptors for memrefs, in every type that device code may have.
module attributes {gpu.container_module} {
  gpu.module @kernels {
    // Every function of one variable, in a column of its own.
    gpu.func @functions_f32(%x: memref<?xf32>, %y: memref<?x16xf32>) kernel {
      %i = gpu.global_id x
      %v = memref.load %x[%i] : memref<?xf32>
      %c0 = arith.constant 0 : index
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
      %abs = math.absf %v : f32
      %two = arith.constant 2.0 : f32
      %n = arith.constant 3 : i32
      %0 = math.exp %v : f32
      %1 = math.tanh %v : f32
      %2 = math.sqrt %abs : f32
      %3 = arith.maximumf %v, %two : f32
      %4 = math.log %abs : f32
      %5 = math.erf %v : f32
      %6 = math.rsqrt %abs : f32
      %7 = math.powf %abs, %two : f32
      %8 = math.sin %v : f32
      %9 = math.cos %v : f32
      %10 = arith.remf %v, %two : f32
      %11 = math.floor %v : f32
      %12 = math.log1p %abs : f32
      %13 = math.fpowi %v, %n : f32, i32
      %14 = arith.divf %v, %two : f32
      %15 = math.roundeven %v : f32
      memref.store %0, %y[%i, %c0] : memref<?x16xf32>
      memref.store %1, %y[%i, %c1] : memref<?x16xf32>
      memref.store %2, %y[%i, %c2] : memref<?x16xf32>
      memref.store %3, %y[%i, %c3] : memref<?x16xf32>
      memref.store %4, %y[%i, %c4] : memref<?x16xf32>
      memref.store %5, %y[%i, %c5] : memref<?x16xf32>
      memref.store %6, %y[%i, %c6] : memref<?x16xf32>
      memref.store %7, %y[%i, %c7] : memref<?x16xf32>
      memref.store %8, %y[%i, %c8] : memref<?x16xf32>
      memref.store %9, %y[%i, %c9] : memref<?x16xf32>
      memref.store %10, %y[%i, %c10] : memref<?x16xf32>
      memref.store %11, %y[%i, %c11] : memref<?x16xf32>
      memref.store %12, %y[%i, %c12] : memref<?x16xf32>
      memref.store %13, %y[%i, %c13] : memref<?x16xf32>
      memref.store %14, %y[%i, %c14] : memref<?x16xf32>
      memref.store %15, %y[%i, %c15] : memref<?x16xf32>
      gpu.return
    }

    gpu.func @functions_f64(%x: memref<?xf64>) kernel {
      %i = gpu.global_id x
      %v = memref.load %x[%i] : memref<?xf64>
      %e = math.exp %v : f64
      %t = math.tanh %e : f64
      memref.store %t, %x[%i] : memref<?xf64>
      gpu.return
    }

    // x = exp(x) + x in narrow types.
    gpu.func @narrow(%h: memref<?xf16>, %b: memref<?xbf16>) kernel {
      %i = gpu.global_id x
      %v = memref.load %h[%i] : memref<?xf16>
      %e = math.exp %v : f16
      %s = arith.addf %e, %v : f16
      memref.store %s, %h[%i] : memref<?xf16>
      %w = memref.load %b[%i] : memref<?xbf16>
      %f = math.exp %w : bf16
      %t = arith.addf %f, %w : bf16
      memref.store %t, %b[%i] : memref<?xbf16>
      gpu.return
    }

    // The words of tf32 of x[i]: even[i] by ties to even, away[i] by ties away from zero.
    gpu.func @to_tf32(%x: memref<?xf32>, %even: memref<?xi32>, %away: memref<?xi32>) kernel {
      %i = gpu.global_id x
      %v = memref.load %x[%i] : memref<?xf32>
      %rn = nvvm.convert.float.to.tf32 %v {rnd = #nvvm.fp_rnd_mode<rn>}
      %rna = nvvm.convert.float.to.tf32 %v {rnd = #nvvm.fp_rnd_mode<rna>}
      memref.store %rn, %even[%i] : memref<?xi32>
      memref.store %rna, %away[%i] : memref<?xi32>
      gpu.return
    }

    // flags[i] = bytes[i] < 0; bytes[i] = min(max(bytes[i] / 3, -20), 20); indices[i] = i * i - bytes[i]
    gpu.func @integers(%flags: memref<?xi1>, %bytes: memref<?xi8>, %indices: memref<?xindex>) kernel {
      %i = gpu.global_id x
      %zero = arith.constant 0 : i8
      %three = arith.constant 3 : i8
      %low = arith.constant -20 : i8
      %high = arith.constant 20 : i8
      %v = memref.load %bytes[%i] : memref<?xi8>
      %negative = arith.cmpi slt, %v, %zero : i8
      memref.store %negative, %flags[%i] : memref<?xi1>
      %third = arith.divsi %v, %three : i8
      %above = arith.maxsi %third, %low : i8
      %clamped = arith.minsi %above, %high : i8
      memref.store %clamped, %bytes[%i] : memref<?xi8>
      %square = arith.muli %i, %i : index
      %wide = arith.index_cast %clamped : i8 to index
      %index = arith.subi %square, %wide : index
      memref.store %index, %indices[%i] : memref<?xindex>
      gpu.return
    }

    // Vectors as parameters, of one dimension and of two: out = [v, rows of w, columns of z] in order.
    gpu.func @vectors(%v: vector<8xf32>, %w: vector<2x2xf32>, %z: vector<4x1xf32>, %out: memref<16xf32>) kernel {
      %c0 = arith.constant 0 : index
      %c8 = arith.constant 8 : index
      %c10 = arith.constant 10 : index
      %c12 = arith.constant 12 : index
      %c13 = arith.constant 13 : index
      %c14 = arith.constant 14 : index
      %c15 = arith.constant 15 : index
      vector.store %v, %out[%c0] : memref<16xf32>, vector<8xf32>
      %w0 = vector.extract %w[0] : vector<2xf32> from vector<2x2xf32>
      %w1 = vector.extract %w[1] : vector<2xf32> from vector<2x2xf32>
      vector.store %w0, %out[%c8] : memref<16xf32>, vector<2xf32>
      vector.store %w1, %out[%c10] : memref<16xf32>, vector<2xf32>
      %z0 = vector.extract %z[0, 0] : f32 from vector<4x1xf32>
      %z1 = vector.extract %z[1, 0] : f32 from vector<4x1xf32>
      %z2 = vector.extract %z[2, 0] : f32 from vector<4x1xf32>
      %z3 = vector.extract %z[3, 0] : f32 from vector<4x1xf32>
      memref.store %z0, %out[%c12] : memref<16xf32>
      memref.store %z1, %out[%c13] : memref<16xf32>
      memref.store %z2, %out[%c14] : memref<16xf32>
      memref.store %z3, %out[%c15] : memref<16xf32>
      gpu.return
    }
  }

  func.func @functions_f32(%x: memref<?xf32>, %y: memref<?x16xf32>) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %n = memref.dim %x, %c0 : memref<?xf32>
    %blocks = arith.divui %n, %c4 : index
    gpu.launch_func @kernels::@functions_f32 blocks in (%blocks, %c1, %c1) threads in (%c4, %c1, %c1)
        args(%x : memref<?xf32>, %y : memref<?x16xf32>)
    return
  }

  func.func @functions_f64(%x: memref<?xf64>) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %n = memref.dim %x, %c0 : memref<?xf64>
    gpu.launch_func @kernels::@functions_f64 blocks in (%n, %c1, %c1) threads in (%c1, %c1, %c1) args(%x : memref<?xf64>)
    return
  }

  func.func @narrow(%h: memref<?xf16>, %b: memref<?xbf16>) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %n = memref.dim %h, %c0 : memref<?xf16>
    gpu.launch_func @kernels::@narrow blocks in (%n, %c1, %c1) threads in (%c1, %c1, %c1)
        args(%h : memref<?xf16>, %b : memref<?xbf16>)
    return
  }

  func.func @to_tf32(%x: memref<?xf32>, %even: memref<?xi32>, %away: memref<?xi32>) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %n = memref.dim %x, %c0 : memref<?xf32>
    gpu.launch_func @kernels::@to_tf32 blocks in (%n, %c1, %c1) threads in (%c1, %c1, %c1)
        args(%x : memref<?xf32>, %even : memref<?xi32>, %away : memref<?xi32>)
    return
  }

  func.func @integers(%flags: memref<?xi1>, %bytes: memref<?xi8>, %indices: memref<?xindex>) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %n = memref.dim %bytes, %c0 : memref<?xi8>
    gpu.launch_func @kernels::@integers blocks in (%n, %c1, %c1) threads in (%c1, %c1, %c1)
        args(%flags : memref<?xi1>, %bytes : memref<?xi8>, %indices : memref<?xindex>)
    return
  }

  func.func @vectors(%out: memref<16xf32>) {
    %c1 = arith.constant 1 : index
    %v = arith.constant dense<[1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0]> : vector<8xf32>
    %w = arith.constant dense<[[9.0, 10.0], [11.0, 12.0]]> : vector<2x2xf32>
    %z = arith.constant dense<[[13.0], [14.0], [15.0], [16.0]]> : vector<4x1xf32>
    gpu.launch_func @kernels::@vectors blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1)
        args(%v : vector<8xf32>, %w : vector<2x2xf32>, %z : vector<4x1xf32>, %out : memref<16xf32>)
    return
  }
}
