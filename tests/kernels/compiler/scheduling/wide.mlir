// Products of i8 with sums of i32, and of f64.

#id = affine_map<(m, n) -> (m, n)>
#columns = affine_map<(m, n) -> (n)>
#at = affine_map<(m, n, k) -> (k, m)>
#b = affine_map<(m, n, k) -> (k, n)>
#bt = affine_map<(m, n, k) -> (n, k)>
#a = affine_map<(m, n, k) -> (m, k)>
#c = affine_map<(m, n, k) -> (m, n)>

func.func @bytes(%x: memref<50x64xi8>, %w: memref<64x96xi8>, %y: memref<50x96xi32>) {
  %zero = arith.constant 0 : i32
  linalg.fill ins(%zero : i32) outs(%y : memref<50x96xi32>)
  linalg.matmul ins(%x, %w : memref<50x64xi8>, memref<64x96xi8>) outs(%y : memref<50x96xi32>)
  return
}

// Both transposed, rows that are no multiple of 4 bytes.
func.func @transposed_bytes(%x: memref<70x33xi8>, %w: memref<19x70xi8>, %y: memref<33x19xi32>) {
  %zero = arith.constant 0 : i32
  linalg.fill ins(%zero : i32) outs(%y : memref<33x19xi32>)
  linalg.matmul indexing_maps = [#at, #bt, #c] ins(%x, %w : memref<70x33xi8>, memref<19x70xi8>) outs(%y : memref<33x19xi32>)
  return
}

// A quantised layer: extended before, and clamped behind the product.
func.func @layer(%x: tensor<20x48xi8>, %w: tensor<48x40xi8>) -> tensor<20x40xi32> {
  %zero = arith.constant 0 : i32
  %ex = tensor.empty() : tensor<20x48xi32>
  %ew = tensor.empty() : tensor<48x40xi32>
  %xw = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
    ins(%x : tensor<20x48xi8>) outs(%ex : tensor<20x48xi32>) {
  ^bb0(%in: i8, %old: i32):
    %0 = arith.extsi %in : i8 to i32
    linalg.yield %0 : i32
  } -> tensor<20x48xi32>
  %ww = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
    ins(%w : tensor<48x40xi8>) outs(%ew : tensor<48x40xi32>) {
  ^bb0(%in: i8, %old: i32):
    %0 = arith.extsi %in : i8 to i32
    linalg.yield %0 : i32
  } -> tensor<48x40xi32>
  %ep = tensor.empty() : tensor<20x40xi32>
  %z = linalg.fill ins(%zero : i32) outs(%ep : tensor<20x40xi32>) -> tensor<20x40xi32>
  %p = linalg.matmul ins(%xw, %ww : tensor<20x48xi32>, tensor<48x40xi32>) outs(%z : tensor<20x40xi32>) -> tensor<20x40xi32>
  %r = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
    ins(%p : tensor<20x40xi32>) outs(%ep : tensor<20x40xi32>) {
  ^bb0(%in: i32, %old: i32):
    %0 = arith.maxsi %in, %zero : i32
    linalg.yield %0 : i32
  } -> tensor<20x40xi32>
  return %r : tensor<20x40xi32>
}

// Integers that start from other contents are left to map-linalg-to-gpu.
func.func @accumulated_bytes(%x: memref<9x64xi8>, %w: memref<64x10xi8>, %y: memref<9x10xi32>) {
  linalg.matmul ins(%x, %w : memref<9x64xi8>, memref<64x10xi8>) outs(%y : memref<9x10xi32>)
  return
}

func.func @doubles(%x: memref<50x64xf64>, %w: memref<64x96xf64>, %bias: memref<96xf64>, %y: memref<50x96xf64>) {
  %zero = arith.constant 0.0 : f64
  linalg.fill ins(%zero : f64) outs(%y : memref<50x96xf64>)
  linalg.matmul ins(%x, %w : memref<50x64xf64>, memref<64x96xf64>) outs(%y : memref<50x96xf64>)
  linalg.generic {indexing_maps = [#columns, #id], iterator_types = ["parallel", "parallel"]}
    ins(%bias : memref<96xf64>) outs(%y : memref<50x96xf64>) {
  ^bb0(%b: f64, %old: f64):
    %0 = arith.addf %old, %b : f64
    %1 = arith.maximumf %0, %zero : f64
    linalg.yield %1 : f64
  }
  return
}
