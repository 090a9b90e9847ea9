#map = affine_map<()[s0] -> (s0 * 8)>
#map1 = affine_map<(d0, d1) -> (d0, d1)>
#map2 = affine_map<(d0, d1) -> (d1)>
#map3 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#map4 = affine_map<()[s0] -> (s0 * 2)>
#map5 = affine_map<(d0, d1, d2, d3) -> (d0, 0, 0, d3)>
#map6 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>
#map7 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, 0)>
#map8 = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#map9 = affine_map<(d0, d1, d2) -> (d0, d1, 0)>
#map10 = affine_map<(d0, d1, d2) -> (d2)>
module {
  func.func @forward(%arg0: tensor<?x8x16xf32>, %arg1: tensor<?x1x1x8xf32>) -> tensor<?x8x16xf32> {
    %c0_i64 = arith.constant 0 : i64
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c8 = arith.constant 8 : index
    %c2 = arith.constant 2 : index
    %cst = arith.constant 0.000000e+00 : f32
    %cst_0 = arith.constant 0xFF800000 : f32
    %cst_1 = arith.constant 0.000000e+00 : f64
    %cst_2 = arith.constant 1.000000e+00 : f32
    %cst_3 = arith.constant 5.000000e-01 : f32
    %cst_4 = arith.constant dense_resource<torch_tensor_16_torch.float32_8> : tensor<16xf32>
    %cst_5 = arith.constant dense_resource<torch_tensor_16_torch.float32_7> : tensor<16xf32>
    %cst_6 = arith.constant dense_resource<torch_tensor_16_torch.float32_6> : tensor<16xf32>
    %cst_7 = arith.constant dense_resource<torch_tensor_16_32_torch.float32> : tensor<16x32xf32>
    %cst_8 = arith.constant dense_resource<torch_tensor_32_torch.float32> : tensor<32xf32>
    %cst_9 = arith.constant dense_resource<torch_tensor_32_16_torch.float32> : tensor<32x16xf32>
    %cst_10 = arith.constant dense_resource<torch_tensor_16_torch.float32_5> : tensor<16xf32>
    %cst_11 = arith.constant dense_resource<torch_tensor_16_torch.float32_4> : tensor<16xf32>
    %cst_12 = arith.constant 1.000000e-05 : f64
    %cst_13 = arith.constant dense_resource<torch_tensor_16_torch.float32_3> : tensor<16xf32>
    %cst_14 = arith.constant dense_resource<torch_tensor_16_16_torch.float32_3> : tensor<16x16xf32>
    %cst_15 = arith.constant 2.8284271247461903 : f64
    %cst_16 = arith.constant dense_resource<torch_tensor_16_torch.float32_2> : tensor<16xf32>
    %cst_17 = arith.constant dense_resource<torch_tensor_16_16_torch.float32_2> : tensor<16x16xf32>
    %cst_18 = arith.constant dense_resource<torch_tensor_16_torch.float32_1> : tensor<16xf32>
    %cst_19 = arith.constant dense_resource<torch_tensor_16_16_torch.float32_1> : tensor<16x16xf32>
    %cst_20 = arith.constant dense_resource<torch_tensor_16_torch.float32> : tensor<16xf32>
    %cst_21 = arith.constant dense_resource<torch_tensor_16_16_torch.float32> : tensor<16x16xf32>
    %cst_22 = arith.constant 1.600000e+01 : f64
    %cst_23 = arith.constant 1.600000e+01 : f32
    %cst_24 = arith.constant 1.41421354 : f32
    %dim = tensor.dim %arg1, %c0 : tensor<?x1x1x8xf32>
    %0 = arith.index_cast %dim : index to i64
    %collapsed = tensor.collapse_shape %arg0 [[0, 1], [2]] : tensor<?x8x16xf32> into tensor<?x16xf32>
    %1 = tensor.empty() : tensor<16x16xf32>
    %transposed = linalg.transpose ins(%cst_21 : tensor<16x16xf32>) outs(%1 : tensor<16x16xf32>) permutation = [1, 0] 
    %dim_25 = tensor.dim %arg0, %c0 : tensor<?x8x16xf32>
    %2 = affine.apply #map()[%dim_25]
    %3 = tensor.empty(%2) : tensor<?x16xf32>
    %4 = linalg.fill ins(%cst : f32) outs(%3 : tensor<?x16xf32>) -> tensor<?x16xf32>
    %5 = linalg.matmul ins(%collapsed, %transposed : tensor<?x16xf32>, tensor<16x16xf32>) outs(%4 : tensor<?x16xf32>) -> tensor<?x16xf32>
    %6 = linalg.generic {indexing_maps = [#map1, #map2, #map1], iterator_types = ["parallel", "parallel"]} ins(%5, %cst_20 : tensor<?x16xf32>, tensor<16xf32>) outs(%3 : tensor<?x16xf32>) {
    ^bb0(%in: f32, %in_50: f32, %out: f32):
      %103 = arith.addf %in, %in_50 : f32
      linalg.yield %103 : f32
    } -> tensor<?x16xf32>
    %7 = arith.divsi %2, %c8 : index
    %expanded = tensor.expand_shape %6 [[0, 1], [2, 3]] output_shape [%7, 8, 2, 8] : tensor<?x16xf32> into tensor<?x8x2x8xf32>
    %8 = tensor.empty(%7) : tensor<?x2x8x8xf32>
    %transposed_26 = linalg.transpose ins(%expanded : tensor<?x8x2x8xf32>) outs(%8 : tensor<?x2x8x8xf32>) permutation = [0, 2, 1, 3] 
    %transposed_27 = linalg.transpose ins(%cst_19 : tensor<16x16xf32>) outs(%1 : tensor<16x16xf32>) permutation = [1, 0] 
    %9 = linalg.matmul ins(%collapsed, %transposed_27 : tensor<?x16xf32>, tensor<16x16xf32>) outs(%4 : tensor<?x16xf32>) -> tensor<?x16xf32>
    %10 = linalg.generic {indexing_maps = [#map1, #map2, #map1], iterator_types = ["parallel", "parallel"]} ins(%9, %cst_18 : tensor<?x16xf32>, tensor<16xf32>) outs(%3 : tensor<?x16xf32>) {
    ^bb0(%in: f32, %in_50: f32, %out: f32):
      %103 = arith.addf %in, %in_50 : f32
      linalg.yield %103 : f32
    } -> tensor<?x16xf32>
    %expanded_28 = tensor.expand_shape %10 [[0, 1], [2, 3]] output_shape [%7, 8, 2, 8] : tensor<?x16xf32> into tensor<?x8x2x8xf32>
    %transposed_29 = linalg.transpose ins(%cst_17 : tensor<16x16xf32>) outs(%1 : tensor<16x16xf32>) permutation = [1, 0] 
    %11 = linalg.matmul ins(%collapsed, %transposed_29 : tensor<?x16xf32>, tensor<16x16xf32>) outs(%4 : tensor<?x16xf32>) -> tensor<?x16xf32>
    %12 = linalg.generic {indexing_maps = [#map1, #map2, #map1], iterator_types = ["parallel", "parallel"]} ins(%11, %cst_16 : tensor<?x16xf32>, tensor<16xf32>) outs(%3 : tensor<?x16xf32>) {
    ^bb0(%in: f32, %in_50: f32, %out: f32):
      %103 = arith.addf %in, %in_50 : f32
      linalg.yield %103 : f32
    } -> tensor<?x16xf32>
    %expanded_30 = tensor.expand_shape %12 [[0, 1], [2, 3]] output_shape [%7, 8, 2, 8] : tensor<?x16xf32> into tensor<?x8x2x8xf32>
    %transposed_31 = linalg.transpose ins(%expanded_30 : tensor<?x8x2x8xf32>) outs(%8 : tensor<?x2x8x8xf32>) permutation = [0, 2, 1, 3] 
    %transposed_32 = linalg.transpose ins(%expanded_28 : tensor<?x8x2x8xf32>) outs(%8 : tensor<?x2x8x8xf32>) permutation = [0, 2, 3, 1] 
    %13 = arith.cmpi sge, %0, %c0_i64 : i64
    cf.assert %13, "unimplemented: dynamic negative broadcast sizes"
    %14 = tensor.empty(%dim) : tensor<?x2x8x8xf32>
    %15 = linalg.generic {indexing_maps = [#map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} outs(%14 : tensor<?x2x8x8xf32>) {
    ^bb0(%out: f32):
      %103 = linalg.index 0 : index
      %104 = linalg.index 1 : index
      %105 = linalg.index 2 : index
      %106 = linalg.index 3 : index
      %107 = arith.cmpi eq, %7, %c1 : index
      %108 = arith.select %107, %c0, %103 : index
      %extracted = tensor.extract %transposed_26[%108, %104, %105, %106] : tensor<?x2x8x8xf32>
      linalg.yield %extracted : f32
    } -> tensor<?x2x8x8xf32>
    %collapsed_33 = tensor.collapse_shape %15 [[0, 1], [2], [3]] : tensor<?x2x8x8xf32> into tensor<?x8x8xf32>
    cf.assert %13, "unimplemented: dynamic negative broadcast sizes"
    %16 = linalg.generic {indexing_maps = [#map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} outs(%14 : tensor<?x2x8x8xf32>) {
    ^bb0(%out: f32):
      %103 = linalg.index 0 : index
      %104 = linalg.index 1 : index
      %105 = linalg.index 2 : index
      %106 = linalg.index 3 : index
      %107 = arith.cmpi eq, %7, %c1 : index
      %108 = arith.select %107, %c0, %103 : index
      %extracted = tensor.extract %transposed_32[%108, %104, %105, %106] : tensor<?x2x8x8xf32>
      linalg.yield %extracted : f32
    } -> tensor<?x2x8x8xf32>
    %collapsed_34 = tensor.collapse_shape %16 [[0, 1], [2], [3]] : tensor<?x2x8x8xf32> into tensor<?x8x8xf32>
    %17 = affine.apply #map4()[%dim]
    %18 = tensor.empty(%17) : tensor<?x8x8xf32>
    %19 = linalg.fill ins(%cst : f32) outs(%18 : tensor<?x8x8xf32>) -> tensor<?x8x8xf32>
    %20 = linalg.batch_matmul ins(%collapsed_33, %collapsed_34 : tensor<?x8x8xf32>, tensor<?x8x8xf32>) outs(%19 : tensor<?x8x8xf32>) -> tensor<?x8x8xf32>
    %21 = arith.divsi %17, %c2 : index
    %expanded_35 = tensor.expand_shape %20 [[0, 1], [2], [3]] output_shape [%21, 2, 8, 8] : tensor<?x8x8xf32> into tensor<?x2x8x8xf32>
    %22 = tensor.empty(%21) : tensor<?x2x8x8xf32>
    %23 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_35 : tensor<?x2x8x8xf32>) outs(%22 : tensor<?x2x8x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      %103 = arith.truncf %cst_15 : f64 to f32
      %104 = arith.divf %in, %103 : f32
      linalg.yield %104 : f32
    } -> tensor<?x2x8x8xf32>
    %24 = arith.cmpi eq, %21, %dim : index
    cf.assert %24, "mismatched size for broadcast"
    %25 = linalg.generic {indexing_maps = [#map3, #map5, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%23, %arg1 : tensor<?x2x8x8xf32>, tensor<?x1x1x8xf32>) outs(%22 : tensor<?x2x8x8xf32>) {
    ^bb0(%in: f32, %in_50: f32, %out: f32):
      %103 = arith.addf %in, %in_50 : f32
      linalg.yield %103 : f32
    } -> tensor<?x2x8x8xf32>
    %26 = tensor.empty(%21) : tensor<?x2x8xi64>
    %27 = linalg.fill ins(%c0_i64 : i64) outs(%26 : tensor<?x2x8xi64>) -> tensor<?x2x8xi64>
    %28 = tensor.empty(%21) : tensor<?x2x8xf32>
    %29 = linalg.fill ins(%cst_0 : f32) outs(%28 : tensor<?x2x8xf32>) -> tensor<?x2x8xf32>
    %30:2 = linalg.generic {indexing_maps = [#map3, #map6, #map6], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%25 : tensor<?x2x8x8xf32>) outs(%29, %27 : tensor<?x2x8xf32>, tensor<?x2x8xi64>) {
    ^bb0(%in: f32, %out: f32, %out_50: i64):
      %103 = linalg.index 3 : index
      %104 = arith.index_cast %103 : index to i64
      %105 = arith.maximumf %in, %out : f32
      %106 = arith.cmpf ogt, %in, %out : f32
      %107 = arith.select %106, %104, %out_50 : i64
      linalg.yield %105, %107 : f32, i64
    } -> (tensor<?x2x8xf32>, tensor<?x2x8xi64>)
    %expanded_36 = tensor.expand_shape %30#0 [[0], [1], [2, 3]] output_shape [%21, 2, 8, 1] : tensor<?x2x8xf32> into tensor<?x2x8x1xf32>
    %31 = linalg.generic {indexing_maps = [#map3, #map7, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%25, %expanded_36 : tensor<?x2x8x8xf32>, tensor<?x2x8x1xf32>) outs(%22 : tensor<?x2x8x8xf32>) {
    ^bb0(%in: f32, %in_50: f32, %out: f32):
      %103 = arith.subf %in, %in_50 : f32
      linalg.yield %103 : f32
    } -> tensor<?x2x8x8xf32>
    %32 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%31 : tensor<?x2x8x8xf32>) outs(%22 : tensor<?x2x8x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      %103 = math.exp %in : f32
      linalg.yield %103 : f32
    } -> tensor<?x2x8x8xf32>
    %33 = tensor.empty(%21) : tensor<?x2x8x1xf32>
    %34 = linalg.fill ins(%cst : f32) outs(%33 : tensor<?x2x8x1xf32>) -> tensor<?x2x8x1xf32>
    %35 = linalg.generic {indexing_maps = [#map3, #map7], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%32 : tensor<?x2x8x8xf32>) outs(%34 : tensor<?x2x8x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %103 = arith.addf %in, %out : f32
      linalg.yield %103 : f32
    } -> tensor<?x2x8x1xf32>
    %36 = linalg.generic {indexing_maps = [#map3, #map7, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%32, %35 : tensor<?x2x8x8xf32>, tensor<?x2x8x1xf32>) outs(%22 : tensor<?x2x8x8xf32>) {
    ^bb0(%in: f32, %in_50: f32, %out: f32):
      %103 = arith.divf %in, %in_50 : f32
      linalg.yield %103 : f32
    } -> tensor<?x2x8x8xf32>
    cf.assert %13, "unimplemented: dynamic negative broadcast sizes"
    %37 = linalg.generic {indexing_maps = [#map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} outs(%14 : tensor<?x2x8x8xf32>) {
    ^bb0(%out: f32):
      %103 = linalg.index 0 : index
      %104 = linalg.index 1 : index
      %105 = linalg.index 2 : index
      %106 = linalg.index 3 : index
      %107 = arith.cmpi eq, %21, %c1 : index
      %108 = arith.select %107, %c0, %103 : index
      %extracted = tensor.extract %36[%108, %104, %105, %106] : tensor<?x2x8x8xf32>
      linalg.yield %extracted : f32
    } -> tensor<?x2x8x8xf32>
    %collapsed_37 = tensor.collapse_shape %37 [[0, 1], [2], [3]] : tensor<?x2x8x8xf32> into tensor<?x8x8xf32>
    cf.assert %13, "unimplemented: dynamic negative broadcast sizes"
    %38 = linalg.generic {indexing_maps = [#map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} outs(%14 : tensor<?x2x8x8xf32>) {
    ^bb0(%out: f32):
      %103 = linalg.index 0 : index
      %104 = linalg.index 1 : index
      %105 = linalg.index 2 : index
      %106 = linalg.index 3 : index
      %107 = arith.cmpi eq, %7, %c1 : index
      %108 = arith.select %107, %c0, %103 : index
      %extracted = tensor.extract %transposed_31[%108, %104, %105, %106] : tensor<?x2x8x8xf32>
      linalg.yield %extracted : f32
    } -> tensor<?x2x8x8xf32>
    %collapsed_38 = tensor.collapse_shape %38 [[0, 1], [2], [3]] : tensor<?x2x8x8xf32> into tensor<?x8x8xf32>
    %39 = linalg.batch_matmul ins(%collapsed_37, %collapsed_38 : tensor<?x8x8xf32>, tensor<?x8x8xf32>) outs(%19 : tensor<?x8x8xf32>) -> tensor<?x8x8xf32>
    %expanded_39 = tensor.expand_shape %39 [[0, 1], [2], [3]] output_shape [%21, 2, 8, 8] : tensor<?x8x8xf32> into tensor<?x2x8x8xf32>
    %40 = tensor.empty(%21) : tensor<?x8x2x8xf32>
    %transposed_40 = linalg.transpose ins(%expanded_39 : tensor<?x2x8x8xf32>) outs(%40 : tensor<?x8x2x8xf32>) permutation = [0, 2, 1, 3] 
    %collapsed_41 = tensor.collapse_shape %transposed_40 [[0, 1], [2, 3]] : tensor<?x8x2x8xf32> into tensor<?x16xf32>
    %transposed_42 = linalg.transpose ins(%cst_14 : tensor<16x16xf32>) outs(%1 : tensor<16x16xf32>) permutation = [1, 0] 
    %41 = affine.apply #map()[%21]
    %42 = tensor.empty(%41) : tensor<?x16xf32>
    %43 = linalg.fill ins(%cst : f32) outs(%42 : tensor<?x16xf32>) -> tensor<?x16xf32>
    %44 = linalg.matmul ins(%collapsed_41, %transposed_42 : tensor<?x16xf32>, tensor<16x16xf32>) outs(%43 : tensor<?x16xf32>) -> tensor<?x16xf32>
    %45 = linalg.generic {indexing_maps = [#map1, #map2, #map1], iterator_types = ["parallel", "parallel"]} ins(%44, %cst_13 : tensor<?x16xf32>, tensor<16xf32>) outs(%42 : tensor<?x16xf32>) {
    ^bb0(%in: f32, %in_50: f32, %out: f32):
      %103 = arith.addf %in, %in_50 : f32
      linalg.yield %103 : f32
    } -> tensor<?x16xf32>
    %46 = arith.divsi %41, %c8 : index
    %expanded_43 = tensor.expand_shape %45 [[0, 1], [2]] output_shape [%46, 8, 16] : tensor<?x16xf32> into tensor<?x8x16xf32>
    %47 = arith.cmpi eq, %dim_25, %46 : index
    cf.assert %47, "mismatched size for broadcast"
    %48 = tensor.empty(%dim_25) : tensor<?x8x16xf32>
    %49 = linalg.generic {indexing_maps = [#map8, #map8, #map8], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg0, %expanded_43 : tensor<?x8x16xf32>, tensor<?x8x16xf32>) outs(%48 : tensor<?x8x16xf32>) {
    ^bb0(%in: f32, %in_50: f32, %out: f32):
      %103 = arith.addf %in, %in_50 : f32
      linalg.yield %103 : f32
    } -> tensor<?x8x16xf32>
    %50 = tensor.empty(%dim_25) : tensor<?x8x16xf64>
    %51 = linalg.generic {indexing_maps = [#map8, #map8], iterator_types = ["parallel", "parallel", "parallel"]} ins(%49 : tensor<?x8x16xf32>) outs(%50 : tensor<?x8x16xf64>) {
    ^bb0(%in: f32, %out: f64):
      %103 = arith.extf %in : f32 to f64
      linalg.yield %103 : f64
    } -> tensor<?x8x16xf64>
    %52 = tensor.empty(%dim_25) : tensor<?x8x1xf64>
    %53 = linalg.fill ins(%cst_1 : f64) outs(%52 : tensor<?x8x1xf64>) -> tensor<?x8x1xf64>
    %54 = linalg.generic {indexing_maps = [#map8, #map9], iterator_types = ["parallel", "parallel", "reduction"]} ins(%51 : tensor<?x8x16xf64>) outs(%53 : tensor<?x8x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %103 = arith.addf %in, %out : f64
      linalg.yield %103 : f64
    } -> tensor<?x8x1xf64>
    %55 = linalg.generic {indexing_maps = [#map8, #map8], iterator_types = ["parallel", "parallel", "parallel"]} ins(%54 : tensor<?x8x1xf64>) outs(%52 : tensor<?x8x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %103 = arith.divf %in, %cst_22 : f64
      linalg.yield %103 : f64
    } -> tensor<?x8x1xf64>
    %56 = linalg.generic {indexing_maps = [#map8, #map9, #map8], iterator_types = ["parallel", "parallel", "parallel"]} ins(%51, %55 : tensor<?x8x16xf64>, tensor<?x8x1xf64>) outs(%50 : tensor<?x8x16xf64>) {
    ^bb0(%in: f64, %in_50: f64, %out: f64):
      %103 = arith.subf %in, %in_50 : f64
      linalg.yield %103 : f64
    } -> tensor<?x8x16xf64>
    %57 = linalg.generic {indexing_maps = [#map8, #map8, #map8], iterator_types = ["parallel", "parallel", "parallel"]} ins(%56, %56 : tensor<?x8x16xf64>, tensor<?x8x16xf64>) outs(%50 : tensor<?x8x16xf64>) {
    ^bb0(%in: f64, %in_50: f64, %out: f64):
      %103 = arith.mulf %in, %in_50 : f64
      linalg.yield %103 : f64
    } -> tensor<?x8x16xf64>
    %58 = linalg.generic {indexing_maps = [#map8, #map9], iterator_types = ["parallel", "parallel", "reduction"]} ins(%57 : tensor<?x8x16xf64>) outs(%53 : tensor<?x8x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %103 = arith.addf %in, %out : f64
      linalg.yield %103 : f64
    } -> tensor<?x8x1xf64>
    %59 = linalg.generic {indexing_maps = [#map8, #map8], iterator_types = ["parallel", "parallel", "parallel"]} ins(%58 : tensor<?x8x1xf64>) outs(%52 : tensor<?x8x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %103 = arith.divf %in, %cst_22 : f64
      linalg.yield %103 : f64
    } -> tensor<?x8x1xf64>
    %60 = tensor.empty(%dim_25) : tensor<?x8x1xf32>
    %61 = linalg.generic {indexing_maps = [#map8, #map8], iterator_types = ["parallel", "parallel", "parallel"]} ins(%59 : tensor<?x8x1xf64>) outs(%60 : tensor<?x8x1xf32>) {
    ^bb0(%in: f64, %out: f32):
      %103 = arith.truncf %in : f64 to f32
      linalg.yield %103 : f32
    } -> tensor<?x8x1xf32>
    %62 = linalg.fill ins(%cst : f32) outs(%60 : tensor<?x8x1xf32>) -> tensor<?x8x1xf32>
    %63 = linalg.generic {indexing_maps = [#map8, #map9], iterator_types = ["parallel", "parallel", "reduction"]} ins(%49 : tensor<?x8x16xf32>) outs(%62 : tensor<?x8x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %103 = arith.addf %in, %out : f32
      linalg.yield %103 : f32
    } -> tensor<?x8x1xf32>
    %64 = linalg.generic {indexing_maps = [#map8, #map8], iterator_types = ["parallel", "parallel", "parallel"]} ins(%63 : tensor<?x8x1xf32>) outs(%60 : tensor<?x8x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %103 = arith.divf %in, %cst_23 : f32
      linalg.yield %103 : f32
    } -> tensor<?x8x1xf32>
    %65 = linalg.generic {indexing_maps = [#map8, #map8], iterator_types = ["parallel", "parallel", "parallel"]} ins(%61 : tensor<?x8x1xf32>) outs(%60 : tensor<?x8x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %103 = arith.truncf %cst_12 : f64 to f32
      %104 = arith.addf %in, %103 : f32
      linalg.yield %104 : f32
    } -> tensor<?x8x1xf32>
    %66 = linalg.generic {indexing_maps = [#map8, #map8], iterator_types = ["parallel", "parallel", "parallel"]} ins(%65 : tensor<?x8x1xf32>) outs(%60 : tensor<?x8x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %103 = math.rsqrt %in : f32
      linalg.yield %103 : f32
    } -> tensor<?x8x1xf32>
    %67 = linalg.generic {indexing_maps = [#map8, #map9, #map8], iterator_types = ["parallel", "parallel", "parallel"]} ins(%49, %64 : tensor<?x8x16xf32>, tensor<?x8x1xf32>) outs(%48 : tensor<?x8x16xf32>) {
    ^bb0(%in: f32, %in_50: f32, %out: f32):
      %103 = arith.subf %in, %in_50 : f32
      linalg.yield %103 : f32
    } -> tensor<?x8x16xf32>
    %68 = linalg.generic {indexing_maps = [#map8, #map9, #map8], iterator_types = ["parallel", "parallel", "parallel"]} ins(%67, %66 : tensor<?x8x16xf32>, tensor<?x8x1xf32>) outs(%48 : tensor<?x8x16xf32>) {
    ^bb0(%in: f32, %in_50: f32, %out: f32):
      %103 = arith.mulf %in, %in_50 : f32
      linalg.yield %103 : f32
    } -> tensor<?x8x16xf32>
    %69 = linalg.generic {indexing_maps = [#map8, #map10, #map8], iterator_types = ["parallel", "parallel", "parallel"]} ins(%68, %cst_11 : tensor<?x8x16xf32>, tensor<16xf32>) outs(%48 : tensor<?x8x16xf32>) {
    ^bb0(%in: f32, %in_50: f32, %out: f32):
      %103 = arith.mulf %in, %in_50 : f32
      linalg.yield %103 : f32
    } -> tensor<?x8x16xf32>
    %70 = linalg.generic {indexing_maps = [#map8, #map10, #map8], iterator_types = ["parallel", "parallel", "parallel"]} ins(%69, %cst_10 : tensor<?x8x16xf32>, tensor<16xf32>) outs(%48 : tensor<?x8x16xf32>) {
    ^bb0(%in: f32, %in_50: f32, %out: f32):
      %103 = arith.addf %in, %in_50 : f32
      linalg.yield %103 : f32
    } -> tensor<?x8x16xf32>
    %collapsed_44 = tensor.collapse_shape %70 [[0, 1], [2]] : tensor<?x8x16xf32> into tensor<?x16xf32>
    %71 = tensor.empty() : tensor<16x32xf32>
    %transposed_45 = linalg.transpose ins(%cst_9 : tensor<32x16xf32>) outs(%71 : tensor<16x32xf32>) permutation = [1, 0] 
    %72 = tensor.empty(%2) : tensor<?x32xf32>
    %73 = linalg.fill ins(%cst : f32) outs(%72 : tensor<?x32xf32>) -> tensor<?x32xf32>
    %74 = linalg.matmul ins(%collapsed_44, %transposed_45 : tensor<?x16xf32>, tensor<16x32xf32>) outs(%73 : tensor<?x32xf32>) -> tensor<?x32xf32>
    %75 = linalg.generic {indexing_maps = [#map1, #map2, #map1], iterator_types = ["parallel", "parallel"]} ins(%74, %cst_8 : tensor<?x32xf32>, tensor<32xf32>) outs(%72 : tensor<?x32xf32>) {
    ^bb0(%in: f32, %in_50: f32, %out: f32):
      %103 = arith.addf %in, %in_50 : f32
      linalg.yield %103 : f32
    } -> tensor<?x32xf32>
    %expanded_46 = tensor.expand_shape %75 [[0, 1], [2]] output_shape [%7, 8, 32] : tensor<?x32xf32> into tensor<?x8x32xf32>
    %76 = tensor.empty(%7) : tensor<?x8x32xf32>
    %77 = linalg.generic {indexing_maps = [#map8, #map8], iterator_types = ["parallel", "parallel", "parallel"]} ins(%expanded_46 : tensor<?x8x32xf32>) outs(%76 : tensor<?x8x32xf32>) {
    ^bb0(%in: f32, %out: f32):
      %103 = arith.divf %in, %cst_24 : f32
      %104 = math.erf %103 : f32
      %105 = arith.addf %104, %cst_2 : f32
      %106 = arith.mulf %105, %cst_3 : f32
      %107 = arith.mulf %in, %106 : f32
      linalg.yield %107 : f32
    } -> tensor<?x8x32xf32>
    %collapsed_47 = tensor.collapse_shape %77 [[0, 1], [2]] : tensor<?x8x32xf32> into tensor<?x32xf32>
    %78 = tensor.empty() : tensor<32x16xf32>
    %transposed_48 = linalg.transpose ins(%cst_7 : tensor<16x32xf32>) outs(%78 : tensor<32x16xf32>) permutation = [1, 0] 
    %79 = affine.apply #map()[%7]
    %80 = tensor.empty(%79) : tensor<?x16xf32>
    %81 = linalg.fill ins(%cst : f32) outs(%80 : tensor<?x16xf32>) -> tensor<?x16xf32>
    %82 = linalg.matmul ins(%collapsed_47, %transposed_48 : tensor<?x32xf32>, tensor<32x16xf32>) outs(%81 : tensor<?x16xf32>) -> tensor<?x16xf32>
    %83 = linalg.generic {indexing_maps = [#map1, #map2, #map1], iterator_types = ["parallel", "parallel"]} ins(%82, %cst_6 : tensor<?x16xf32>, tensor<16xf32>) outs(%80 : tensor<?x16xf32>) {
    ^bb0(%in: f32, %in_50: f32, %out: f32):
      %103 = arith.addf %in, %in_50 : f32
      linalg.yield %103 : f32
    } -> tensor<?x16xf32>
    %84 = arith.divsi %79, %c8 : index
    %expanded_49 = tensor.expand_shape %83 [[0, 1], [2]] output_shape [%84, 8, 16] : tensor<?x16xf32> into tensor<?x8x16xf32>
    %85 = arith.cmpi eq, %dim_25, %84 : index
    cf.assert %85, "mismatched size for broadcast"
    %86 = linalg.generic {indexing_maps = [#map8, #map8, #map8], iterator_types = ["parallel", "parallel", "parallel"]} ins(%70, %expanded_49 : tensor<?x8x16xf32>, tensor<?x8x16xf32>) outs(%48 : tensor<?x8x16xf32>) {
    ^bb0(%in: f32, %in_50: f32, %out: f32):
      %103 = arith.addf %in, %in_50 : f32
      linalg.yield %103 : f32
    } -> tensor<?x8x16xf32>
    %87 = linalg.generic {indexing_maps = [#map8, #map8], iterator_types = ["parallel", "parallel", "parallel"]} ins(%86 : tensor<?x8x16xf32>) outs(%50 : tensor<?x8x16xf64>) {
    ^bb0(%in: f32, %out: f64):
      %103 = arith.extf %in : f32 to f64
      linalg.yield %103 : f64
    } -> tensor<?x8x16xf64>
    %88 = linalg.generic {indexing_maps = [#map8, #map9], iterator_types = ["parallel", "parallel", "reduction"]} ins(%87 : tensor<?x8x16xf64>) outs(%53 : tensor<?x8x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %103 = arith.addf %in, %out : f64
      linalg.yield %103 : f64
    } -> tensor<?x8x1xf64>
    %89 = linalg.generic {indexing_maps = [#map8, #map8], iterator_types = ["parallel", "parallel", "parallel"]} ins(%88 : tensor<?x8x1xf64>) outs(%52 : tensor<?x8x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %103 = arith.divf %in, %cst_22 : f64
      linalg.yield %103 : f64
    } -> tensor<?x8x1xf64>
    %90 = linalg.generic {indexing_maps = [#map8, #map9, #map8], iterator_types = ["parallel", "parallel", "parallel"]} ins(%87, %89 : tensor<?x8x16xf64>, tensor<?x8x1xf64>) outs(%50 : tensor<?x8x16xf64>) {
    ^bb0(%in: f64, %in_50: f64, %out: f64):
      %103 = arith.subf %in, %in_50 : f64
      linalg.yield %103 : f64
    } -> tensor<?x8x16xf64>
    %91 = linalg.generic {indexing_maps = [#map8, #map8, #map8], iterator_types = ["parallel", "parallel", "parallel"]} ins(%90, %90 : tensor<?x8x16xf64>, tensor<?x8x16xf64>) outs(%50 : tensor<?x8x16xf64>) {
    ^bb0(%in: f64, %in_50: f64, %out: f64):
      %103 = arith.mulf %in, %in_50 : f64
      linalg.yield %103 : f64
    } -> tensor<?x8x16xf64>
    %92 = linalg.generic {indexing_maps = [#map8, #map9], iterator_types = ["parallel", "parallel", "reduction"]} ins(%91 : tensor<?x8x16xf64>) outs(%53 : tensor<?x8x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %103 = arith.addf %in, %out : f64
      linalg.yield %103 : f64
    } -> tensor<?x8x1xf64>
    %93 = linalg.generic {indexing_maps = [#map8, #map8], iterator_types = ["parallel", "parallel", "parallel"]} ins(%92 : tensor<?x8x1xf64>) outs(%52 : tensor<?x8x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %103 = arith.divf %in, %cst_22 : f64
      linalg.yield %103 : f64
    } -> tensor<?x8x1xf64>
    %94 = linalg.generic {indexing_maps = [#map8, #map8], iterator_types = ["parallel", "parallel", "parallel"]} ins(%93 : tensor<?x8x1xf64>) outs(%60 : tensor<?x8x1xf32>) {
    ^bb0(%in: f64, %out: f32):
      %103 = arith.truncf %in : f64 to f32
      linalg.yield %103 : f32
    } -> tensor<?x8x1xf32>
    %95 = linalg.generic {indexing_maps = [#map8, #map9], iterator_types = ["parallel", "parallel", "reduction"]} ins(%86 : tensor<?x8x16xf32>) outs(%62 : tensor<?x8x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %103 = arith.addf %in, %out : f32
      linalg.yield %103 : f32
    } -> tensor<?x8x1xf32>
    %96 = linalg.generic {indexing_maps = [#map8, #map8], iterator_types = ["parallel", "parallel", "parallel"]} ins(%95 : tensor<?x8x1xf32>) outs(%60 : tensor<?x8x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %103 = arith.divf %in, %cst_23 : f32
      linalg.yield %103 : f32
    } -> tensor<?x8x1xf32>
    %97 = linalg.generic {indexing_maps = [#map8, #map8], iterator_types = ["parallel", "parallel", "parallel"]} ins(%94 : tensor<?x8x1xf32>) outs(%60 : tensor<?x8x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %103 = arith.truncf %cst_12 : f64 to f32
      %104 = arith.addf %in, %103 : f32
      linalg.yield %104 : f32
    } -> tensor<?x8x1xf32>
    %98 = linalg.generic {indexing_maps = [#map8, #map8], iterator_types = ["parallel", "parallel", "parallel"]} ins(%97 : tensor<?x8x1xf32>) outs(%60 : tensor<?x8x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %103 = math.rsqrt %in : f32
      linalg.yield %103 : f32
    } -> tensor<?x8x1xf32>
    %99 = linalg.generic {indexing_maps = [#map8, #map9, #map8], iterator_types = ["parallel", "parallel", "parallel"]} ins(%86, %96 : tensor<?x8x16xf32>, tensor<?x8x1xf32>) outs(%48 : tensor<?x8x16xf32>) {
    ^bb0(%in: f32, %in_50: f32, %out: f32):
      %103 = arith.subf %in, %in_50 : f32
      linalg.yield %103 : f32
    } -> tensor<?x8x16xf32>
    %100 = linalg.generic {indexing_maps = [#map8, #map9, #map8], iterator_types = ["parallel", "parallel", "parallel"]} ins(%99, %98 : tensor<?x8x16xf32>, tensor<?x8x1xf32>) outs(%48 : tensor<?x8x16xf32>) {
    ^bb0(%in: f32, %in_50: f32, %out: f32):
      %103 = arith.mulf %in, %in_50 : f32
      linalg.yield %103 : f32
    } -> tensor<?x8x16xf32>
    %101 = linalg.generic {indexing_maps = [#map8, #map10, #map8], iterator_types = ["parallel", "parallel", "parallel"]} ins(%100, %cst_5 : tensor<?x8x16xf32>, tensor<16xf32>) outs(%48 : tensor<?x8x16xf32>) {
    ^bb0(%in: f32, %in_50: f32, %out: f32):
      %103 = arith.mulf %in, %in_50 : f32
      linalg.yield %103 : f32
    } -> tensor<?x8x16xf32>
    %102 = linalg.generic {indexing_maps = [#map8, #map10, #map8], iterator_types = ["parallel", "parallel", "parallel"]} ins(%101, %cst_4 : tensor<?x8x16xf32>, tensor<16xf32>) outs(%48 : tensor<?x8x16xf32>) {
    ^bb0(%in: f32, %in_50: f32, %out: f32):
      %103 = arith.addf %in, %in_50 : f32
      linalg.yield %103 : f32
    } -> tensor<?x8x16xf32>
    return %102 : tensor<?x8x16xf32>
  }
}

{-#
  dialect_resources: {
    builtin: {
      torch_tensor_16_torch.float32_8: "0x0400000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000",
      torch_tensor_16_torch.float32_7: "0x040000000000803F0000803F0000803F0000803F0000803F0000803F0000803F0000803F0000803F0000803F0000803F0000803F0000803F0000803F0000803F0000803F",
      torch_tensor_16_torch.float32_6: "0x04000000F44E1DBE94F0103E1D12A53B2617253E6DE9A83DC2A99A3D98AD1C3D354E23BDDF2ED4BDBDDCAF3CD7F22D3E340BD93DF374243E26C3293E01710D3EEE34CBBD",
      torch_tensor_16_32_torch.float32: "0x040000006746673C35718A3CC1DB2EBE1FA9193DE0941ABB19690C3E3EC82CBE5D472A3E1B2CB1BDF348D53D55BB053EE6ACB3BC9039B9BD456DF0BCE4C9E1BD4600B33C912E983DF2A4153D0C7DD0BD7FD1C53DBD1C263E634F5CBD40FEBB3D4EE83EBC97ED913D791901BE90921ABED772A4BB668618BEB86A823D5475293EDE000EBD3385DF3A763ADC3CB3F3AEBD652F14BCE7893A3DCC63123E902E16BE8A5365BBD4AE13BED23580BC3FC398BB1FF796BD100FDE3D5765F83DBC728CBD4AE4C9BCC9EB5DBDC0049C3B46A96E3D125C273E740926BEC709933D9E05DABD0AD313BE8F670B3E93B857BD4F03CBBD16A1463DDDAA16BDD8B025BE8BD7BCBD88F198BD48E361BC3700EFBD99562EBE545CC93D8A711BBEE151AFBCA4611B3E324185BD386BEFBD295A413D36F81D3E1EB49FBC7EE52ABC9829A93D7865B53C6CB50A3D2E95BF3D658EA43D29A301BEE9EC8EBD4952F73DE677DF3CFCAB283DDEDE2D3E281AE03DD977903DFE372D3E353B1FBE44BBE03C4B0F3D3DC5CEFBBCAA02AABD54A7053D3FA115BEF93C9ABDA97A093EA50385BDB97550BDC563A23DDA2F37BDC5B0D43C8FEB34BE6226CE3DF70921BE96E7C03C4B9833BE9E5D1BBE90A0113E185AC7BDF9EAC7BB9305013C3990263E8029673DF5B8B03D24E29ABD1B4478BD99AD033EFDB8843DA495353D448208BEB37810BE0332123D14D807BEB3D5FD3D39D6163EEAF095BDF158E9BD9F3B2F3E6528C1BDE24610BE506203BE0490FB3CED9C0C3DA5C6E93D6FC5113E60669A3D46BBCE3C4F7E233E616895BD9EF3FDBC6A49193E05B673BDBB19C23D76481B3D24957F3DA98D25BD1D2D1ABE17CF013E600A153E54BF0FBE6570A9BD4FA8F53BF261B33DE8F9CCBC60BA9EBDD1DD0C3E87BFB5BDAC7A243E9305453B7F0FBE3D263E2A3DF2E3FE3C7C34053E582711BC3671FF3DF3096F3D7612CABDC34BED3D499B00BE087FBC3DC0201BBDC4AD603DFD47ADBCBA200F3D49B25ABDEA0A963D9BFEA83D139325BEA8991F3E50FA11BEE197A1BD1A868E3D89D8263EE6706B3D4C06CABD25D8FE3C6944D9BDE652AA3D8108143C0C3C8D3C08DB0ABED537C13DD6FC2B3EA228FBBDD24C763D6FA79FBDA41342BDE241203E216F29BE28BB08BDDD35823DD36DA43DCB808DBD78A5C5BDFCFB113D9ACA24BE7A42C03C24FBE4BD6B4D04BD41F1223E575116BE8110B3BD3B440BBE37C9D73DDF83153E4F1FEABD8F6EE43D5AE8E73DC2871BBE6813773DC28CA43D733701BDB88CF33D2ED133BCBF06BCBCF71CCB3D898125BE03CB31BE7885063D85949F3CA91D4D3C75D1DDBDBF3F103E2ADEDFBD791EA0BD6CC818BE2E4934BE682B2F3DC6E491BDF397DD3D5CC02E3EFE2C6B3D91431E3EF2FDFBBD0FB7BE3D94C7C43D15E890BD6C924DBCD13FD9BD1C7A8B3CC9EE2CBEC32AD8BDDF0A1CBEEFBEB6BC1B9A933C108A11BE940585BD3763D93D754B0C3C4CBAFD3CDCE19FBDD6F654BD1C7C20BE46A0283E2AAFA43C99C0A63D90A6D33DAEB61E3EE6B9F9BD2D184A3D6AE61CBED0C4863D6DC7B9BD37FB8C3D3A4705BE6491BF3D1FA1013ED502C73D1D0018BE0B67E23D2AB9E5BDF94E29BE76AAEB3D7B9CF63C3F277CBD79391EBE9E273A3D937F9CBD2F890FBEFFC0B5BC1B281ABE975AB23D848CEEBD907676BD241433BE746DC9BC62945FBD41C5C73D22D923BD13B8F33D4F0A1E3E16B1133DBB2B78BD9A2115BE644DFDBD02EF73BD00E3E2BD66B1BF3D57C569BDEF09D4BB4208F13B2E6A1CBE9EF1163E9D5E8ABDE28512BE713137BB401C1FBE46B0B43CCA45EABD48CB1EBD42F754BD69FF023EEBB20B3E1273333E6C869F3C09EEE63DFF8D14BECFDBF2BD01D7C23DB90E1F3D6668483D12F5CE3D2B8DE53D8023AA3DB61D86BD095E65BDAE7E183D38FB143E14775BBC458857BDD104C83DE502F03DEB0D57BB141E56BDA65734BEE1F0313C39F55D3DB2E504BE5A6506BE04F934BE20710D3E57B2293E0B26333EFC9A213E44AC98BC2D07A13DD149D63D256C41BDC495D0BD9CAE163E1CC197BC1580853D724DA9BD35C2BABD122B06BD8290BF3B8A2ED63D642FEB3DB4F4B5BCAAF7313EA4BCC0BDE3AC423C60E7E2BDFC10ED3C47FC243E98BC15BED2542A3DB75C26BEA0F121BD0727AABDCA3C9C39243FFBBDC3E4373D88CE2ABE1BBB1E3D559B8BBD39A9D8BD1A76193E3E569C3CB7A6EFBD0210CCBD1788A1BDC739D6BD4E12B33CA81A233BB7CF1D3EDB20A93BA71EC1BD01A71B3E9E17363D423C1CBD6E14FE3DE865143E9C6418BEF64B15BE6426EEBD63AB1BBED13D59BD9487843DD52025BEE2EB30BE74DF1BBE0CE6BCBD02FDE23D0C7E203E5CD4333EA96BFC3A745019BE4587303E845CF3BDEAB0883DC0F8B43D5DDA5F3D2AFB6E3D93DD28BED3FB73BDB0DDE8BD2C09FA3DDBB1CDBD5F938ABBA9E5203E6534093E503D02BE1D0217BECF450F3EC462503DBDC80ABE40851C3EE9AE02BE54B41C3E37DE013E9CFE003E29EB0ABDF7B77B3C762817BEFBF3CB3DADFF263C700B063E7E9D98BDEDDC2E3E8553F13D49D44ABD68B0453D390E04BEDE0AF1BD340FF8BD9BF9CFBDD34E493D04099CBD8D167ABD2F45FD3D8830EF3CB672B0BD5E8144BD345D3EBDA604A93D69D8FE3D0E3E103ECC50F6BD2FB59ABCD2F6293D0D7E8DBDBD0CEE3D66FFA0BCEE879A3C37C21ABE24CC023EC4E4EFBD0C4E8BBBE7A513BEA9B7093EC568273CD80AA33DEE470EBEDD3D763C2B53943D8AABFF3D1009053E414601BD241693BCC393703D352C82BDD45193BDD8A826BEE88331BEC5A1BEBDC4CEB43CB872693C015D683C32DFD83CC7B905BD82D732BE72A4213E227404BEE7A907BB42D98F3D589F393D093F9DBD",
      torch_tensor_32_torch.float32: "0x0400000098A715BD00FF3F3BEA5C18BE54A7453E14CB323E50160ABE3088613E5EB66E3E0E8616BE80470DBC561F7F3E4A3226BE386C20BDE6AE2FBE0CB8383E1000263D0C25D53DBAB2373EB07822BDF8E47FBE8093483CD07D9EBC94AFB93D48FFEE3D689AFEBDCCACC9BD5C61213E38C1913D48936A3D18F6E33D6C13EE3D60F938BE",
      torch_tensor_32_16_torch.float32: "0x04000000FE4404BED84B533E5235133EACD9953D92F342BE928B3CBE80DB503E1097D4BC48E47EBE802DFDBC20D675BD0023773BC446D63DC802C53DC0E243BE009333BBB0BBFDBD682A2D3E9888FD3D82830C3EA0BD683EE47EFB3D98D17FBE6431813DDAA92FBEF0BE083D00202F3BFEE77D3EACE72EBEA2D17ABEAC4189BD0803253D02883B3EB2904F3E4C28453EE89FA13DD05192BD808458BDDCFF0BBE683E483D660832BE6007B03DD853253EB43B593E5A547CBE4E0A523E3CD120BE1038A7BC1EB2693E4ABA0A3E6868A2BDC01F173EB8FE78BEC422483EFE80783EA0013ABC7087283DF84770BDC00F22BE8895E7BDB00188BCF26F51BE20E74EBE20C3E03C9C9226BE0C400BBE00B00DBBAAE906BE52F76C3EECD4B8BDFE570EBE7C6688BD14DD50BE66E1033E3CF45B3E5CA313BE3C55BEBDA2EA6E3E5C3039BE7CAB8A3D729450BE06DA63BE0054C639DC1B12BE5CA50A3E505D9EBD806D213BEEA605BE1066D23D9A306D3E08F019BD82011EBED2AE79BEBE50753ECCCBD73DEC72D33D28572E3DFA74003E00D1B53D48FFF93D3E1B203E0834113DA8805C3E9C2F1F3EC0C5FABBF0AEE4BD60C3873C3260473EA62B223E9479CFBD30C855BDE048CB3D70E9C03D10C6733EDC9EF83DB41DA33D60AA6C3DA49670BE3CA1BCBDB0C0D83CF01632BE864C60BE94BE2C3E5C22AE3D50954EBE201B733CA4C3163EA479133E0AC8693E4472CABDA8FAE33DA4A94FBEB09EFCBC9AD022BE58FC42BD92BC113EA83EFF3DE6A806BE70EB7DBD48DB4CBD4CC7C2BD423C0CBEFAFA3B3E68F4303E42B7553E94920CBE1C773B3E1C419BBD889470BD0CD989BD002B47BC3C34E0BD400A0C3D7E0025BE5894D23DFCAF56BEA89CB9BDFECD32BE90B02C3E66E22F3E729C4BBE20B10BBEAE1D653E3431953D7C46303EA04344BE0014E73D54F4223EC8966DBDA0BF3CBC72AB3A3EAC9C8B3DD4E8923D0056473AD8C0D5BD3CB11CBEEA777F3EF0C9A1BC962E633E7675513E7CDD05BEA0348B3C94F682BDC0BE94BB34B8283E86F70C3EC26711BED457FDBDFADC35BE945A59BE0239243EE62F1EBE801D563B0010B2B9C02D2F3DE0A56FBC10D9043E30A10C3D0893373E300A5D3D005A4CBB481A113D0AA02A3E788E1A3DA858343E5034C2BC800F0E3BB413573EF2AF71BEB04ECC3C84D2693EC07600BE90E23CBDA0C676BC48ADA83DB084C13D00FA673D94F8C93D44ADDBBD2467D73D9858A2BDA8DA203EC44396BD7EFC59BE4043923C8A35053EC08720BC80AC543B0038683A26DE073EB03EA03CDEB164BEF69136BEA01D723C1073A4BC14B3743E10B870BD3AEB433EDEE657BE5E4E73BE2065BCBCF21722BEBC4F95BD20AFE63C540F5EBE7AEA2F3E805D1BBE0E6C443E745CA73D480A40BDC80960BEA07B293D3A040FBE56405D3E3C5C57BE243F87BD30160DBEF6A524BE9C8505BE400ACBBCF08B8A3CA0752D3DD2D0023E7821D1BD3CD61EBE68C157BD9A3E713EB035FABC4E8457BE6CDF483E2028793D58B9313D58C42F3D3A9C323ED022E9BDB2933A3E402B763E380584BDD091213E663D0D3E54BD6F3E48536EBD1A4918BE0C0EBEBD4E2B2EBE60850C3CFCD1763EE45A783EE65E413E80A6CA3C00D6B13BBE80293E3802183E003CCBBC387E81BD5873CA3D40200EBC8CD933BEA0D2F0BDFE9C4F3E6632553EA881C7BDB0BF5BBD54C2FDBD8427A7BDE85B693EEEAF63BE9C51F43DF41666BE8845F4BDE88550BD20E98D3CA04B26BDDC0AEABDD85EE4BD4AB51BBE7EB032BE567E1FBE6A7C753E583DF1BDF4E254BE12F32F3E90A2C63DEC17303E52A47EBE8AAE73BEF0B135BE96DC06BE005210BA4878DD3DD4E0153ED62F5CBE0C31CC3D060C14BE70606B3D50C0A03D58DF233DF025B53D60854CBC1202293E5091553D8447603EA0F85D3D2A8507BE2067243E40E75D3C9A68773E607DE2BC464A7D3E6A7115BE38A9003E2CFA3EBEAAC02F3E10E1393D5857113E2C765CBE14A87EBE70B3F63DB8A4D2BD20C6CA3DC4E117BE00479EBD00CD923A242A1A3E4C91103EC0F0B6BCD4D190BD00128EBB68F1033E5AFA58BED0729CBD78C876BE68CF133D703EF2BCD005113EC6824C3E76E35ABE8497E2BD289E24BD006123BB18BF69BD7CF520BE14D6C5BD00F8D2BB8EDE4D3E1C7C82BD780F293E08F04EBEA02B373C70C647BECA3870BE10F6CA3C8C70EABD88783C3E4C344A3E88CD7EBEF0B98EBC50F02EBDEEE911BE7AB932BEC8AAD8BDFC0CE23DA078733D46131A3E204974BCE6F5043EE004463D984A5FBD80746FBC90D468BE8021BCBB3433A8BDF057ABBDC4A4CDBDA8E15FBDC2FF3CBE805C703C807626BC30D986BDF4395E3E4CCE2B3E4C99903DC094BCBD789B023D382430BE9460323E8C1C6F3E30E318BDC86D453E7241703E401C76BC741EBEBD00B84E3C3039293DDCF86CBE20847FBC5C1FB9BDE4D32A3E4028EBBB726E283E60B5633E5875A0BD886B5C3DE030AFBC3021DFBDD4020EBE0090BD3B188F9B3D181A34BDE0E52D3DDAFA1F3E8071D53D6C22D33D00E48F3DCCCA44BE9CE11ABE14D83DBE283A283E0C7A61BECC1F3FBE8297283ECA52173E660072BED0EB133E70A769BDE09D5C3D065E20BE70711BBD3097633D7632433EEA3C1B3E1E350BBE84EB27BEC04179BCDCAFA03D4C5D0C3ED21A7FBEC05BA7BCA0D8103C0C1DEFBDAEEA493EF8E887BDDA1174BE12DA18BE8054033CDE813EBEA8E4693D9A09793E40AD273C40447CBDE62D713E34FD3C3EE21D2A3E005A9B3C00413B3CF08846BE4079D03CDCFF783E8088583C5C7364BE6C820C3EF0BF653EAA9D563EE02F413C385F403DE8B6253D24D8D1BDB06915BDB2D8503E70F1D03CBC46713E4C002ABE",
      torch_tensor_16_torch.float32_5: "0x0400000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000",
      torch_tensor_16_torch.float32_4: "0x040000000000803F0000803F0000803F0000803F0000803F0000803F0000803F0000803F0000803F0000803F0000803F0000803F0000803F0000803F0000803F0000803F",
      torch_tensor_16_torch.float32_3: "0x04000000B8DB1BBEA0E735BD0C1456BE96EC47BE28628CBD348A783EB89285BDA0FC6C3CF4D5703EF87B363DC6834E3E181C2A3ED20D703E189B2F3DCE054FBE363A5CBE",
      torch_tensor_16_16_torch.float32_3: "0x04000000BAF4363E1E02793ECCDAE73D8007E0BBAC4E513E5ABC4B3E1A4D00BEFC36E93DA0FAEF3CA845DDBD98DC73BDC8CC71BD5C2433BE603D9CBDB04AAC3D20EF3B3E10919B3C2AE977BEB094073E68EC9ABD009F643E205E77BEF8946FBDA488463EDC7DDD3DE470FFBD18AC5DBE00F92FBB90CAC53DCC8754BEC03856BE803F4EBB800252BDB08A243E160C78BE50DF22BDBC6146BE102515BDD6CB02BE1023A13D7A2856BEA06249BE144711BEDC3660BEC29A213EA88B12BDEA3A0EBEF262333E605268BD9866043EF0B69EBDA62E56BE00E6603DB2681F3EB09B79BE7030D53C38184C3D600FEB3CC0B7CABB18279FBDF2BD46BE1005273DF8EE2BBEF68453BE0C61A4BD143F2FBE9CED9C3D6459363E98F4463EA6AC1EBEFC910B3EC0EA353E80CA373BC801D83DFADA103EB8E0433E8EFA083E708BDA3D4454C2BDCEBA0EBE5CC8F2BDEEA1523EF80478BD2080123CE6BD6EBE80F135BC686F90BD562E25BE3643463EB4424FBE606112BDF03591BCFEC167BEFCC71A3E84E9A2BDD403E63DE2E00E3EE4BC613E30497D3D3830403E966D6C3E90F34A3DE8A450BD842F8CBD98E5253D0841B83D7A8171BE40CF3F3E507A213DC0786EBE84FFA33D0A76223E0050BF3D4AF7503E805BA93B706154BE00AA14BAD8123A3EA043F6BD4062DA3DE80B6C3D002526BD00E0E83AA4D4D93DD02E2FBE2AA2213EF24F2D3E36A70F3E5CD07F3EA0DB32BC84C534BE80083B3C088B94BDF4BDB43D408C583E0E1E0CBEA0852B3CB0FE783E345D4CBE68B430BD5497783E72E0323E649A943D80D3DCBD80E9BEBCBE8F65BE140471BEF4DA6FBE82E1753E667A4A3E7C18CB3DE49980BDF6695C3ECC3D87BDFEB8313EA04F05BC90D9F0BDC4E58EBD18A75ABD7C536ABEBC1B993D0CFF9BBD4C3BEB3DC038233E30CE22BD484FF83D40974C3DF4EB2B3EBC1825BE20CEB3BC1C9DAABDC050603E9EC865BE08E40FBEE032E73CA642633E52362D3ED88D6FBE10FC33BE5038783EC03B153D04445BBE484EA1BDC8D6DF3D402056BD14A444BEF80E1EBEEE9D04BE807020BC00A6C83D68D3F53DACB9F8BD28D02BBD6CA745BE2A99413EEC797F3E42D3783EDC3DD13DD05A5ABDC036CCBBACB8B83D32E75DBE20447E3C421750BEAEF47FBE20E708BCECFEA2BD742A22BEB8C0293DC0DA263C50431C3DB2470FBEC2BF7ABE4049B33B68DFD0BD209DACBDAE763C3EE03C273D90D6E93DF8168FBDEC214BBEA02E4C3D008929BE00C1FD3CC4C947BE06FF403E08642EBE9C3F5E3ED8D6343E7685413E6A9C193EC8036D3D00A247BC40C382BB28A2CBBD76506BBE6256693E4039543CACCDF03DC055163C6C22933DBEBA1DBE700147BE883C433E9C28C23D80CEFC3D22187EBE10768A3CF2C86EBEF05DEABC408858BCE41934BE667F7DBE00ABD73A7A38663EAAB6663E",
      torch_tensor_16_torch.float32_2: "0x0400000038E66B3D604D6C3E38C3203EA6BD7E3E94B3E6BD182000BD5839533D26D14D3E62536BBEE872FBBDC08A143D0CF813BE5843BF3D509F8BBC6CAC84BD824B093E",
      torch_tensor_16_16_torch.float32_2: "0x04000000D6C813BEE818EF3D02A136BE20EB6D3E90A0D3BD4A1C173E207D0B3C4C2CE1BDD0F32A3E2C5643BEEA7107BE6079F53C0C144B3E805EDBBDE4E21BBE386F23BEA4BAE1BDD4DCB0BDE8826EBD82A211BEEC05A03D0010053B244327BE4A3112BE88D5583D000D6ABBF42E353E003C1BBDD4624FBE3E573DBEE84896BDE0CA62BD20B9E93C28A765BD70EABC3D6C48AABD68E43B3E30336B3D38689DBDBC25643EE4B5823D9CF92DBEA4790EBE0E84203E54D7E93D20E2473E90519DBC3A0D333E2C8EFE3DF4569E3D28006DBDF4C7763E70384F3D601A84BD00F168BB10A97B3E50F12B3E00C597BC3CF97A3E5CD6E03D7C4C08BE48FA68BE80C5143ECE15703EE82615BE444AD23D405F2E3CF8F25ABDD8378BBD70708E3D48BF613D96E72C3E146EBB3D44FDE83D0AD5613EE46D9F3D5001183DA866BABD68BF3B3EC839173D7002253E9C34773E480565BDF43F343E58F44FBDA205673E147F493EE084B7BD00E6123C2C98DFBDB413CFBDA0534FBD0067DFBACC7AB2BDE0A971BEF8D51ABE8002AFBC2872A3BD36253E3E6417503E8816233E0C9AE23D8CF24ABE18DC713EFC9661BED052A8BD402D34BE801DB83D860555BEC469FCBD389D22BE0C5C1DBED802EFBD18A77B3EE046A7BC78129C3D8A207EBE0A9D633E80FB5EBD42F16ABEC06C303E10718ABD567B683E28E22DBEC2AD6DBE2A5240BE8CC9DD3D40ADE5BCD0296DBEF0DD3D3D108B82BC54F8B83DDA3802BE66C136BE427C2E3EF05FF6BD4E14343EF8904F3E7A0733BE780DECBD208AF63CAC5F71BE383D9D3DB854D5BD6802E3BDB4E745BEE885EF3DA02223BE0C9F4CBEBCA486BD04840EBEF6E178BEE857CE3D68CCC2BDB651333EEA33343EF04423BEB03D15BEECBCB5BD0AF4153E20FF0CBCC8E8B6BD4A961E3ED2C6723E9C423D3EBEC343BE28AF54BD686A44BD9A785A3EC46704BEAAB812BE802B803BB8DF6DBD0CCDC13D30F0F83C7AD818BE6C263A3EC25A1F3EF83D603D3AB667BE4099F03D381A2A3E948A8E3D00E9C5BD505A893C8CB0C4BD2403713E9C32773E90A9EEBC743C2CBEB897163E68A8023E14B3073EC0A040BEB89CAD3D047FDABD0A0361BE46C232BE480AD93D90AEBF3DC6AE60BEF02B113E4E28443E3856423E6C8C103E18BF20BD6E892B3ECE6A483EB472053ECA2038BE10B1B2BDD4CE4A3E182B433E2259233EE4FED5BD28CD4ABDF2B83EBE08E511BEA683443E901E52BE680E7DBD005D593D689A19BEF0B16E3DD09C24BDCCC2CC3D407344BEF0500D3DD46669BE0AD21E3EB6AB783E84BEB6BD486B173DD4E403BE68C223BE18A701BE4CEAF3BDB060423DA0C1EABC20998F3C462E44BEC6D520BEDC9F5DBE98FF37BEF460563E7C38BE3D9E2574BEF0E82ABD305DA43CF2C2083EBA6D6D3E6845773DD655343E3431B6BD40D505BCE2891ABE",
      torch_tensor_16_torch.float32_1: "0x0400000048E7C5BD30C51CBEC8C6593D9C4F8B3DC041E33DFC27983DD8341CBDFC2B46BEC4F8223E00720CBB64222ABE96C55C3E74BB0E3EAC3249BE98B3FFBD603CAEBD",
      torch_tensor_16_16_torch.float32_1: "0x040000000891733D0455543EB0A8D4BDB426D8BDA0D75DBE401928BC808BF2BDA01F243C20EB51BDDCE0A93DA4755D3E7C14973D90EFA4BD883CFBBD6C455FBE1069573E98FC41BD18B34E3D0084173CF02323BEA82C103E9A770F3E40464E3C627B11BE5C8DD9BD00A0613B284312BE5AD60EBE40BF18BD3C6E93BD505F7B3DB09386BDA0BE07BDC46BC3BDC4F269BEB6435F3E705C433DE6EB643E680725BD14AC80BDCCAA70BE545CC2BDACE0273EF2BC7ABE7414B3BD6AF81B3E5E8B133EB80DBD3D20B24ABDD0109BBCF07642BD70BEBCBD90ABD53D8063AEBDDAD00FBE184E683DD00939BE68895ABDCAD1023E7859BF3D4CF1593EA29A2EBE80730E3BEC3197BD622F0FBE820310BEC4FD803D7045D63CC0AC02BEAC7134BE6C1A54BE84E57A3E40892EBDF0C86CBD8845BCBDDE0A00BE781D6ABE804916BE78791C3EA06F603DC89CB4BDBC7DC1BD4E89233E4689383EA2A3763E705A953D585AF73DA08DA4BCAEAA15BE6CCC7ABE9AED1B3ED0D514BD645AD23DC09C493C20EE6EBE402FFBBDC80A903D10424FBDA83577BEA489B33DC0161D3C008CA4BD58D5CE3DB82F583DC0D3BCBD26FA653E126E003E8093003D20A944BD9AD758BEDEA6453ED81D84BD0A6F25BE8822243E5CD6B53D70687D3D080A4BBDACC79FBD70C52D3DF81A463E18A4123D2019F2BDB04E7E3E0034AF3B5C5F4A3EB091793D9E77653E8EB4133E088402BE1CD4333E00CDD23AE27E4DBE389356BD961167BE58A204BE0E5C35BE74172F3E582157BD70EC30BDB85BF53D745ED03DA8F328BE94B0BC3D5882D93D4A8C4BBE6C935E3E68C51BBED037C8BD10DD52BE76FA693ED0FC423D988F573E70BC853CAE250B3E6479A3BD063B4CBE5861243D40A3B6BCE0C8CEBC6873FBBDC096A93BC009933DF4B3B83D76394EBE885BF73D109AD23C5691303E34EB343E909A49BE8AD7753E6EC37BBE682A133E9025903C6C48F23DAA6F0ABE02E8193EB85AFDBD024762BE7889AB3DC01F0C3E34C37D3EC00AD6BC3C44763ECE76243E00EFFDBDD47645BEC4940F3E98410CBE0CDAEA3D743F5BBE18C53A3E9C74993DA071EBBC4CD1EA3D224236BE80DA5FBD809E203B74EC13BECCD382BD70CDDCBD2EFA733E2C7B593E84CB5C3EF43C513E482C75BEE443AB3DA8B7BC3D42C53BBED488CF3DEEE80ABE48D5223DE496A93DB0E65C3E264D06BE146A49BEBADD6C3ED0EBD63D30DBF83D484DB83D583AB5BD16FF193E2E7F5FBE20810E3DC071E73D20E92E3E88ADFFBD1A072DBEA8E9BF3D584E4BBE8EC054BEBA3966BE5C49F8BD787543BDFC9917BEAC7CD8BD46AF62BE48591D3E986C6ABDA48521BE404D853DCA693FBE9032333E3834133EFC927BBE3AF248BEE6CC28BEAE940ABE90B7FF3CB8257DBE38CA3DBEA0D2E93DB8AFA7BD7CBCCBBDB4C853BEFC84CF3D309F903C",
      torch_tensor_16_torch.float32: "0x0400000020A5133E385F1D3EC0626DBC301DFCBC86A3683EE8C65F3E7C2511BE9C777A3E70697D3D000D2ABE3A230C3E821F3FBE96866C3EBA9324BED4CE903D74E79B3D",
      torch_tensor_16_16_torch.float32: "0x040000004AE8033E54FCE1BDA08346BD2051F03D020271BE1287193EA8A952BD0A3D023E785A0E3D00C4FABC40028E3D20104A3C30FFBA3DE486C7BD305195BC4060B8BC306C143D00E782BA64C95F3E50549F3D08ACBEBD369D1ABE70A32BBDB0D8DCBDD411A4BD801F443CD49B183E38250B3EC6407ABE1CB31E3EC8088F3D88D4723EAEF9283E524069BE2E6873BE3CF4F6BDEECB603E10912ABD801DDB3DA8EEEDBD1A317B3E5CA0D8BD12FB3F3E8003423B82DD06BE7A96033ED4E307BEE494963DFCD793BD0088E0BC881D76BEBC1CF4BD10EA0A3E40E978BD1AFD7E3EE6344D3E20CA3FBC2CE02ABEF2E41B3E20E79E3DC47B25BE8E48263E066B1B3E8C0B633ED6800FBE788E28BDC0B19EBB1890153D784842BED0A935BEE2430B3EA81E70BD3019FA3D4083693CD01CA83D802A613DB429BA3DCCCDFD3DAE156DBEA4DB003EE2FF33BE802741BE8018793C387F2EBDDE5A163E3C4214BE529463BE0E4F3A3E30D717BD32FD0F3EA099A43DD4F73FBE48B84D3D18F6753D32682BBE08EEF2BD5C94AE3DE86B373D70CAD9BD94FD9ABD4A776A3E38763DBDA654103E98B2DD3DF07A25BEC0B559BE44BB753E40E1553C2E7A2F3E7834543DBCABA43DAE383F3E32BE723E72E029BE9807003DB80A3F3E9474393E7C091F3EA44539BEC05838BE50D21ABEB8A4003D6E257F3E7EB521BEE26A083E66B10DBEFAB170BE00A459BDF07F133EFAA96D3E66FC1EBE30385E3D68E45C3EAAA3293E8C8B1F3E04EC353E98EC213E6C3F843DD60E2FBE6AFA56BEE49BEABD307BEEBC70EA1CBE2C51BB3D30759E3DA8DE67BD50C8C43D7878A53D484C1C3ECE662C3EE463ADBD5A1E7A3EC0C3ECBCE0B80CBC20A271BE08C424BE5C8E15BE80FEDABD1A02363ED84FA7BDD24D3FBEF0FDC43D44EDA33D0ECF253E0E7904BEC0045E3DD864BABD201166BDD8024CBE8059E9BDD0CD9CBD04F3DA3DF0123B3DE0F17C3DD2837F3E3081793EA49A2E3E606E023C3E1931BE0411483E500880BD4092A5BC328B5CBEF0444ABDEC1D25BE6C3D6B3E40515DBE2E8C47BEC0150BBC546C0ABE1833B73DF814C5BDE47AF0BDE0FC673C6051393E941334BE3C70F03D0A77243E226B7A3EAC2E33BEA000783D144B3DBE608F5A3EA89BC6BDCA331A3E40E3F33BF0809FBCC0B102BC08132E3DD45AF13DA03A243D28309C3D404766BE6E813A3E7A325F3E709C533EB23D3D3ED6BC38BE64CCBDBDC0B8613E0EFC42BEA63F683ECE5749BE1E5434BE384EFA3DE6EE37BE60996ABDE83C3A3E56C64A3E0C1D723E98C94FBD90FA46BE760F7C3E88235ABDA0A7D2BDD89F793DEE0633BE8443283E8E71203E96214BBE764552BEC065B3BC940DD73D0042EDBBD6CF01BE004ABB3B669F70BE4AEE34BE9E6A2ABEE2D2523E5EAA613ECCE8ADBD00B5373C3857E43DD062F53C523100BE"
    }
  }
#-}
