// What looks like a product's epilogue and is none, or like a product and does more.

#id = affine_map<(m, n) -> (m, n)>
#first_column = affine_map<(m, n) -> (n, 0)>
#a = affine_map<(m, n, k) -> (m, k)>
#b = affine_map<(m, n, k) -> (k, n)>
#c = affine_map<(m, n, k) -> (m, n)>

// The bias is a column of a matrix.
func.func @strided_bias(%x: memref<32x16xf32>, %w: memref<16x48xf32>, %bias: memref<48x4xf32>, %y: memref<32x48xf32>) {
  %zero = arith.constant 0.0 : f32
  linalg.fill ins(%zero : f32) outs(%y : memref<32x48xf32>)
  linalg.matmul ins(%x, %w : memref<32x16xf32>, memref<16x48xf32>) outs(%y : memref<32x48xf32>)
  linalg.generic {indexing_maps = [#first_column, #id], iterator_types = ["parallel", "parallel"]}
    ins(%bias : memref<48x4xf32>) outs(%y : memref<32x48xf32>) {
  ^bb0(%v: f32, %p: f32):
    %0 = arith.addf %p, %v : f32
    linalg.yield %0 : f32
  }
  return
}

// The bodies write a second buffer.
func.func @relu_that_logs(%x: memref<32x16xf32>, %w: memref<16x48xf32>, %y: memref<32x48xf32>, %log: memref<32x48xf32>) {
  %zero = arith.constant 0.0 : f32
  linalg.fill ins(%zero : f32) outs(%y : memref<32x48xf32>)
  linalg.matmul ins(%x, %w : memref<32x16xf32>, memref<16x48xf32>) outs(%y : memref<32x48xf32>)
  linalg.generic {indexing_maps = [#id], iterator_types = ["parallel", "parallel"]} outs(%y : memref<32x48xf32>) {
  ^bb0(%p: f32):
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    memref.store %p, %log[%i, %j] : memref<32x48xf32>
    %0 = arith.maximumf %p, %zero : f32
    linalg.yield %0 : f32
  }
  return
}

func.func @product_that_logs(%x: memref<32x16xf32>, %w: memref<16x48xf32>, %y: memref<32x48xf32>, %log: memref<32x48xf32>) {
  linalg.generic {indexing_maps = [#a, #b, #c], iterator_types = ["parallel", "parallel", "reduction"]}
    ins(%x, %w : memref<32x16xf32>, memref<16x48xf32>) outs(%y : memref<32x48xf32>) {
  ^bb0(%p: f32, %q: f32, %sum: f32):
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    memref.store %sum, %log[%i, %j] : memref<32x48xf32>
    %0 = arith.mulf %p, %q : f32
    %1 = arith.addf %0, %sum : f32
    linalg.yield %1 : f32
  }
  return
}

// Each step of k rounds to bf16, which small integers divided by seven do not fit.
func.func @product_that_rounds(%x: memref<32x16xf32>, %w: memref<16x48xf32>, %y: memref<32x48xf32>) {
  %seventh = arith.constant 0.142857149 : f32
  linalg.map ins(%x : memref<32x16xf32>) outs(%x : memref<32x16xf32>)
    (%v: f32, %old: f32) {
      %0 = arith.mulf %v, %seventh : f32
      linalg.yield %0 : f32
    }
  linalg.generic {indexing_maps = [#a, #b, #c], iterator_types = ["parallel", "parallel", "reduction"]}
    ins(%x, %w : memref<32x16xf32>, memref<16x48xf32>) outs(%y : memref<32x48xf32>) {
  ^bb0(%p: f32, %q: f32, %sum: f32):
    %0 = arith.truncf %p : f32 to bf16
    %1 = arith.extf %0 : bf16 to f32
    %2 = arith.mulf %1, %q : f32
    %3 = arith.addf %sum, %2 : f32
    linalg.yield %3 : f32
  }
  return
}

// Between product and relu another name of the product is read: %before, by the call.
func.func private @product_read_in_between(%x: memref<32x16xf32>, %w: memref<16x48xf32>, %y: memref<32x48xf32>,
                                           %before: memref<32x48xf32>, %copy: memref<32x48xf32>) attributes {no_inline} {
  %zero = arith.constant 0.0 : f32
  linalg.fill ins(%zero : f32) outs(%y : memref<32x48xf32>)
  linalg.matmul ins(%x, %w : memref<32x16xf32>, memref<16x48xf32>) outs(%y : memref<32x48xf32>)
  memref.copy %before, %copy : memref<32x48xf32> to memref<32x48xf32>
  linalg.generic {indexing_maps = [#id], iterator_types = ["parallel", "parallel"]} outs(%y : memref<32x48xf32>) {
  ^bb0(%p: f32):
    %0 = arith.maximumf %p, %zero : f32
    linalg.yield %0 : f32
  }
  return
}
func.func @passes_one_buffer_twice(%x: memref<32x16xf32>, %w: memref<16x48xf32>, %y: memref<32x48xf32>, %copy: memref<32x48xf32>) {
  call @product_read_in_between(%x, %w, %y, %y, %copy)
    : (memref<32x16xf32>, memref<16x48xf32>, memref<32x48xf32>, memref<32x48xf32>, memref<32x48xf32>) -> ()
  return
}
