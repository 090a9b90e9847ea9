// Products of f16 and bf16. Arguments hold small integers, so every order of summation gives the same f32.

#id = affine_map<(m, n) -> (m, n)>
#columns = affine_map<(m, n) -> (n)>

// Two layers of bf16: bias and relu in f32, rounded to bf16 in between.
func.func @layers(%x: tensor<50x64xbf16>, %w1: tensor<64x96xbf16>, %bias: tensor<96xbf16>, %w2: tensor<96x40xbf16>) -> tensor<50x40xbf16> {
  %zero = arith.constant 0.0 : f32
  %zero16 = arith.constant 0.0 : bf16
  %e1 = tensor.empty() : tensor<50x96xf32>
  %z1 = linalg.fill ins(%zero : f32) outs(%e1 : tensor<50x96xf32>) -> tensor<50x96xf32>
  %p1 = linalg.matmul ins(%x, %w1 : tensor<50x64xbf16>, tensor<64x96xbf16>) outs(%z1 : tensor<50x96xf32>) -> tensor<50x96xf32>
  %eh = tensor.empty() : tensor<50x96xbf16>
  %h = linalg.generic {indexing_maps = [#id, #columns, #id], iterator_types = ["parallel", "parallel"]}
    ins(%p1, %bias : tensor<50x96xf32>, tensor<96xbf16>) outs(%eh : tensor<50x96xbf16>) {
  ^bb0(%p: f32, %b: bf16, %old: bf16):
    %bw = arith.extf %b : bf16 to f32
    %s = arith.addf %p, %bw : f32
    %r = arith.maximumf %s, %zero : f32
    %n = arith.truncf %r : f32 to bf16
    linalg.yield %n : bf16
  } -> tensor<50x96xbf16>
  %e2 = tensor.empty() : tensor<50x40xbf16>
  %z2 = linalg.fill ins(%zero16 : bf16) outs(%e2 : tensor<50x40xbf16>) -> tensor<50x40xbf16>
  %p2 = linalg.matmul ins(%h, %w2 : tensor<50x96xbf16>, tensor<96x40xbf16>) outs(%z2 : tensor<50x40xbf16>) -> tensor<50x40xbf16>
  return %p2 : tensor<50x40xbf16>
}

// Arithmetic on whole tensors.
func.func @whole_tensors(%x: tensor<19x33xf16>, %w: tensor<33x9xf16>) -> tensor<19x9xf16> {
  %zero = arith.constant 0.0 : f32
  %xw = arith.extf %x : tensor<19x33xf16> to tensor<19x33xf32>
  %ww = arith.extf %w : tensor<33x9xf16> to tensor<33x9xf32>
  %e = tensor.empty() : tensor<19x9xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<19x9xf32>) -> tensor<19x9xf32>
  %p = linalg.matmul ins(%xw, %ww : tensor<19x33xf32>, tensor<33x9xf32>) outs(%z : tensor<19x9xf32>) -> tensor<19x9xf32>
  %r = arith.truncf %p : tensor<19x9xf32> to tensor<19x9xf16>
  return %r : tensor<19x9xf16>
}

// Scores of a batch, with sums of f16; the module adds to them in f16.
func.func @scores(%q: memref<3x21x16xf16>, %k: memref<3x25x16xf16>, %mask: memref<3x21x25xf16>, %s: memref<3x21x25xf16>) {
  %zero = arith.constant 0.0 : f16
  linalg.fill ins(%zero : f16) outs(%s : memref<3x21x25xf16>)
  linalg.batch_matmul indexing_maps = [affine_map<(b, m, n, k) -> (b, m, k)>, affine_map<(b, m, n, k) -> (b, n, k)>, affine_map<(b, m, n, k) -> (b, m, n)>]
    ins(%q, %k : memref<3x21x16xf16>, memref<3x25x16xf16>) outs(%s : memref<3x21x25xf16>)
  linalg.add ins(%s, %mask : memref<3x21x25xf16>, memref<3x21x25xf16>) outs(%s : memref<3x21x25xf16>)
  return
}

func.func @accumulates_in_a_loop(%x: memref<20x17xbf16>, %w: memref<17x23xbf16>, %y: memref<20x23xbf16>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  scf.for %i = %c0 to %c3 step %c1 {
    linalg.matmul ins(%x, %w : memref<20x17xbf16>, memref<17x23xbf16>) outs(%y : memref<20x23xbf16>)
  }
  return
}

// No tuned kernel, sums of f32 all the same.
func.func @dynamic(%x: memref<?x?xf16>, %w: memref<?x?xf16>, %y: memref<?x?xf16>) {
  linalg.matmul ins(%x, %w : memref<?x?xf16>, memref<?x?xf16>) outs(%y : memref<?x?xf16>)
  return
}
