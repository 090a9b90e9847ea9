// Products of which rows or matrices are known at run time only. Every ? is the same number.
#id = affine_map<(m, n) -> (m, n)>
#columns = affine_map<(m, n) -> (n)>
#id3 = affine_map<(b, m, n) -> (b, m, n)>
#columns3 = affine_map<(b, m, n) -> (n)>

func.func @mlp(%x: tensor<?x20xf32>, %w: tensor<20x24xf32>, %bias: tensor<24xf32>, %v: tensor<24x20xf32>) -> tensor<?x20xf32> {
  %zero = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : index
  %rows = tensor.dim %x, %c0 : tensor<?x20xf32>
  %e = tensor.empty(%rows) : tensor<?x24xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<?x24xf32>) -> tensor<?x24xf32>
  %p = linalg.matmul ins(%x, %w : tensor<?x20xf32>, tensor<20x24xf32>) outs(%f : tensor<?x24xf32>) -> tensor<?x24xf32>
  %h = linalg.generic {indexing_maps = [#id, #columns, #id], iterator_types = ["parallel", "parallel"]}
    ins(%p, %bias : tensor<?x24xf32>, tensor<24xf32>) outs(%e : tensor<?x24xf32>) {
  ^bb0(%in: f32, %b: f32, %old: f32):
    %s = arith.addf %in, %b : f32
    %r = arith.maximumf %s, %zero : f32
    linalg.yield %r : f32
  } -> tensor<?x24xf32>
  %e2 = tensor.empty(%rows) : tensor<?x20xf32>
  %f2 = linalg.fill ins(%zero : f32) outs(%e2 : tensor<?x20xf32>) -> tensor<?x20xf32>
  %q = linalg.matmul ins(%h, %v : tensor<?x24xf32>, tensor<24x20xf32>) outs(%f2 : tensor<?x20xf32>) -> tensor<?x20xf32>
  %y = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]}
    ins(%q, %x : tensor<?x20xf32>, tensor<?x20xf32>) outs(%e2 : tensor<?x20xf32>) {
  ^bb0(%in: f32, %a: f32, %old: f32):
    %s = arith.addf %in, %a : f32
    linalg.yield %s : f32
  } -> tensor<?x20xf32>
  return %y : tensor<?x20xf32>
}

// Rows in two dimensions, one of them known.
func.func @tokens(%x: tensor<?x3x17xf32>, %w: tensor<23x17xf32>) -> tensor<?x3x23xf32> {
  %zero = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : index
  %rows = tensor.dim %x, %c0 : tensor<?x3x17xf32>
  %e = tensor.empty(%rows) : tensor<?x3x23xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<?x3x23xf32>) -> tensor<?x3x23xf32>
  %y = linalg.generic {indexing_maps = [affine_map<(b, s, n, k) -> (b, s, k)>, affine_map<(b, s, n, k) -> (n, k)>, affine_map<(b, s, n, k) -> (b, s, n)>],
    iterator_types = ["parallel", "parallel", "parallel", "reduction"]}
    ins(%x, %w : tensor<?x3x17xf32>, tensor<23x17xf32>) outs(%f : tensor<?x3x23xf32>) {
  ^bb0(%a: f32, %b: f32, %sum: f32):
    %m = arith.mulf %a, %b : f32
    %s = arith.addf %sum, %m : f32
    linalg.yield %s : f32
  } -> tensor<?x3x23xf32>
  return %y : tensor<?x3x23xf32>
}

func.func @batch(%x: tensor<?x9x16xf32>, %w: tensor<?x16x24xf32>) -> tensor<?x9x24xf32> {
  %zero = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : index
  %matrices = tensor.dim %x, %c0 : tensor<?x9x16xf32>
  %e = tensor.empty(%matrices) : tensor<?x9x24xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<?x9x24xf32>) -> tensor<?x9x24xf32>
  %y = linalg.batch_matmul ins(%x, %w : tensor<?x9x16xf32>, tensor<?x16x24xf32>) outs(%f : tensor<?x9x24xf32>) -> tensor<?x9x24xf32>
  return %y : tensor<?x9x24xf32>
}

