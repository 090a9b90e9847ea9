// Products in every form that schedule-matmul takes, and some that it leaves. Arguments hold small integers, so every
// order of summation gives the same f32.

#id = affine_map<(m, n) -> (m, n)>
#columns = affine_map<(m, n) -> (n)>
#a = affine_map<(m, n, k) -> (m, k)>
#b = affine_map<(m, n, k) -> (k, n)>
#bt = affine_map<(m, n, k) -> (n, k)>
#at = affine_map<(m, n, k) -> (k, m)>
#c = affine_map<(m, n, k) -> (m, n)>

func.func @plain(%x: memref<33x17xf32>, %w: memref<17x65xf32>, %y: memref<33x65xf32>) {
  %zero = arith.constant 0.0 : f32
  linalg.fill ins(%zero : f32) outs(%y : memref<33x65xf32>)
  linalg.matmul ins(%x, %w : memref<33x17xf32>, memref<17x65xf32>) outs(%y : memref<33x65xf32>)
  return
}

func.func @transposed_b(%x: memref<33x17xf32>, %w: memref<65x17xf32>, %y: memref<33x65xf32>) {
  %zero = arith.constant 0.0 : f32
  linalg.fill ins(%zero : f32) outs(%y : memref<33x65xf32>)
  linalg.matmul indexing_maps = [#a, #bt, #c] ins(%x, %w : memref<33x17xf32>, memref<65x17xf32>) outs(%y : memref<33x65xf32>)
  return
}

// Attention scores: batch, transposed B, scale.
func.func @scores(%q: memref<3x20x16xf32>, %k: memref<3x24x16xf32>, %s: memref<3x20x24xf32>) {
  %zero = arith.constant 0.0 : f32
  %four = arith.constant 4.0 : f32
  linalg.fill ins(%zero : f32) outs(%s : memref<3x20x24xf32>)
  linalg.batch_matmul indexing_maps = [affine_map<(b, m, n, k) -> (b, m, k)>, affine_map<(b, m, n, k) -> (b, n, k)>, affine_map<(b, m, n, k) -> (b, m, n)>]
    ins(%q, %k : memref<3x20x16xf32>, memref<3x24x16xf32>) outs(%s : memref<3x20x24xf32>)
  linalg.map ins(%s : memref<3x20x24xf32>) outs(%s : memref<3x20x24xf32>)
    (%x: f32, %old: f32) {
      %0 = arith.divf %x, %four : f32
      linalg.yield %0 : f32
    }
  return
}

func.func @batch(%x: memref<4x9x12xf32>, %w: memref<4x12x10xf32>, %y: memref<4x9x10xf32>) {
  %zero = arith.constant 0.0 : f32
  linalg.fill ins(%zero : f32) outs(%y : memref<4x9x10xf32>)
  linalg.batch_matmul ins(%x, %w : memref<4x9x12xf32>, memref<4x12x10xf32>) outs(%y : memref<4x9x10xf32>)
  return
}

func.func @shared_weights(%x: memref<4x9x12xf32>, %w: memref<12x10xf32>, %y: memref<4x9x10xf32>) {
  %zero = arith.constant 0.0 : f32
  linalg.fill ins(%zero : f32) outs(%y : memref<4x9x10xf32>)
  linalg.contract indexing_maps = [affine_map<(b, m, n, k) -> (b, m, k)>, affine_map<(b, m, n, k) -> (k, n)>, affine_map<(b, m, n, k) -> (b, m, n)>]
    ins(%x, %w : memref<4x9x12xf32>, memref<12x10xf32>) outs(%y : memref<4x9x10xf32>)
  return
}

func.func @accumulates_in_a_loop(%x: memref<20x16xf32>, %w: memref<16x24xf32>, %y: memref<20x24xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  scf.for %i = %c0 to %c3 step %c1 {
    linalg.matmul ins(%x, %w : memref<20x16xf32>, memref<16x24xf32>) outs(%y : memref<20x24xf32>)
  }
  return
}

// Starts from other contents, and four steps behind the product in three operations.
func.func @everything(%x: memref<50x64xf32>, %w: memref<64x96xf32>, %bias: memref<96xf32>, %start: memref<50x96xf32>, %y: memref<50x96xf32>) {
  %zero = arith.constant 0.0 : f32
  %half = arith.constant 0.5 : f32
  %p = memref.alloc() : memref<50x96xf32>
  %q = memref.alloc() : memref<50x96xf32>
  linalg.copy ins(%start : memref<50x96xf32>) outs(%p : memref<50x96xf32>)
  linalg.matmul ins(%x, %w : memref<50x64xf32>, memref<64x96xf32>) outs(%p : memref<50x96xf32>)
  linalg.generic {indexing_maps = [#id, #columns, #id], iterator_types = ["parallel", "parallel"]}
    ins(%p, %bias : memref<50x96xf32>, memref<96xf32>) outs(%q : memref<50x96xf32>) {
  ^bb0(%in: f32, %b: f32, %old: f32):
    %s = arith.mulf %in, %half : f32
    %r = arith.addf %b, %s : f32
    linalg.yield %r : f32
  }
  linalg.map ins(%q : memref<50x96xf32>) outs(%y : memref<50x96xf32>)
    (%in: f32, %old: f32) {
      %0 = arith.cmpf ole, %in, %zero : f32
      %1 = arith.select %0, %zero, %in : f32
      linalg.yield %1 : f32
    }
  memref.dealloc %p : memref<50x96xf32>
  memref.dealloc %q : memref<50x96xf32>
  return
}

// Left to map-linalg-to-gpu.
func.func @transposed_a(%x: memref<17x33xf32>, %w: memref<17x65xf32>, %y: memref<33x65xf32>) {
  linalg.matmul indexing_maps = [#at, #b, #c] ins(%x, %w : memref<17x33xf32>, memref<17x65xf32>) outs(%y : memref<33x65xf32>)
  return
}

func.func @dynamic(%x: memref<?x?xf32>, %w: memref<?x?xf32>, %y: memref<?x?xf32>) {
  %zero = arith.constant 0.0 : f32
  linalg.fill ins(%zero : f32) outs(%y : memref<?x?xf32>)
  linalg.matmul ins(%x, %w : memref<?x?xf32>, memref<?x?xf32>) outs(%y : memref<?x?xf32>)
  return
}

func.func @doubles(%x: memref<7x5xf64>, %w: memref<5x6xf64>, %y: memref<7x6xf64>) {
  linalg.matmul ins(%x, %w : memref<7x5xf64>, memref<5x6xf64>) outs(%y : memref<7x6xf64>)
  return
}
