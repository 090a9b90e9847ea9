// RUN: mmtune-opt %s --decompose-tensors --fuse-elementwise --split-input-file | FileCheck %s
// Concatenations of slices of one tensor.

// A tensor that is rolled twice, as torch.roll along two dimensions is exported, behind a turn: each roll reads one of
// two slices of the same tensor, at one place, and all is one operation. The dead slices and casts are no readers.
// CHECK-LABEL: func.func @rolled_twice
// CHECK-SAME: (%[[X:.*]]: tensor<6x4x5xf32>)
// CHECK: linalg.generic {{.*}} outs(%{{.*}} : tensor<4x30xf32>)
// CHECK-COUNT-1: tensor.extract %[[X]]
// CHECK-NOT: tensor.extract
// CHECK-NOT: linalg.generic
// CHECK: return
func.func @rolled_twice(%x: tensor<6x4x5xf32>) -> tensor<4x30xf32> {
  %e = tensor.empty() : tensor<4x6x5xf32>
  %turned = linalg.transpose ins(%x : tensor<6x4x5xf32>) outs(%e : tensor<4x6x5xf32>) permutation = [1, 0, 2]
  %flat = tensor.collapse_shape %turned [[0], [1, 2]] : tensor<4x6x5xf32> into tensor<4x30xf32>
  %a = tensor.extract_slice %flat[2, 0] [2, 30] [1, 1] : tensor<4x30xf32> to tensor<2x30xf32>
  %b = tensor.extract_slice %flat[0, 0] [2, 30] [1, 1] : tensor<4x30xf32> to tensor<2x30xf32>
  %ac = tensor.cast %a : tensor<2x30xf32> to tensor<?x30xf32>
  %bc = tensor.cast %b : tensor<2x30xf32> to tensor<?x30xf32>
  %one = tensor.concat dim(0) %ac, %bc : (tensor<?x30xf32>, tensor<?x30xf32>) -> tensor<4x30xf32>
  %c = tensor.extract_slice %one[0, 7] [4, 23] [1, 1] : tensor<4x30xf32> to tensor<4x23xf32>
  %d = tensor.extract_slice %one[0, 0] [4, 7] [1, 1] : tensor<4x30xf32> to tensor<4x7xf32>
  %cc = tensor.cast %c : tensor<4x23xf32> to tensor<4x?xf32>
  %dc = tensor.cast %d : tensor<4x7xf32> to tensor<4x?xf32>
  %two = tensor.concat dim(1) %cc, %dc : (tensor<4x?xf32>, tensor<4x?xf32>) -> tensor<4x30xf32>
  return %two : tensor<4x30xf32>
}

// -----

// Elements of two tensors stay two reads.
// CHECK-LABEL: func.func @chosen_from_two
// CHECK-COUNT-2: tensor.extract %
// CHECK: arith.select %{{.*}} : f32
func.func @chosen_from_two(%x: tensor<4xf32>, %y: tensor<4xf32>) -> tensor<4xf32> {
  %e = tensor.empty() : tensor<4xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(a) -> (a)>], iterator_types = ["parallel"]} outs(%e : tensor<4xf32>) {
  ^bb0(%out: f32):
    %i = linalg.index 0 : index
    %c2 = arith.constant 2 : index
    %here = arith.cmpi ult, %i, %c2 : index
    %v = tensor.extract %x[%i] : tensor<4xf32>
    %w = tensor.extract %y[%i] : tensor<4xf32>
    %s = arith.select %here, %v, %w : f32
    linalg.yield %s : f32
  } -> tensor<4xf32>
  return %r : tensor<4xf32>
}