// As many rows as matrices; some of them beyond the first tile.
func.func @both(%x: memref<?x?x12xf32>, %w: memref<?x12x20xf32>, %bias: memref<20xf32>, %y: memref<?x?x20xf32>) {
  linalg.batch_matmul ins(%x, %w : memref<?x?x12xf32>, memref<?x12x20xf32>) outs(%y : memref<?x?x20xf32>)
  linalg.generic {indexing_maps = [#id3, #columns3, #id3], iterator_types = ["parallel", "parallel", "parallel"]}
    ins(%y, %bias : memref<?x?x20xf32>, memref<20xf32>) outs(%y : memref<?x?x20xf32>) {
  ^bb0(%in: f32, %b: f32, %old: f32):
    %s = arith.addf %in, %b : f32
    linalg.yield %s : f32
  }
  return
}

func.func @halves(%x: tensor<?x40xf16>, %w: tensor<24x40xf16>, %bias: tensor<24xf16>) -> tensor<?x24xf16> {
  %zero = arith.constant 0.0 : f32
  %zero16 = arith.constant 0.0 : f16
  %c0 = arith.constant 0 : index
  %rows = tensor.dim %x, %c0 : tensor<?x40xf16>
  %e = tensor.empty(%rows) : tensor<?x24xf32>
  %e16 = tensor.empty(%rows) : tensor<?x24xf16>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<?x24xf32>) -> tensor<?x24xf32>
  %p = linalg.generic {indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>],
    iterator_types = ["parallel", "parallel", "reduction"]}
    ins(%x, %w : tensor<?x40xf16>, tensor<24x40xf16>) outs(%f : tensor<?x24xf32>) {
  ^bb0(%a: f16, %b: f16, %sum: f32):
    %a32 = arith.extf %a : f16 to f32
    %b32 = arith.extf %b : f16 to f32
    %m = arith.mulf %a32, %b32 : f32
    %s = arith.addf %sum, %m : f32
    linalg.yield %s : f32
  } -> tensor<?x24xf32>
  %y = linalg.generic {indexing_maps = [#id, #columns, #id], iterator_types = ["parallel", "parallel"]}
    ins(%p, %bias : tensor<?x24xf32>, tensor<24xf16>) outs(%e16 : tensor<?x24xf16>) {
  ^bb0(%in: f32, %b: f16, %old: f16):
    %b32 = arith.extf %b : f16 to f32
    %s = arith.addf %in, %b32 : f32
    %t = arith.truncf %s : f32 to f16
    %r = arith.maximumf %t, %zero16 : f16
    linalg.yield %r : f16
  } -> tensor<?x24xf16>
  return %y : tensor<?x24xf16>
}

func.func @bytes(%x: memref<?x48xi8>, %w: memref<48x40xi8>, %y: memref<?x40xi32>) {
  %zero = arith.constant 0 : i32
  linalg.fill ins(%zero : i32) outs(%y : memref<?x40xi32>)
  linalg.matmul ins(%x, %w : memref<?x48xi8>, memref<48x40xi8>) outs(%y : memref<?x40xi32>)
  return
}

// Adds to what its output held, several times.
func.func @doubles(%x: memref<?x10xf64>, %w: memref<10x14xf64>, %y: memref<?x14xf64>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  scf.for %i = %c0 to %c3 step %c1 {
    linalg.matmul ins(%x, %w : memref<?x10xf64>, memref<10x14xf64>) outs(%y : memref<?x14xf64>)
  }
  return
}

func.func @one_column(%x: memref<?x16xf32>, %w: memref<16x1xf32>, %y: memref<?x1xf32>) {
  %zero = arith.constant 0.0 : f32
  linalg.fill ins(%zero : f32) outs(%y : memref<?x1xf32>)
  linalg.matmul ins(%x, %w : memref<?x16xf32>, memref<16x1xf32>) outs(%y : memref<?x1xf32>)
  return
}

// Left to map-linalg-to-gpu.
func.func @transposed(%x: memref<12x?xf32>, %w: memref<12x20xf32>, %y: memref<?x20xf32>) {
  linalg.matmul indexing_maps = [affine_map<(m, n, k) -> (k, m)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>]
    ins(%x, %w : memref<12x?xf32>, memref<12x20xf32>) outs(%y : memref<?x20xf32>)
  return
}

func.func @columns(%x: memref<9x12xf32>, %w: memref<12x?xf32>, %y: memref<9x?xf32>) {
  linalg.matmul ins(%x, %w : memref<9x12xf32>, memref<12x?xf32>) outs(%y : memref<9x?xf32>)
  return
}
