// Operations that map-linalg-to-gpu gives one thread for each point.

#id1 = affine_map<(i) -> (i)>
#id2 = affine_map<(i, j) -> (i, j)>

func.func @vector_addition(%a: memref<1000xf32>, %b: memref<1000xf32>, %c: memref<1000xf32>) {
  linalg.add ins(%a, %b : memref<1000xf32>, memref<1000xf32>) outs(%c : memref<1000xf32>)
  return
}

func.func @windowed_sum(%in: tensor<1026xf32>, %weights: tensor<3xf32>, %out: tensor<1024xf32>) -> tensor<1024xf32> {
  %0 = linalg.generic {indexing_maps = [affine_map<(i, w) -> (i + w)>, affine_map<(i, w) -> (w)>, affine_map<(i, w) -> (i)>],
                       iterator_types = ["parallel", "reduction"]}
    ins(%in, %weights : tensor<1026xf32>, tensor<3xf32>) outs(%out : tensor<1024xf32>) {
  ^bb0(%x: f32, %w: f32, %sum: f32):
    %0 = arith.mulf %x, %w : f32
    %1 = arith.addf %sum, %0 : f32
    linalg.yield %1 : f32
  } -> tensor<1024xf32>
  return %0 : tensor<1024xf32>
}

func.func @relu_in_place(%a: memref<30x41xf32>) {
  %zero = arith.constant 0.0 : f32
  linalg.map ins(%a : memref<30x41xf32>) outs(%a : memref<30x41xf32>)
    (%x: f32, %old: f32) {
      %0 = arith.maximumf %x, %zero : f32
      linalg.yield %0 : f32
    }
  return
}

func.func @transpose(%a: memref<?x?xf64>, %b: memref<?x?xf64>) {
  linalg.transpose ins(%a : memref<?x?xf64>) outs(%b : memref<?x?xf64>) permutation = [1, 0]
  return
}

func.func @row_sums(%a: memref<?x?xi32>, %sums: memref<?xi32>) {
  linalg.reduce { arith.addi } ins(%a : memref<?x?xi32>) outs(%sums : memref<?xi32>) dimensions = [1]
  return
}

func.func @total(%a: memref<300xi64>, %sum: memref<i64>) {
  linalg.reduce { arith.addi } ins(%a : memref<300xi64>) outs(%sum : memref<i64>) dimensions = [0]
  return
}

func.func @indices(%bias: i32, %a: memref<?x?xi32>) {
  linalg.generic {indexing_maps = [affine_map<(i, j) -> ()>, #id2], iterator_types = ["parallel", "parallel"]}
    ins(%bias : i32) outs(%a : memref<?x?xi32>) {
  ^bb0(%b: i32, %old: i32):
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %c10 = arith.constant 10 : index
    %t = arith.muli %i, %c10 : index
    %s = arith.addi %t, %j : index
    %n = arith.index_cast %s : index to i32
    %r = arith.addi %n, %b : i32
    linalg.yield %r : i32
  }
  return
}

func.func @convolution(%in: memref<2x9x9x3xf32>, %filter: memref<3x3x3x4xf32>, %out: memref<2x4x4x4xf32>) {
  linalg.conv_2d_nhwc_hwcf {strides = dense<2> : tensor<2xi64>, dilations = dense<1> : tensor<2xi64>}
    ins(%in, %filter : memref<2x9x9x3xf32>, memref<3x3x3x4xf32>) outs(%out : memref<2x4x4x4xf32>)
  return
}

func.func @pooling(%in: memref<1x8x8x2xf32>, %window: memref<2x2xf32>, %out: memref<1x4x4x2xf32>) {
  linalg.pooling_nhwc_max {strides = dense<2> : tensor<2xi64>, dilations = dense<1> : tensor<2xi64>}
    ins(%in, %window : memref<1x8x8x2xf32>, memref<2x2xf32>) outs(%out : memref<1x4x4x2xf32>)
  return
}

func.func @broadcast(%a: memref<7xf32>, %b: memref<5x7xf32>) {
  linalg.broadcast ins(%a : memref<7xf32>) outs(%b : memref<5x7xf32>) dimensions = [0]
  return
}

// A part of a buffer, and what lies around it stays.
func.func @part(%a: memref<16x16xf32>, %b: memref<4x8xf32>) {
  %part = memref.subview %a[2, 4] [4, 8] [2, 1] : memref<16x16xf32> to memref<4x8xf32, strided<[32, 1], offset: 36>>
  linalg.add ins(%part, %b : memref<4x8xf32, strided<[32, 1], offset: 36>>, memref<4x8xf32>)
    outs(%part : memref<4x8xf32, strided<[32, 1], offset: 36>>)
  return
}

// Two results, one of which the reduction indexes.
func.func @running(%a: memref<6x5xf32>, %copies: memref<6x5xf32>, %sums: memref<6xf32>) {
  linalg.generic {indexing_maps = [#id2, #id2, affine_map<(i, j) -> (i)>], iterator_types = ["parallel", "reduction"]}
    ins(%a : memref<6x5xf32>) outs(%copies, %sums : memref<6x5xf32>, memref<6xf32>) {
  ^bb0(%x: f32, %old: f32, %sum: f32):
    %0 = arith.addf %x, %sum : f32
    linalg.yield %0, %0 : f32, f32
  }
  return
}

// More points than one block, none at all, in a loop.
func.func @repeated(%a: memref<?xf32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %one = arith.constant 1.0 : f32
  scf.for %i = %c0 to %n step %c1 {
    linalg.map ins(%a : memref<?xf32>) outs(%a : memref<?xf32>)
      (%x: f32, %old: f32) {
        %0 = arith.addf %x, %one : f32
        linalg.yield %0 : f32
      }
  }
  return
}
