// Functions that bufferization could let write to their callers' tensors.

#id = affine_map<(i) -> (i)>

func.func @increment(%x: tensor<64xf32>) -> tensor<64xf32> {
  %one = arith.constant 1.0 : f32
  %r = linalg.generic {indexing_maps = [#id], iterator_types = ["parallel"]} outs(%x : tensor<64xf32>) {
  ^bb0(%v: f32):
    %0 = arith.addf %v, %one : f32
    linalg.yield %0 : f32
  } -> tensor<64xf32>
  return %r : tensor<64xf32>
}

func.func @accumulate(%a: tensor<32x16xf32>, %b: tensor<16x48xf32>, %c: tensor<32x48xf32>) -> tensor<32x48xf32> {
  %r = linalg.matmul ins(%a, %b : tensor<32x16xf32>, tensor<16x48xf32>) outs(%c : tensor<32x48xf32>) -> tensor<32x48xf32>
  return %r : tensor<32x48xf32>
}

func.func @rows(%x: tensor<4x64xf32>) -> tensor<4x64xf32> {
  %r = scf.forall (%i) in (4) shared_outs(%o = %x) -> tensor<4x64xf32> {
    %row = tensor.extract_slice %o[%i, 0] [1, 64] [1, 1] : tensor<4x64xf32> to tensor<64xf32>
    %twice = linalg.generic {indexing_maps = [#id], iterator_types = ["parallel"]} outs(%row : tensor<64xf32>) {
    ^bb0(%v: f32):
      %0 = arith.addf %v, %v : f32
      linalg.yield %0 : f32
    } -> tensor<64xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %twice into %o[%i, 0] [1, 64] [1, 1] : tensor<64xf32> into tensor<4x64xf32>
    }
  }
  return %r : tensor<4x64xf32>
}

// In one branch, and the argument is a result too.
func.func @both(%x: tensor<64xf32>, %y: tensor<64xf32>, %n: index) -> (tensor<64xf32>, tensor<64xf32>) {
  %c0 = arith.constant 0 : index
  %p = arith.cmpi ne, %n, %c0 : index
  %r = scf.if %p -> tensor<64xf32> {
    %twice = linalg.generic {indexing_maps = [#id], iterator_types = ["parallel"]} outs(%x : tensor<64xf32>) {
    ^bb0(%v: f32):
      %0 = arith.addf %v, %v : f32
      linalg.yield %0 : f32
    } -> tensor<64xf32>
    scf.yield %twice : tensor<64xf32>
  } else {
    scf.yield %y : tensor<64xf32>
  }
  return %r, %x : tensor<64xf32>, tensor<64xf32>
}
