#map = affine_map<(d0) -> (d0)>
#map1 = affine_map<(d0, d1) -> (d0, d1)>
#map2 = affine_map<(d0, d1) -> (d1)>
#map3 = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#map4 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#map5 = affine_map<(d0, d1, d2, d3) -> (d0, 0, 0, d3)>
#map6 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>
#map7 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, 0)>
#map8 = affine_map<(d0, d1, d2) -> (d0, d1, 0)>
#map9 = affine_map<(d0, d1, d2) -> (d2)>
module {
  func.func @forward(%arg0: tensor<1x8x32xf16>, %arg1: tensor<1x1x1x8xf16>) -> tensor<1x8x32xf16> {
    %cst = arith.constant 0.000000e+00 : f32
    %c0_i64 = arith.constant 0 : i64
    %cst_0 = arith.constant 0xFF800000 : f32
    %cst_1 = arith.constant 0.000000e+00 : f64
    %cst_2 = arith.constant 1.000000e+00 : f16
    %cst_3 = arith.constant 2.000000e+00 : f16
    %cst_4 = arith.constant 5.000000e-01 : f16
    %cst_5 = arith.constant dense_resource<torch_tensor_32_torch.float16_8> : tensor<32xf16>
    %cst_6 = arith.constant dense_resource<torch_tensor_32_torch.float16_7> : tensor<32xf16>
    %cst_7 = arith.constant dense_resource<torch_tensor_32_torch.float16_6> : tensor<32xf16>
    %cst_8 = arith.constant dense_resource<torch_tensor_32_64_torch.float16> : tensor<32x64xf16>
    %cst_9 = arith.constant dense_resource<torch_tensor_64_torch.float16> : tensor<64xf16>
    %cst_10 = arith.constant dense_resource<torch_tensor_64_32_torch.float16> : tensor<64x32xf16>
    %cst_11 = arith.constant dense_resource<torch_tensor_32_torch.float16_5> : tensor<32xf16>
    %cst_12 = arith.constant dense_resource<torch_tensor_32_torch.float16_4> : tensor<32xf16>
    %cst_13 = arith.constant 1.000000e-05 : f64
    %cst_14 = arith.constant dense_resource<torch_tensor_32_torch.float16_3> : tensor<32xf16>
    %cst_15 = arith.constant dense_resource<torch_tensor_32_32_torch.float16_3> : tensor<32x32xf16>
    %cst_16 = arith.constant dense_resource<torch_tensor_32_torch.float16_2> : tensor<32xf16>
    %cst_17 = arith.constant dense_resource<torch_tensor_32_32_torch.float16_2> : tensor<32x32xf16>
    %cst_18 = arith.constant dense_resource<torch_tensor_32_torch.float16_1> : tensor<32xf16>
    %cst_19 = arith.constant dense_resource<torch_tensor_32_32_torch.float16_1> : tensor<32x32xf16>
    %cst_20 = arith.constant dense_resource<torch_tensor_32_torch.float16> : tensor<32xf16>
    %cst_21 = arith.constant dense_resource<torch_tensor_32_32_torch.float16> : tensor<32x32xf16>
    %cst_22 = arith.constant 4.000000e+00 : f16
    %cst_23 = arith.constant 3.200000e+01 : f64
    %cst_24 = arith.constant 3.200000e+01 : f32
    %collapsed = tensor.collapse_shape %arg0 [[0, 1], [2]] : tensor<1x8x32xf16> into tensor<8x32xf16>
    %0 = tensor.empty() : tensor<32x32xf16>
    %transposed = linalg.transpose ins(%cst_21 : tensor<32x32xf16>) outs(%0 : tensor<32x32xf16>) permutation = [1, 0] 
    %1 = tensor.empty() : tensor<32xf32>
    %2 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel"]} ins(%cst_20 : tensor<32xf16>) outs(%1 : tensor<32xf32>) {
    ^bb0(%in: f16, %out: f32):
      %125 = arith.extf %in : f16 to f32
      linalg.yield %125 : f32
    } -> tensor<32xf32>
    %3 = tensor.empty() : tensor<8x32xf32>
    %4 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%collapsed : tensor<8x32xf16>) outs(%3 : tensor<8x32xf32>) {
    ^bb0(%in: f16, %out: f32):
      %125 = arith.extf %in : f16 to f32
      linalg.yield %125 : f32
    } -> tensor<8x32xf32>
    %5 = tensor.empty() : tensor<32x32xf32>
    %6 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%transposed : tensor<32x32xf16>) outs(%5 : tensor<32x32xf32>) {
    ^bb0(%in: f16, %out: f32):
      %125 = arith.extf %in : f16 to f32
      linalg.yield %125 : f32
    } -> tensor<32x32xf32>
    %7 = linalg.fill ins(%cst : f32) outs(%3 : tensor<8x32xf32>) -> tensor<8x32xf32>
    %8 = linalg.matmul ins(%4, %6 : tensor<8x32xf32>, tensor<32x32xf32>) outs(%7 : tensor<8x32xf32>) -> tensor<8x32xf32>
    %9 = linalg.generic {indexing_maps = [#map1, #map2, #map1], iterator_types = ["parallel", "parallel"]} ins(%8, %2 : tensor<8x32xf32>, tensor<32xf32>) outs(%3 : tensor<8x32xf32>) {
    ^bb0(%in: f32, %in_49: f32, %out: f32):
      %125 = arith.addf %in, %in_49 : f32
      linalg.yield %125 : f32
    } -> tensor<8x32xf32>
    %10 = tensor.empty() : tensor<8x32xf16>
    %11 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%9 : tensor<8x32xf32>) outs(%10 : tensor<8x32xf16>) {
    ^bb0(%in: f32, %out: f16):
      %125 = arith.truncf %in : f32 to f16
      linalg.yield %125 : f16
    } -> tensor<8x32xf16>
    %expanded = tensor.expand_shape %11 [[0, 1], [2, 3]] output_shape [1, 8, 2, 16] : tensor<8x32xf16> into tensor<1x8x2x16xf16>
    %12 = tensor.empty() : tensor<1x2x8x16xf16>
    %transposed_25 = linalg.transpose ins(%expanded : tensor<1x8x2x16xf16>) outs(%12 : tensor<1x2x8x16xf16>) permutation = [0, 2, 1, 3] 
    %transposed_26 = linalg.transpose ins(%cst_19 : tensor<32x32xf16>) outs(%0 : tensor<32x32xf16>) permutation = [1, 0] 
    %13 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel"]} ins(%cst_18 : tensor<32xf16>) outs(%1 : tensor<32xf32>) {
    ^bb0(%in: f16, %out: f32):
      %125 = arith.extf %in : f16 to f32
      linalg.yield %125 : f32
    } -> tensor<32xf32>
    %14 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%transposed_26 : tensor<32x32xf16>) outs(%5 : tensor<32x32xf32>) {
    ^bb0(%in: f16, %out: f32):
      %125 = arith.extf %in : f16 to f32
      linalg.yield %125 : f32
    } -> tensor<32x32xf32>
    %15 = linalg.matmul ins(%4, %14 : tensor<8x32xf32>, tensor<32x32xf32>) outs(%7 : tensor<8x32xf32>) -> tensor<8x32xf32>
    %16 = linalg.generic {indexing_maps = [#map1, #map2, #map1], iterator_types = ["parallel", "parallel"]} ins(%15, %13 : tensor<8x32xf32>, tensor<32xf32>) outs(%3 : tensor<8x32xf32>) {
    ^bb0(%in: f32, %in_49: f32, %out: f32):
      %125 = arith.addf %in, %in_49 : f32
      linalg.yield %125 : f32
    } -> tensor<8x32xf32>
    %17 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%16 : tensor<8x32xf32>) outs(%10 : tensor<8x32xf16>) {
    ^bb0(%in: f32, %out: f16):
      %125 = arith.truncf %in : f32 to f16
      linalg.yield %125 : f16
    } -> tensor<8x32xf16>
    %expanded_27 = tensor.expand_shape %17 [[0, 1], [2, 3]] output_shape [1, 8, 2, 16] : tensor<8x32xf16> into tensor<1x8x2x16xf16>
    %transposed_28 = linalg.transpose ins(%cst_17 : tensor<32x32xf16>) outs(%0 : tensor<32x32xf16>) permutation = [1, 0] 
    %18 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel"]} ins(%cst_16 : tensor<32xf16>) outs(%1 : tensor<32xf32>) {
    ^bb0(%in: f16, %out: f32):
      %125 = arith.extf %in : f16 to f32
      linalg.yield %125 : f32
    } -> tensor<32xf32>
    %19 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%transposed_28 : tensor<32x32xf16>) outs(%5 : tensor<32x32xf32>) {
    ^bb0(%in: f16, %out: f32):
      %125 = arith.extf %in : f16 to f32
      linalg.yield %125 : f32
    } -> tensor<32x32xf32>
    %20 = linalg.matmul ins(%4, %19 : tensor<8x32xf32>, tensor<32x32xf32>) outs(%7 : tensor<8x32xf32>) -> tensor<8x32xf32>
    %21 = linalg.generic {indexing_maps = [#map1, #map2, #map1], iterator_types = ["parallel", "parallel"]} ins(%20, %18 : tensor<8x32xf32>, tensor<32xf32>) outs(%3 : tensor<8x32xf32>) {
    ^bb0(%in: f32, %in_49: f32, %out: f32):
      %125 = arith.addf %in, %in_49 : f32
      linalg.yield %125 : f32
    } -> tensor<8x32xf32>
    %22 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%21 : tensor<8x32xf32>) outs(%10 : tensor<8x32xf16>) {
    ^bb0(%in: f32, %out: f16):
      %125 = arith.truncf %in : f32 to f16
      linalg.yield %125 : f16
    } -> tensor<8x32xf16>
    %expanded_29 = tensor.expand_shape %22 [[0, 1], [2, 3]] output_shape [1, 8, 2, 16] : tensor<8x32xf16> into tensor<1x8x2x16xf16>
    %transposed_30 = linalg.transpose ins(%expanded_29 : tensor<1x8x2x16xf16>) outs(%12 : tensor<1x2x8x16xf16>) permutation = [0, 2, 1, 3] 
    %23 = tensor.empty() : tensor<1x2x16x8xf16>
    %transposed_31 = linalg.transpose ins(%expanded_27 : tensor<1x8x2x16xf16>) outs(%23 : tensor<1x2x16x8xf16>) permutation = [0, 2, 3, 1] 
    %collapsed_32 = tensor.collapse_shape %transposed_25 [[0, 1], [2], [3]] : tensor<1x2x8x16xf16> into tensor<2x8x16xf16>
    %collapsed_33 = tensor.collapse_shape %transposed_31 [[0, 1], [2], [3]] : tensor<1x2x16x8xf16> into tensor<2x16x8xf16>
    %24 = tensor.empty() : tensor<2x8x8xf32>
    %25 = linalg.fill ins(%cst : f32) outs(%24 : tensor<2x8x8xf32>) -> tensor<2x8x8xf32>
    %26 = linalg.batch_matmul ins(%collapsed_32, %collapsed_33 : tensor<2x8x16xf16>, tensor<2x16x8xf16>) outs(%25 : tensor<2x8x8xf32>) -> tensor<2x8x8xf32>
    %27 = tensor.empty() : tensor<2x8x8xf16>
    %28 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%26 : tensor<2x8x8xf32>) outs(%27 : tensor<2x8x8xf16>) {
    ^bb0(%in: f32, %out: f16):
      %125 = arith.truncf %in : f32 to f16
      linalg.yield %125 : f16
    } -> tensor<2x8x8xf16>
    %expanded_34 = tensor.expand_shape %28 [[0, 1], [2], [3]] output_shape [1, 2, 8, 8] : tensor<2x8x8xf16> into tensor<1x2x8x8xf16>
    %29 = tensor.empty() : tensor<1x2x8x8xf16>
    %30 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_34 : tensor<1x2x8x8xf16>) outs(%29 : tensor<1x2x8x8xf16>) {
    ^bb0(%in: f16, %out: f16):
      %125 = arith.divf %in, %cst_22 : f16
      linalg.yield %125 : f16
    } -> tensor<1x2x8x8xf16>
    %31 = linalg.generic {indexing_maps = [#map4, #map5, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%30, %arg1 : tensor<1x2x8x8xf16>, tensor<1x1x1x8xf16>) outs(%29 : tensor<1x2x8x8xf16>) {
    ^bb0(%in: f16, %in_49: f16, %out: f16):
      %125 = arith.addf %in, %in_49 : f16
      linalg.yield %125 : f16
    } -> tensor<1x2x8x8xf16>
    %32 = tensor.empty() : tensor<1x2x8x8xf32>
    %33 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%31 : tensor<1x2x8x8xf16>) outs(%32 : tensor<1x2x8x8xf32>) {
    ^bb0(%in: f16, %out: f32):
      %125 = arith.extf %in : f16 to f32
      linalg.yield %125 : f32
    } -> tensor<1x2x8x8xf32>
    %34 = tensor.empty() : tensor<1x2x8xi64>
    %35 = linalg.fill ins(%c0_i64 : i64) outs(%34 : tensor<1x2x8xi64>) -> tensor<1x2x8xi64>
    %36 = tensor.empty() : tensor<1x2x8xf32>
    %37 = linalg.fill ins(%cst_0 : f32) outs(%36 : tensor<1x2x8xf32>) -> tensor<1x2x8xf32>
    %38:2 = linalg.generic {indexing_maps = [#map4, #map6, #map6], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%33 : tensor<1x2x8x8xf32>) outs(%37, %35 : tensor<1x2x8xf32>, tensor<1x2x8xi64>) {
    ^bb0(%in: f32, %out: f32, %out_49: i64):
      %125 = linalg.index 3 : index
      %126 = arith.index_cast %125 : index to i64
      %127 = arith.maximumf %in, %out : f32
      %128 = arith.cmpf ogt, %in, %out : f32
      %129 = arith.select %128, %126, %out_49 : i64
      linalg.yield %127, %129 : f32, i64
    } -> (tensor<1x2x8xf32>, tensor<1x2x8xi64>)
    %expanded_35 = tensor.expand_shape %38#0 [[0], [1], [2, 3]] output_shape [1, 2, 8, 1] : tensor<1x2x8xf32> into tensor<1x2x8x1xf32>
    %39 = linalg.generic {indexing_maps = [#map4, #map7, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%33, %expanded_35 : tensor<1x2x8x8xf32>, tensor<1x2x8x1xf32>) outs(%32 : tensor<1x2x8x8xf32>) {
    ^bb0(%in: f32, %in_49: f32, %out: f32):
      %125 = arith.subf %in, %in_49 : f32
      linalg.yield %125 : f32
    } -> tensor<1x2x8x8xf32>
    %40 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%39 : tensor<1x2x8x8xf32>) outs(%32 : tensor<1x2x8x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      %125 = math.exp %in : f32
      linalg.yield %125 : f32
    } -> tensor<1x2x8x8xf32>
    %41 = tensor.empty() : tensor<1x2x8x1xf32>
    %42 = linalg.fill ins(%cst : f32) outs(%41 : tensor<1x2x8x1xf32>) -> tensor<1x2x8x1xf32>
    %43 = linalg.generic {indexing_maps = [#map4, #map7], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%40 : tensor<1x2x8x8xf32>) outs(%42 : tensor<1x2x8x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %125 = arith.addf %in, %out : f32
      linalg.yield %125 : f32
    } -> tensor<1x2x8x1xf32>
    %44 = linalg.generic {indexing_maps = [#map4, #map7, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%40, %43 : tensor<1x2x8x8xf32>, tensor<1x2x8x1xf32>) outs(%32 : tensor<1x2x8x8xf32>) {
    ^bb0(%in: f32, %in_49: f32, %out: f32):
      %125 = arith.divf %in, %in_49 : f32
      linalg.yield %125 : f32
    } -> tensor<1x2x8x8xf32>
    %45 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%44 : tensor<1x2x8x8xf32>) outs(%29 : tensor<1x2x8x8xf16>) {
    ^bb0(%in: f32, %out: f16):
      %125 = arith.truncf %in : f32 to f16
      linalg.yield %125 : f16
    } -> tensor<1x2x8x8xf16>
    %collapsed_36 = tensor.collapse_shape %45 [[0, 1], [2], [3]] : tensor<1x2x8x8xf16> into tensor<2x8x8xf16>
    %collapsed_37 = tensor.collapse_shape %transposed_30 [[0, 1], [2], [3]] : tensor<1x2x8x16xf16> into tensor<2x8x16xf16>
    %46 = tensor.empty() : tensor<2x8x16xf32>
    %47 = linalg.fill ins(%cst : f32) outs(%46 : tensor<2x8x16xf32>) -> tensor<2x8x16xf32>
    %48 = linalg.batch_matmul ins(%collapsed_36, %collapsed_37 : tensor<2x8x8xf16>, tensor<2x8x16xf16>) outs(%47 : tensor<2x8x16xf32>) -> tensor<2x8x16xf32>
    %49 = tensor.empty() : tensor<2x8x16xf16>
    %50 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%48 : tensor<2x8x16xf32>) outs(%49 : tensor<2x8x16xf16>) {
    ^bb0(%in: f32, %out: f16):
      %125 = arith.truncf %in : f32 to f16
      linalg.yield %125 : f16
    } -> tensor<2x8x16xf16>
    %expanded_38 = tensor.expand_shape %50 [[0, 1], [2], [3]] output_shape [1, 2, 8, 16] : tensor<2x8x16xf16> into tensor<1x2x8x16xf16>
    %51 = tensor.empty() : tensor<1x8x2x16xf16>
    %transposed_39 = linalg.transpose ins(%expanded_38 : tensor<1x2x8x16xf16>) outs(%51 : tensor<1x8x2x16xf16>) permutation = [0, 2, 1, 3] 
    %collapsed_40 = tensor.collapse_shape %transposed_39 [[0, 1], [2, 3]] : tensor<1x8x2x16xf16> into tensor<8x32xf16>
    %transposed_41 = linalg.transpose ins(%cst_15 : tensor<32x32xf16>) outs(%0 : tensor<32x32xf16>) permutation = [1, 0] 
    %52 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel"]} ins(%cst_14 : tensor<32xf16>) outs(%1 : tensor<32xf32>) {
    ^bb0(%in: f16, %out: f32):
      %125 = arith.extf %in : f16 to f32
      linalg.yield %125 : f32
    } -> tensor<32xf32>
    %53 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%collapsed_40 : tensor<8x32xf16>) outs(%3 : tensor<8x32xf32>) {
    ^bb0(%in: f16, %out: f32):
      %125 = arith.extf %in : f16 to f32
      linalg.yield %125 : f32
    } -> tensor<8x32xf32>
    %54 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%transposed_41 : tensor<32x32xf16>) outs(%5 : tensor<32x32xf32>) {
    ^bb0(%in: f16, %out: f32):
      %125 = arith.extf %in : f16 to f32
      linalg.yield %125 : f32
    } -> tensor<32x32xf32>
    %55 = linalg.matmul ins(%53, %54 : tensor<8x32xf32>, tensor<32x32xf32>) outs(%7 : tensor<8x32xf32>) -> tensor<8x32xf32>
    %56 = linalg.generic {indexing_maps = [#map1, #map2, #map1], iterator_types = ["parallel", "parallel"]} ins(%55, %52 : tensor<8x32xf32>, tensor<32xf32>) outs(%3 : tensor<8x32xf32>) {
    ^bb0(%in: f32, %in_49: f32, %out: f32):
      %125 = arith.addf %in, %in_49 : f32
      linalg.yield %125 : f32
    } -> tensor<8x32xf32>
    %57 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%56 : tensor<8x32xf32>) outs(%10 : tensor<8x32xf16>) {
    ^bb0(%in: f32, %out: f16):
      %125 = arith.truncf %in : f32 to f16
      linalg.yield %125 : f16
    } -> tensor<8x32xf16>
    %expanded_42 = tensor.expand_shape %57 [[0, 1], [2]] output_shape [1, 8, 32] : tensor<8x32xf16> into tensor<1x8x32xf16>
    %58 = tensor.empty() : tensor<1x8x32xf16>
    %59 = linalg.generic {indexing_maps = [#map3, #map3, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg0, %expanded_42 : tensor<1x8x32xf16>, tensor<1x8x32xf16>) outs(%58 : tensor<1x8x32xf16>) {
    ^bb0(%in: f16, %in_49: f16, %out: f16):
      %125 = arith.addf %in, %in_49 : f16
      linalg.yield %125 : f16
    } -> tensor<1x8x32xf16>
    %60 = tensor.empty() : tensor<1x8x32xf32>
    %61 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%59 : tensor<1x8x32xf16>) outs(%60 : tensor<1x8x32xf32>) {
    ^bb0(%in: f16, %out: f32):
      %125 = arith.extf %in : f16 to f32
      linalg.yield %125 : f32
    } -> tensor<1x8x32xf32>
    %62 = tensor.empty() : tensor<1x8x32xf64>
    %63 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%61 : tensor<1x8x32xf32>) outs(%62 : tensor<1x8x32xf64>) {
    ^bb0(%in: f32, %out: f64):
      %125 = arith.extf %in : f32 to f64
      linalg.yield %125 : f64
    } -> tensor<1x8x32xf64>
    %64 = tensor.empty() : tensor<1x8x1xf64>
    %65 = linalg.fill ins(%cst_1 : f64) outs(%64 : tensor<1x8x1xf64>) -> tensor<1x8x1xf64>
    %66 = linalg.generic {indexing_maps = [#map3, #map8], iterator_types = ["parallel", "parallel", "reduction"]} ins(%63 : tensor<1x8x32xf64>) outs(%65 : tensor<1x8x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %125 = arith.addf %in, %out : f64
      linalg.yield %125 : f64
    } -> tensor<1x8x1xf64>
    %67 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%66 : tensor<1x8x1xf64>) outs(%64 : tensor<1x8x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %125 = arith.divf %in, %cst_23 : f64
      linalg.yield %125 : f64
    } -> tensor<1x8x1xf64>
    %68 = linalg.generic {indexing_maps = [#map3, #map8, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%63, %67 : tensor<1x8x32xf64>, tensor<1x8x1xf64>) outs(%62 : tensor<1x8x32xf64>) {
    ^bb0(%in: f64, %in_49: f64, %out: f64):
      %125 = arith.subf %in, %in_49 : f64
      linalg.yield %125 : f64
    } -> tensor<1x8x32xf64>
    %69 = linalg.generic {indexing_maps = [#map3, #map3, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%68, %68 : tensor<1x8x32xf64>, tensor<1x8x32xf64>) outs(%62 : tensor<1x8x32xf64>) {
    ^bb0(%in: f64, %in_49: f64, %out: f64):
      %125 = arith.mulf %in, %in_49 : f64
      linalg.yield %125 : f64
    } -> tensor<1x8x32xf64>
    %70 = linalg.generic {indexing_maps = [#map3, #map8], iterator_types = ["parallel", "parallel", "reduction"]} ins(%69 : tensor<1x8x32xf64>) outs(%65 : tensor<1x8x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %125 = arith.addf %in, %out : f64
      linalg.yield %125 : f64
    } -> tensor<1x8x1xf64>
    %71 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%70 : tensor<1x8x1xf64>) outs(%64 : tensor<1x8x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %125 = arith.divf %in, %cst_23 : f64
      linalg.yield %125 : f64
    } -> tensor<1x8x1xf64>
    %72 = tensor.empty() : tensor<1x8x1xf32>
    %73 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%71 : tensor<1x8x1xf64>) outs(%72 : tensor<1x8x1xf32>) {
    ^bb0(%in: f64, %out: f32):
      %125 = arith.truncf %in : f64 to f32
      linalg.yield %125 : f32
    } -> tensor<1x8x1xf32>
    %74 = linalg.fill ins(%cst : f32) outs(%72 : tensor<1x8x1xf32>) -> tensor<1x8x1xf32>
    %75 = linalg.generic {indexing_maps = [#map3, #map8], iterator_types = ["parallel", "parallel", "reduction"]} ins(%61 : tensor<1x8x32xf32>) outs(%74 : tensor<1x8x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %125 = arith.addf %in, %out : f32
      linalg.yield %125 : f32
    } -> tensor<1x8x1xf32>
    %76 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%75 : tensor<1x8x1xf32>) outs(%72 : tensor<1x8x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %125 = arith.divf %in, %cst_24 : f32
      linalg.yield %125 : f32
    } -> tensor<1x8x1xf32>
    %77 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%73 : tensor<1x8x1xf32>) outs(%72 : tensor<1x8x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %125 = arith.truncf %cst_13 : f64 to f32
      %126 = arith.addf %in, %125 : f32
      linalg.yield %126 : f32
    } -> tensor<1x8x1xf32>
    %78 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%77 : tensor<1x8x1xf32>) outs(%72 : tensor<1x8x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %125 = math.rsqrt %in : f32
      linalg.yield %125 : f32
    } -> tensor<1x8x1xf32>
    %79 = linalg.generic {indexing_maps = [#map3, #map8, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%61, %76 : tensor<1x8x32xf32>, tensor<1x8x1xf32>) outs(%60 : tensor<1x8x32xf32>) {
    ^bb0(%in: f32, %in_49: f32, %out: f32):
      %125 = arith.subf %in, %in_49 : f32
      linalg.yield %125 : f32
    } -> tensor<1x8x32xf32>
    %80 = linalg.generic {indexing_maps = [#map3, #map8, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%79, %78 : tensor<1x8x32xf32>, tensor<1x8x1xf32>) outs(%60 : tensor<1x8x32xf32>) {
    ^bb0(%in: f32, %in_49: f32, %out: f32):
      %125 = arith.mulf %in, %in_49 : f32
      linalg.yield %125 : f32
    } -> tensor<1x8x32xf32>
    %81 = linalg.generic {indexing_maps = [#map3, #map9, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%80, %cst_12 : tensor<1x8x32xf32>, tensor<32xf16>) outs(%60 : tensor<1x8x32xf32>) {
    ^bb0(%in: f32, %in_49: f16, %out: f32):
      %125 = arith.extf %in_49 : f16 to f32
      %126 = arith.mulf %in, %125 : f32
      linalg.yield %126 : f32
    } -> tensor<1x8x32xf32>
    %82 = linalg.generic {indexing_maps = [#map3, #map9, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%81, %cst_11 : tensor<1x8x32xf32>, tensor<32xf16>) outs(%60 : tensor<1x8x32xf32>) {
    ^bb0(%in: f32, %in_49: f16, %out: f32):
      %125 = arith.extf %in_49 : f16 to f32
      %126 = arith.addf %in, %125 : f32
      linalg.yield %126 : f32
    } -> tensor<1x8x32xf32>
    %83 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%82 : tensor<1x8x32xf32>) outs(%58 : tensor<1x8x32xf16>) {
    ^bb0(%in: f32, %out: f16):
      %125 = arith.truncf %in : f32 to f16
      linalg.yield %125 : f16
    } -> tensor<1x8x32xf16>
    %collapsed_43 = tensor.collapse_shape %83 [[0, 1], [2]] : tensor<1x8x32xf16> into tensor<8x32xf16>
    %84 = tensor.empty() : tensor<32x64xf16>
    %transposed_44 = linalg.transpose ins(%cst_10 : tensor<64x32xf16>) outs(%84 : tensor<32x64xf16>) permutation = [1, 0] 
    %85 = tensor.empty() : tensor<64xf32>
    %86 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel"]} ins(%cst_9 : tensor<64xf16>) outs(%85 : tensor<64xf32>) {
    ^bb0(%in: f16, %out: f32):
      %125 = arith.extf %in : f16 to f32
      linalg.yield %125 : f32
    } -> tensor<64xf32>
    %87 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%collapsed_43 : tensor<8x32xf16>) outs(%3 : tensor<8x32xf32>) {
    ^bb0(%in: f16, %out: f32):
      %125 = arith.extf %in : f16 to f32
      linalg.yield %125 : f32
    } -> tensor<8x32xf32>
    %88 = tensor.empty() : tensor<32x64xf32>
    %89 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%transposed_44 : tensor<32x64xf16>) outs(%88 : tensor<32x64xf32>) {
    ^bb0(%in: f16, %out: f32):
      %125 = arith.extf %in : f16 to f32
      linalg.yield %125 : f32
    } -> tensor<32x64xf32>
    %90 = tensor.empty() : tensor<8x64xf32>
    %91 = linalg.fill ins(%cst : f32) outs(%90 : tensor<8x64xf32>) -> tensor<8x64xf32>
    %92 = linalg.matmul ins(%87, %89 : tensor<8x32xf32>, tensor<32x64xf32>) outs(%91 : tensor<8x64xf32>) -> tensor<8x64xf32>
    %93 = linalg.generic {indexing_maps = [#map1, #map2, #map1], iterator_types = ["parallel", "parallel"]} ins(%92, %86 : tensor<8x64xf32>, tensor<64xf32>) outs(%90 : tensor<8x64xf32>) {
    ^bb0(%in: f32, %in_49: f32, %out: f32):
      %125 = arith.addf %in, %in_49 : f32
      linalg.yield %125 : f32
    } -> tensor<8x64xf32>
    %94 = tensor.empty() : tensor<8x64xf16>
    %95 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%93 : tensor<8x64xf32>) outs(%94 : tensor<8x64xf16>) {
    ^bb0(%in: f32, %out: f16):
      %125 = arith.truncf %in : f32 to f16
      linalg.yield %125 : f16
    } -> tensor<8x64xf16>
    %expanded_45 = tensor.expand_shape %95 [[0, 1], [2]] output_shape [1, 8, 64] : tensor<8x64xf16> into tensor<1x8x64xf16>
    %96 = tensor.empty() : tensor<1x8x64xf16>
    %97 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%expanded_45 : tensor<1x8x64xf16>) outs(%96 : tensor<1x8x64xf16>) {
    ^bb0(%in: f16, %out: f16):
      %125 = math.sqrt %cst_3 : f16
      %126 = arith.divf %in, %125 : f16
      %127 = math.erf %126 : f16
      %128 = arith.addf %127, %cst_2 : f16
      %129 = arith.mulf %128, %cst_4 : f16
      %130 = arith.mulf %in, %129 : f16
      linalg.yield %130 : f16
    } -> tensor<1x8x64xf16>
    %collapsed_46 = tensor.collapse_shape %97 [[0, 1], [2]] : tensor<1x8x64xf16> into tensor<8x64xf16>
    %98 = tensor.empty() : tensor<64x32xf16>
    %transposed_47 = linalg.transpose ins(%cst_8 : tensor<32x64xf16>) outs(%98 : tensor<64x32xf16>) permutation = [1, 0] 
    %99 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel"]} ins(%cst_7 : tensor<32xf16>) outs(%1 : tensor<32xf32>) {
    ^bb0(%in: f16, %out: f32):
      %125 = arith.extf %in : f16 to f32
      linalg.yield %125 : f32
    } -> tensor<32xf32>
    %100 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%collapsed_46 : tensor<8x64xf16>) outs(%90 : tensor<8x64xf32>) {
    ^bb0(%in: f16, %out: f32):
      %125 = arith.extf %in : f16 to f32
      linalg.yield %125 : f32
    } -> tensor<8x64xf32>
    %101 = tensor.empty() : tensor<64x32xf32>
    %102 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%transposed_47 : tensor<64x32xf16>) outs(%101 : tensor<64x32xf32>) {
    ^bb0(%in: f16, %out: f32):
      %125 = arith.extf %in : f16 to f32
      linalg.yield %125 : f32
    } -> tensor<64x32xf32>
    %103 = linalg.matmul ins(%100, %102 : tensor<8x64xf32>, tensor<64x32xf32>) outs(%7 : tensor<8x32xf32>) -> tensor<8x32xf32>
    %104 = linalg.generic {indexing_maps = [#map1, #map2, #map1], iterator_types = ["parallel", "parallel"]} ins(%103, %99 : tensor<8x32xf32>, tensor<32xf32>) outs(%3 : tensor<8x32xf32>) {
    ^bb0(%in: f32, %in_49: f32, %out: f32):
      %125 = arith.addf %in, %in_49 : f32
      linalg.yield %125 : f32
    } -> tensor<8x32xf32>
    %105 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%104 : tensor<8x32xf32>) outs(%10 : tensor<8x32xf16>) {
    ^bb0(%in: f32, %out: f16):
      %125 = arith.truncf %in : f32 to f16
      linalg.yield %125 : f16
    } -> tensor<8x32xf16>
    %expanded_48 = tensor.expand_shape %105 [[0, 1], [2]] output_shape [1, 8, 32] : tensor<8x32xf16> into tensor<1x8x32xf16>
    %106 = linalg.generic {indexing_maps = [#map3, #map3, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%83, %expanded_48 : tensor<1x8x32xf16>, tensor<1x8x32xf16>) outs(%58 : tensor<1x8x32xf16>) {
    ^bb0(%in: f16, %in_49: f16, %out: f16):
      %125 = arith.addf %in, %in_49 : f16
      linalg.yield %125 : f16
    } -> tensor<1x8x32xf16>
    %107 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%106 : tensor<1x8x32xf16>) outs(%60 : tensor<1x8x32xf32>) {
    ^bb0(%in: f16, %out: f32):
      %125 = arith.extf %in : f16 to f32
      linalg.yield %125 : f32
    } -> tensor<1x8x32xf32>
    %108 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%107 : tensor<1x8x32xf32>) outs(%62 : tensor<1x8x32xf64>) {
    ^bb0(%in: f32, %out: f64):
      %125 = arith.extf %in : f32 to f64
      linalg.yield %125 : f64
    } -> tensor<1x8x32xf64>
    %109 = linalg.generic {indexing_maps = [#map3, #map8], iterator_types = ["parallel", "parallel", "reduction"]} ins(%108 : tensor<1x8x32xf64>) outs(%65 : tensor<1x8x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %125 = arith.addf %in, %out : f64
      linalg.yield %125 : f64
    } -> tensor<1x8x1xf64>
    %110 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%109 : tensor<1x8x1xf64>) outs(%64 : tensor<1x8x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %125 = arith.divf %in, %cst_23 : f64
      linalg.yield %125 : f64
    } -> tensor<1x8x1xf64>
    %111 = linalg.generic {indexing_maps = [#map3, #map8, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%108, %110 : tensor<1x8x32xf64>, tensor<1x8x1xf64>) outs(%62 : tensor<1x8x32xf64>) {
    ^bb0(%in: f64, %in_49: f64, %out: f64):
      %125 = arith.subf %in, %in_49 : f64
      linalg.yield %125 : f64
    } -> tensor<1x8x32xf64>
    %112 = linalg.generic {indexing_maps = [#map3, #map3, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%111, %111 : tensor<1x8x32xf64>, tensor<1x8x32xf64>) outs(%62 : tensor<1x8x32xf64>) {
    ^bb0(%in: f64, %in_49: f64, %out: f64):
      %125 = arith.mulf %in, %in_49 : f64
      linalg.yield %125 : f64
    } -> tensor<1x8x32xf64>
    %113 = linalg.generic {indexing_maps = [#map3, #map8], iterator_types = ["parallel", "parallel", "reduction"]} ins(%112 : tensor<1x8x32xf64>) outs(%65 : tensor<1x8x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %125 = arith.addf %in, %out : f64
      linalg.yield %125 : f64
    } -> tensor<1x8x1xf64>
    %114 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%113 : tensor<1x8x1xf64>) outs(%64 : tensor<1x8x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %125 = arith.divf %in, %cst_23 : f64
      linalg.yield %125 : f64
    } -> tensor<1x8x1xf64>
    %115 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%114 : tensor<1x8x1xf64>) outs(%72 : tensor<1x8x1xf32>) {
    ^bb0(%in: f64, %out: f32):
      %125 = arith.truncf %in : f64 to f32
      linalg.yield %125 : f32
    } -> tensor<1x8x1xf32>
    %116 = linalg.generic {indexing_maps = [#map3, #map8], iterator_types = ["parallel", "parallel", "reduction"]} ins(%107 : tensor<1x8x32xf32>) outs(%74 : tensor<1x8x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %125 = arith.addf %in, %out : f32
      linalg.yield %125 : f32
    } -> tensor<1x8x1xf32>
    %117 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%116 : tensor<1x8x1xf32>) outs(%72 : tensor<1x8x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %125 = arith.divf %in, %cst_24 : f32
      linalg.yield %125 : f32
    } -> tensor<1x8x1xf32>
    %118 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%115 : tensor<1x8x1xf32>) outs(%72 : tensor<1x8x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %125 = arith.truncf %cst_13 : f64 to f32
      %126 = arith.addf %in, %125 : f32
      linalg.yield %126 : f32
    } -> tensor<1x8x1xf32>
    %119 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%118 : tensor<1x8x1xf32>) outs(%72 : tensor<1x8x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %125 = math.rsqrt %in : f32
      linalg.yield %125 : f32
    } -> tensor<1x8x1xf32>
    %120 = linalg.generic {indexing_maps = [#map3, #map8, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%107, %117 : tensor<1x8x32xf32>, tensor<1x8x1xf32>) outs(%60 : tensor<1x8x32xf32>) {
    ^bb0(%in: f32, %in_49: f32, %out: f32):
      %125 = arith.subf %in, %in_49 : f32
      linalg.yield %125 : f32
    } -> tensor<1x8x32xf32>
    %121 = linalg.generic {indexing_maps = [#map3, #map8, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%120, %119 : tensor<1x8x32xf32>, tensor<1x8x1xf32>) outs(%60 : tensor<1x8x32xf32>) {
    ^bb0(%in: f32, %in_49: f32, %out: f32):
      %125 = arith.mulf %in, %in_49 : f32
      linalg.yield %125 : f32
    } -> tensor<1x8x32xf32>
    %122 = linalg.generic {indexing_maps = [#map3, #map9, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%121, %cst_6 : tensor<1x8x32xf32>, tensor<32xf16>) outs(%60 : tensor<1x8x32xf32>) {
    ^bb0(%in: f32, %in_49: f16, %out: f32):
      %125 = arith.extf %in_49 : f16 to f32
      %126 = arith.mulf %in, %125 : f32
      linalg.yield %126 : f32
    } -> tensor<1x8x32xf32>
    %123 = linalg.generic {indexing_maps = [#map3, #map9, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%122, %cst_5 : tensor<1x8x32xf32>, tensor<32xf16>) outs(%60 : tensor<1x8x32xf32>) {
    ^bb0(%in: f32, %in_49: f16, %out: f32):
      %125 = arith.extf %in_49 : f16 to f32
      %126 = arith.addf %in, %125 : f32
      linalg.yield %126 : f32
    } -> tensor<1x8x32xf32>
    %124 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%123 : tensor<1x8x32xf32>) outs(%58 : tensor<1x8x32xf16>) {
    ^bb0(%in: f32, %out: f16):
      %125 = arith.truncf %in : f32 to f16
      linalg.yield %125 : f16
    } -> tensor<1x8x32xf16>
    return %124 : tensor<1x8x32xf16>
  }
}

{-#
  dialect_resources: {
    builtin: {
      torch_tensor_32_torch.float16_8: "0x0200000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000",
      torch_tensor_32_torch.float16_7: "0x02000000003C003C003C003C003C003C003C003C003C003C003C003C003C003C003C003C003C003C003C003C003C003C003C003C003C003C003C003C003C003C003C003C",
      torch_tensor_32_torch.float16_6: "0x0200000084ADB42ED72621AE4BA820A9872E7B2C6B2AAC2DDAACC82AA3ABD4A4A6A8D928EE2FEB2EDCAB7C2E78A94EA48BAB6CAE4AA958A65FAF832B1DA40A2897AE9024",
      torch_tensor_32_64_torch.float16: "0x02000000E11CEEA46A28B9AEC6A0F0AC8DAFAA2E42AD97AABA2EDDACA6A4A82E0C2B3A2C242969A22C2EC72E5BA25AA9D6AAE3222CAE01AFDBAF462B1226F52A9C9EC3ACCB2385A3C8A8002D3EAA5F23DBAB229B2B1EC3AC2F2BF6A5A6AD502D73AB5B2FB8A62B2F88AD0DA9952FC3A4E2AAD62992ADE42C86A9D42E8F2DD12ECDA544A5AEA1C72BFBAF612C902E11ABDB2DF02DAC2B22202C2E962A27A4522EABAE41AA6EAFD22C572DAE2FD4AF862815ACE6AB0EADD7AFC8A8692C8D176FAB01A555AC7EAAC22E19AE4A2A0CAFBD115F29409F6D2EC9270BA6E6AE2BADFD2B3F2D9E2DDEA79AAD232FBFAE042A212C532AB42EE11E74AE07A4EF2023A6362AD82BF0AAAEA7F3A887AADEAED6A91DA47DAE45AEBE2E3C2D68AE1FADEC29112852ADCCA3F2ADF39C80ADD9A4E09EC5ACA02E09A61B2CA2240BAB5D2CC2A167AB10A44CAE9FA5EC27762D4FAB85AF33ACB7AB6D1AFBA9052F19A94CA7CFAE382E8E2D3DAF50A0562BFC2B69AC2B1AD4242BAE84AF33296CAE85289DA77B1CBC2320A244A8A9A496A7CA226C2FF42D92A5612DA32B632C07A762AC982C6B2938AF2C2B36AA61A43B26B22B37288BAC8BA80DA2242ED328B22F7F2D2CA98CA8EDA8DA2E591F722FAB2BB12C552B91ABC82952AB85AC982E61AE2F2C3C2CF0A3129A8D29B6A43FAF222D7527B02A762C912D1D2885ADDD2F14AEA424E9A85F2EF32C0FABCE2E242DA4AF8E2C9BA50AADDE2FDA2FEC1B26AFA7163E2C6525C0AF8F2FD72170A8D5AE3F2CF92AD82C502D88284DAE99AD892F5C2A29AF66AD8F2EAFAB94292FA76A2A2BA78528B6AC9B2D4DABE3AFD127CA298BACECA8862EC2A5972C5C2F862BE32CD8ADEAAC2AA60BA80C9FFE2CC3AF032D3B2F0A2DB82D912E74A506A981AEC12DFD26581363AC5A2411ADCEAF96A91028F3AE2C2F562897ABC11C66A99E2D1CAEB32E4EACFA2E2CAD46AE92AA19A11EAA3DAFC1AE5E2F8DAF5E2513AF4A2F23AD4E2F292E1CAF5AAB7BAA622CE8A51F248CAB20A8BE2D82AE6A1ED02A51A3A82979AB25ACB62D381CAA2B60ADF5AFCDAA6C2FBE2DC22EAAAF0B2DDFAC662DF6A64C2FC7AC38ADCDAA8D1B49A4AB2D992D43A81E29672B9E29C19FACAC582D7B2F1DACAD2E18A13925E9A52F1A092462ACD528D02AFE2DBD2C38AAFFAFD52433A5DD2E2C2F122E512FAC26A0230BAE7DA49428C9AF962C282C7FAECA251B2C612F87288EAA4B2DE8AD9FAB0927BFABDB2CFA2A41AA61AFAFAE9F203A218124CFAE7F2A5FAEEC2540A643AC54AA14A80CA709AC39AF43ADE729F32CD6ADF2ACABA933A9C71C5C29652DC7A43FAD46AD052858256FAB7592AC2E332F36A48F2DF199AFADF5259B996C2457ADE11A50ADA72FADAD09AF3C2A311DBDA6262C382EEB2E5C9EB19DF32CF22FB8A533A630A06525EFAC972FFDA1B12A3F2F252B7CA9BD2E142852AACA2E1DAF1C2C9EAD602EF8AE51A9FB2D0628DAAF4FAF08AE942C80AE9B9D9AAC3B2ED92C0AAA1AAA49ACA2AB02AB7AA4682DB9AE7B29E8AFDBA9C8AB3C2C502913A9C8AEE8ACF1AF6B1C962C75A4532C76A927287CACEFA8882DC62ED12800A544A4CAAE11A4B2A92E2C80AE232A2625C3AF3AAA2E2D72A7712CFD2E67AD7129F22CCBABF9AC662B13A876A356A861AFB3266A26072D46A7692F3AAEFE29652F0A2B092593A89D9E9E2F1BA8AB2DEBAD3F2963AC4EAE1E2F0DA801A5699EAD2DB7ACDCA9641CE1214CAE272B30AFCE2FD02D8F253D2E87AF492CFDAEE82E0CABD82C2C2264AC9CA9162FCFAB7829422E89A5509E85282F2D8128B81F02AEF8ADAAA83FADE8A6B72CD4AB5A2D8BAE162D79AB902FE0AD3DAECB2EB22BFAAE47AECD2FD72BFAAFC6A85AA324AC7823BCAB5AA56F25342F01ACFD2469AF06A7012451AA0B1F652D452D77A991AC972D6A1E46AF4CACCB29222C819AA62C502F7D21E62D8B2FD72EED2FEBAD25ACA1AA8228C61D3F99AC284BACFA2F8BAFA82C092E4629FD2E992E7222512B1DA97E2A7A2C4D2D80ADAB2D69A3A72DCA2EFA9B1CAC7DA5692B312D2EADF2AEA4AE342AD52CD02E62A45329C92417A51FAE1623E3A9762E142E932DE72D78A1949E1D2DBFAEB92B532D859FD82741AEF72EBFA534AE52ADEEA5169FAAACBCAA3C2D7CA962AEB12B701A1F25EDADB9AE3A16B49571AE28ADF723B6272C21A928D2AFB8A3422E4EAC2F275728F7AC2A2DDB2CCD2F842E191B7E2F3626EBACBAAB3AAB64A3D9AF7DAAEBAF482BA1AFFC21AAABE89E682C3E28F3AFB3AD7BAC9428A2A0C19CD72DBEAC65AC692D642E192E0A2FFEABE1A0BF2FEC2D4EAC27AEF32C812C5BAE52AD152D8DAFEA24472C891FAA180D2C722A8EA156AAE2AB772B802B022DAD28F7ACE82961A7B1A9932DB61BAE0FC42A4BAE26295EAB2C2CBB2E441E7AADECA2D1AD9629042C63289AAF95AB83A2702D20871F2BFEA103A5E8A81B2C30AFD518F22E4BAFE62CDDAEF42D6EAE052E4F2EDAAEC2AF182AB0AA392C3FACA426A125CDAAF98CC82C502892ACD8AFBD25FE2D102C51AE29A604AD2EA0722CD4ADD49D12A076285AA56FAA452E3BAB70AC65A5E32B7AACBB2EE9A6532B4D2E16AF562E0FA8DE2C942842A66FAC1525392C562D392E002E95AFAD2FFE260BADCAAEF22FA9AB37282FACEDAF8F2C4AAE9223F72FB82E3C2879AB26AF81ABC7AAAB2FBCA9DEAF699C5EAE1BA285AC332E50AA8CAACC2FBB2D9798D4AEDB28322EB22D5EAC85AF83AC09AF072DD2AC1F24F32E082980AEFE98602FDA24D2A3782E17AF75AB7D242C2E5FA9C4AC94AF5DAF232C96AC00242F29202ACFAF3B2B37A9B7A904A68FAFD9A43D28C9AFC9ABA5AD35AD73AC242E41283B2B8FAE9AAB55AED62CD9AF4BAF419FBB2730292DA5D223C3247527A7A85C2D531D1B2C4228A1AC94ABE4ACC3A4A520649DA62E012F4327A019F5AC212D81ABA0AEC22BD12CB62B96220BAC002D602F4F2B852C48AB652AEDAA3FA8452AA4299F2CC1A207A85927192CE625DFAD472F282B92299CA6502FBF18C899EC2A50A0A725620D95277B1915ADB1A8FB2E3A2DB1A21B2138ADD82DADAFF52BC22D2A27322B4AAF31A982ABAA2A03AFFCAC412ADE278DAFD52DE72CBA25412069AEE6AF25AEBFAD3AAD30AC892FE3AFE82EDB2EA924421E55295D2339AE74AE912FA3A93F2CF42908AC7DA10EA6832FD4211E29DCAC16ACFEAD4C2B8BAEBB2B032C652502A9BC2CFEAD6D2D3E1C71AE5529C8AB5E2E87AE512D8D26F6AF752962A99529122244AC132773AC78A6109AA82BD923B3AF672AC6A4ECAC842F46289F2BA3942FAF5C2DE928C5AAFB2EA9AEE42DF62B592D102009ADCC231BADB7A64FAAF2AD922EF6AE872DC9A849AD9D299CAB302EAE2CEE2EE619EEAF1C26CDA62029BD25F8AEF12CC1AD31AFF2A6BC2F2DAD4795DEACB72C02A97DAE882AEDAD5B2E912B1022DC298EACFC2E4E1D46AE0D2608AE8AA4E0ADEDAF37288EAEF62C272E3C290EA4ACA8A6A9AA97E92C2D2DD128DA2E34AFA0101B2F2FA55AA8B420DAA8212FAFAF25AD66A94AA46AACD12E8697622FCFACDCA9A6AE582A422ABBAEFFAF612D3525B328E09F56AED0A89CABB29C542A8C2B2FA0DAAF9CA0532D0A29172B23AF63AF57ACBBA74CAE6426EFA56317EA994A21D7A8B2AF402724992FACF6AE0212F3AE92A4F02A1120F62CEA2E74A544AD75AFEE22EFA83E2F3EA69D14992B512844A7252C93AC43AE6A2DF0A571A1F5A7E2A9E6ACFF281129D6AEAF2F22AC08AF902689A8A1AE10AE78AEABA2B1AEDB2794AD2D2F052F0FA4442E0D2E6B2EA4AE802C2F9654AD9F24FD2CFF2F43AA662FB1A49F28EFA94CAB582C212D2DAE80AC3FA930ACBC2B78A5B2AA002725AFC82E24AF39AE64A688AF3626019D4C21B3A60C2E04297429CDAFFC2D95A6BAACBEA86C26612EEAADE0A7192ED5ADCC29982766A570AFED282A2D9F2DFC2E8E2A1E291A2D52AE612AB6242A2EF3ACD6AC0D2961ABE72F0729ECA0C6AC0BAC65A9402DDEA8962EE2AE8AAFD12F262D10AF51ADB02F2AADCD22C628019F41A05420FAA7DC2C4C9F592F0D2F7725B82BCB224422992D90AC552F07215BAF542C5F2CB8A88AAAD2AF252E8EAB23ADA6AA07A9AFA50AAF35AB39A6C6AEA227D0A29D24ADA855AC4A2B502E882C15AA4EA9D5AC212785AD81278CA129A3D6A8F9AD35AEE12C9AA946A8E6ADF481C7AD77185BAFEB24E02E1BAFBA2ACAAC2C2CADAEDB2C982B7F2F2426B02295ADDD2E431D332EFB2B00AF1F2F1918A02783AD372A9EA8C3A85F9D4B2B9A28DB1FB32CA92FE9A46E2C2E2BA2AADAAE981C01ACF7AC6EADA1AF2CAD80A9DFA0B42C0129F22B85A8C324E62FD22BD72C28A7A92E22AA109C3CACBCAFF82CF02D922A7424B0AFC9ADC519482C0DA7E9AD5B21F92B2CA8CD2CD8AA8BACA629CFAE5B29AE223A2F7DACEEA66CAC1F26BDAEC7AD64A5F82F7CA42BA18FAF29AF571A88A7A42B8DAC501A9C9DF7ACA79D8FAC84282A28BEAD8EAD48AE212AB02D2DAD07ACFAAF9BAEEC2ACC28EF2FD92C0BADD6268F2EBD921CA8651BEBA7442C9CAC94ABC5A604A8272C96ACEDAE371DDBA792A5642DF1AD90AA6EA549A8A42EEA2EF4AA9FA2599C05AFF92FB62FA8A8632F03AC9CAFC92D1A2B72A773AD302D30ACDBAED2A81FACB0AB5A1D4E2D43AF6126F32A50A4CA2CD02C4AAE97A58A2C7C2CDB28D52D5E2B78A89FAD3EAFD1AB662B099E542AF727FEAA2E2FF8AD4EAF592914289A2FC5AFC19EB32DDA2C2BAC96AC8BA815ACBF2A8BADEEAFD42E02AD51A311AD65ACE82269A60BAAEBAEE12840AF33A9CDACEFA9DF2FD8A52A2667AE0023FE9747AEB5AFBD2A44ADDEA9162AE92B802D55AB2CACC32DF62E1AAF042D1028641E58A4E6A59EAD62AD9FACDBAE52ABF72F6C9EBDA45126C02C7C9333ADEBAAD8AEB62C54291AA917AD20A17EA6AEADB92CC4AFD9A8F4AFB42ED1AF5D2C972D4AAB4F25A1A296AAE3A676A2FBAD8AAFEFAE4A2F142857AB712A94ADBBADCEAF8624B7295B2C6F2E91AAB596742B902CC42D16A3F12B7B2938AF582A8A2C7BA7F92C1125172F12A752AA77AFBEAED420A12E17A6FBA336AB9B2B41A9422D172B64AC60AE90245C2ADEAC6B2E0C2AB7A813294CAF5C2FBB296C2CF7AAA2A48E2C5EAA59ADD8AE6EA626240AA9A9AEE32E872889AC92A9FFAEF828CEAF98A90DAE3BAE95A84D2B482FE92C36224FA67A291614B8AD56AEF5262DAC9BAE852D85A726AE26A8DD2E3DAE612F7328C9AEF3AA9824A42CA8A66F2D382BD02CF4A122A71AAEEDAF22AD20AC4925792DFFA3FFA65FA8362F552DF2AE822C78A6C3AC4C2A822CBD2FAE156F2A0021162E8AADDDAFC428C424442A8A2CF9A656AE56A9FC9EE8ADAA25112D53A5392AA52BB62F2498E7A43C224CAA332E5A20ADAE1DADACAA50246AA35B2C232E8FA5999E4D2F58A5DB2C41AD151DC22C12AF77AD2DA852AE9C2FA21C1F2ADDAF51AD0BA946A39DAEA626AB2BBCAFDAAD7321891C37AD722D26A6962C08AE7DA644AD4CA44F2DC32989AFFD294CAE43AC792CF72C6B2CAF245D209EACDAAE80A94FAD592F5329EB263E2A452C8FA1AB2810AF262F312F1C2DB02B182C1129B22947A18F1FABAEB3A5282675AFEDAA19A1132FD12F372FFE2558AEB3ADE9262B25E429E9AFCBACF6ACA52EE3AF02AC632D90A50BAEDEAD6625792E482CE62A0AACC925BDADF2AC04AC3F2C95A9E5AECA2C19A371257D2BA9A25129812D72A83B2E31283D1D8BAE342ED726F62CAA232F2C5D2EE821F82249AF18A7",
      torch_tensor_64_torch.float16: "0x02000000A52D362E362BE2ADE62EC92297AD712E6F9E08287A2F533001A3E21D0322732D472C222FD5AA49AD43A9962E9630D3ACCD2D76310330C3233DA88931A22B3CAC022953AE17AECC300A2EE2AFD9A79FA49EAD3EAEB82E5D2FFEAB73B1303001AFAAA2C7AD7BAC692F9B3078AD3B30C8AEA8B00C2AE9A1D62D123033AC8B28052C",
      torch_tensor_64_32_torch.float16: "0x020000008FAFDB2C97B0ADADF52DC72C1EAC69B1782DA73074ADF630A7ADD92FFC2C84B0D629D1AD34AAD01D14B0502CF42FCBA8302DFBB06724E9AD671D73AB26AEA5A934B113AD31AD7C31A9ADAE9C78AA74B06C2A2AB04E2C97ACFF2C702F59305231D7A89BB15DAB75B184271CB15FA7A930539E341A40319CAD3FB1012EB12F96A379B0E028EE2AD9AF1DAD1914B42E27935A315031B829EAAE7AADF4A9F123F3AE63B1C0AA1AB0822B04AECFAACF2CB3280118702E04B0EA29B22268B1AC2A97AFD5A952AD4FB1512FB12E53255AAF12310AACCDAF25B0622685AE80A67FB1EFA94CB10AB09DB032AF91300CAB99AF6331CF23A0B065B0E824FCAFA42CD3B011B1632EE49C352B53AAEEAF852F9DA73C3031AACAA829A97FAE6C28B32988ACEEAE783014A0222797AE0B30A930E6280631962E8F30BBAD1AAC4BA7B6ADD32D3DAEB42B2E2E30A826314FADF82CAD2FD5AE9798623080B0DCAD93B1E02FA42F9227082873B1202D72AD112E47AFACAFF22F662A93AA50AFF5B0F72FB8ABE628BC2E97A951AD4EAEBC23D7A4A614D22912B1B82D24A7E1B018ACE019F03080313FACB6AF693095308E2E3AB19F271E29C72ACDAF762377AC142F70AFC9305D2A7D2923AD4FA1A2294BB018261C2E852CBD30B8ADA2B16DAC69AE792EEA2A63B1FCAF17B1692BB229D82268AAF13056301DB123AF092AB5AFC326EC2824B0D52F64AF10AF7AA714AD5C230DAF1F2F59B13DABDB29D62AA12D22AA2A28B3B068AB501E19B13FAE072AF5B022306FAD7DACB22E88AAF129F53058309530E8B04931A22B422BEFA987AE17B0EA215DB06FB1113037ACE1B077B1BE2869AFD1AA2BAF4FAD332EA831EF2DB7210E2468B0B4AA5D2EB0AF332EA8AE28B1EF2B52314831A0AFC6B08F2FB3B0952FA4311197F5309AB0633062308D31F829E42E0CAF6526962B9425FA2B4D2CA2307FB0002B19B01429EE2F05AFC8AC98AFE230F5A441ACC8A4D71A23AED8A9FFAE4731A430252EFCA9C6AD8B3110AFEBB0D62D073025309228A3A3A0B1B5A8732DCDAC0FACFC2D4BAB9E1E78B123A8C92A202E1A28D92C7530062E802D9431F2292930C72EB0B075AF04306B3170AC592CA33094B01CACF130CCA7842B7B2BF1284531F230B5B0EC294E2A682669ABA72CE3AA852DDA29412F3BA308AA5D30332F042C6DB1A82C852399B18BB1A32644A85330582283B05FA7272E522912313630262B3131D9AE73238CAB95A91B26BB2F7DA87D2C61304926CFA52AB04AAE871D81282DA618B1B6AEA02EB4A09DB12CB13FAD19B13E304730ECA48C2F0A2865ACA6A1D7AB4DABFC2E639F182DE32DE52EC321D720902E18AE59184C2A58A20FA8992DC22C09B070A9CCAEF02D4427D3247D2D7EA2812F9EA7422EF92CF430A2A617268AB1B7301F239E2B1DB10BA7BF306EAD5A2A9F2E2B2E3F31A8ADF2AF7F2AD2A601B048B19E301CAEE930E7AFB32D50AC14307231C830BEAD48AA31AF7DA7DD2AC52F67AD482FB0A80F1C6EAF5129B0255D2F0F309D30972E9E9BC22E383004303A2F63AB811F98ACB52D3EA996B1E8AC55B0CC28183073A096AC0DAB87B0132DA92E04B00E30C12BF8B0E12E33A2E6AD872DEBAD58286F31502E4D2F2BAE99AE6D2B84182530FB308230AE2A64AF9122D925E7AE8CA5DF25F5AF192517B1E62DFFAD2E2C2FA6C6AECA293BB0022F4922E528262F912F8C308A2FC5A61596D7B01629BD1B20301B30EEA6D8ADA52FD328E9AD58AF95B1252D3C2C5F2AE12D89AE6A31A32D4F2B90A8F0B0EF2874285727852D54AD4B31791D28B123AD8829DD2FCEAC28AD889F62B114AC0CAFE3301EAFA4A34B3061A8AD30D9ADD6A36D20F1AFB52E269D9FB19A2C7CAC0FAE702CB629EEAE172CAE255EAB952F7E1D122DD2A8A72B7C296730EBB013A90B2E32AD21B04C2FCB2D3A31622C11AA64B04EAFB22A50A85831792FDC2377310125DA288A3189A5FD2A83A13F31FA2C7BAB03B1AB25848FE22CC62C2CB1ACB02FAADBB07820BE2E7331C7A056B0BE2FB7AFEC2F03AC66AD232F7B2A47AAE82EFBB055AA2AAE2BB0F7B01BAFC82B27AE1E316FA8542923302E2952AF78A68EA71DADC8264DB0BA28BBAF743050A502B148B005B19723F720B4AD7FAD49B0A0AE3EACBAAECD2B662C13ADA41CE6AA77AA17A5BEA9B4301A21D62DA530EA21D525102B093189B0E627DC29CB2CAD23B13007311AB198AFC82D082C472E33307531082D49250E3175A455A8DCAF36318FAE7BA77E3100B1A42D07983F2C1F306230C52E4E8648ADFD2F7D2D8B180827A12B04B05DB0CFB066257FAE4C226FB0B62F362F78A90B28C6A25DA841301B31193096B02130DF2E91A85F2D0725CBAF04AF79AA512ED39F00AD4231B12FD62B1CB1942C88316FAA4EAD258527A96A304E31B63075AC16B0341F4FB042A1CAAD332D2A31902E7031E92E6FB16E288B30302E73B092B1351B7331FA9B84AC44B0D6299C30D5AC1F31D22E82316D2E4EA8C130D6AF1D30B829C2302FAE88B057A78BA4DEAF96B162AE5E317B3170B13AADDE2CCE2F5F30DCB0BF2E31ADDCADEF30302D4C3108142B28F3ADC1A89B31CEA8CF2B64A8C1B092B0A13171ACECAF91B04E301122F8236BB098AE9CB0C029ACACF1A8BC1B249EEF26D2AB86AE39AA3A2B3BB065A8CDADEF29DDAF8330B4309EB0A8287FB1782A49303FA4A62E05AC6CAD372AB1AF64AC1530612D203022A72031D32F9F2D832ED8B01EAECD131D288431F130E7AC532F552C97AD9DB1AE2CE1267929EF2F2EAB68AC802763ACA9AEA5B1B6B037A3883022AF6428DD2DCB26AA9D1D3062B1B630AE30E1303430FDA184B024AFD7B004AF0AB1CF2FEF2CE7ACB4946D24B61AE42FF42C57B05A3179ACBDACA83107AF9BA9FE2319B12730703067B1DCA60328CC2EAA2C2EA4F330DBA8AF203AAF81AE8CAA2CB10DA6C228CDAFBAB00431EFAC2BB0AFA952AD66B10AA626ADFDAA0B2D4B20BA30A3B1F430362E3BAAD32F4C317D24492A65AAB7A256A0BBADD327D3ACC62DF22662B01331C52A642D9AB1DB30D72A1AA367AF6A28512CDD2A1C3028B168B07831C7300FA4472E0B30153061AD2CACEAAD32AA5231599B85B04730742C5427EFAD17309BB09E2D72A51FAC18B1332654AD7CAC642E42AF5A3196301E30B22454B036A977AD5CA646B115ADD4A7A400D6A9BF282BAEB5AF1FB03C31B62EFEB0C8B0329F11AEAC2B08AC5F24BBA965B03FA427316730B7AFB82AEA305E2162A4D630381918A83931C32C2DAF2C30AB3087305AAD46AC412F3830A4B0B730A42DC72A8EAAEBA5E62E65277C3001AFFBAB37A5952CE22B012E45AE05A8672C00AD0B30F92F452E092ED42ECBB0E8AA3D30B2AC9523B2AB2E9FC9A77FAA04283231EC1A80AAA0302AADDD29AF1AA62A9F2EFE2969A2DA2C9026CAA7E228BDAD0E24B7AE182D7E315FAB10B1A930D6AD7E2FD72FF7AB961CCBACBB3013B00A255DAE75307F2DE33031ADA72BD3B0B92E83AB8B2B7F2D18AF5B2EA0AC5D2CBAABFE1F9A24E030772ADF272EA8A3B107ADB3AB3D2C90A2172BDEADA1B1252C1B2EFA2DB13084B1BB2A7E30C8AD4F2ED92DD12869B14E2D143135A6832C4F3039B043B1692C989F52AD49B105AF1D2A2AA8EAB094A494A047B1C82EA731043016B1F6AE6CB0C4305DAD3730B5AC722CFF2F84ADFA2C8A2D312946AC5AB0B8281EB176AB5227FB2E5230BFB003AD11A4139B6DA92CAF06A9B6A8DDAE542B0FB0D9B01A289AADFB3069AFB4AF473121286B31FE309D315830AB2ED5AE63AAB4A465896C30DB2A41B1B8292F211E2DD6ACBF30FEAF6D30153197B0A5AF702F82B09FA17CAEF12D5D319D30E130302ED9B0222A2D315F2E14AFDD2C0B290EAFF6B05EAE67B08AAB4424B8AD0CAAA4AB1C2D7CB063318731D430543025A5BAAD533171B16AB1A23064AC7E2F80AEAFAF08B0619D38992CACA328AC2E2DAD822E41ACB92A6CAB0BAE79316AAF6F295FB1022E7E2F61B179AF70B1912929B18B2C603173A58C2D7EB01F2B7EA5892EA3311BB09DA6D2AE912C1331DDA61131C92F04A62C2EC1306C22C2B0252A10B1052190AF41318DAE43AD722F52AF89313227F02DC0AE839E342DAE2D10A3F630EA2C72AA7FB196303D3027AE5120482D4A306CAC052D71AEA823C4A89428602E989C513061AC71AEA930901C50AAB0296B291AA7DCADBFAD31A82F2537B162300C8A0088372907277A29059037A589AF552D35315F2F4BB1A32F7A2B1EB1443197300831FAB0ABAAED2224AE919E57A82F2B77AF8CA4BC30762F372903AEA7AE01310B2581A2B1B090AB6EB1202DF42477A8542BB827F228503037AEE7A3CB306AA3DE1CFA2E082401A3132EE72B7FB1612C4AA8DE27DF217F2FEBB0B22CF72D2AB0EEA4F92D1927702F8F30DE309431733178A6E8A819B0F4A8702AD82DAC22EF2E0131732FE32820A079AF962EE2AC979B64309D31FEA40430933022AF7AA6BE2B562F35B02EAC28306030DBACBB2EDD2305AD292D623022B08EAF42307D20E52D94B075B00A30391CB82194ACBC2E67297CB1AF2D7F2578AC14304A2CB22C47B03A2ECFB093ACE92AEFAD9D2E562E11281730449F2FAB982FE08CAEAEABAC022B27A434A8182C55B120AC69B13D20912AC027A5242D2A112847291FACE93051AB7B2D67313D2649AE82A91DB1D0AFA824C430B2A7F6A0A622F1AD79AD44B066A1802A0A3092B1C22DB0B0762DDCAF40AFADB0CA30B2B0B62FDF305CAF1B30313173B156AF4730E2AE702F8CAEFFA643AFDE26E4AE55AE2D28509ED2A184AD902E3031BF2E69B0A5B034AFB020F3A16526622BD32E9D2DCF2921AB14A457AB17B084A544B13E30FC2F682186AFC4AA83298630B5300D2B182DBCA99BAFBDAD08ACF12571187D2FF630FCAFC32C09AC7E2D56B1EFAA582EF1A8B2AD293020AF9CAF50A1E22D66AFA22F7AB15E3034B0E1209BAFC2B09031B42CC0B0F7B0D5A0472F4B2EF81FDF252FB0E62EDCA48EB02AB0A9A820AF4BAB8531C81F24AE6930403166248A9C5D2590A833280D2B4530532D7228D1A25230972C2C2BC02FAC2853AAC7299FADEF2E37AB2929582A3CB0B9B0C72F96B1ECAB762EA0296C318DB1DD2B4BACB92C2430AA2F9CB101ACEC2F3C2C99B0F52EDE2F7EADC1AA13B048B03AAD4BA95C1CE02E1231F424B62EBF2E6E285BAD8B2C0F277DB01EAB6FACED2B3CADBF2C05A1BBA75E2CE92EF62ABB278EA10AA8872D9FA84A30252F78B13E2888A7372B6A301D20B1AD63A7DEAC392E1B2EDD1DB8B02D11843160A0212B46B0A329D82F8F2174A6852A0EB1F789B3AA63315DA770302CAB75AD952CFE2A3DB19DAD39A86B2E502E0CAE1AB1F83032AC332DEBB0DFA4AB296A3007AF1BB0D0ACDA2F9FAD86B15DACF2305EB10C2AB430E22E183110ABAF2FCFB0CB2DF62CB02E4D2F0D300430B9B0BD28FBB0512B97AC50ADE996272610AF2DB1E430B7297631462A202F00B16B105731299A91AC0F280BB047AF4CAEDE28C0B0F12D87ADD6B08DAF3122BE2D37A770B136923D312DAEA926382AB5AE42B0742DD0AD4623E230AF2C5A2E28306AAD172B66301DB08C2A1AACCCB097B07926D7AF222E1AA50EA960B0FC2C79AE1130119E13B050305230ECB088AEF3ACDAAFB22422B0F22DA8B010B1C11C829ADD28A9B0073195B04B302731E42921292EAEFF2AAD30D8B0D73034AD3F298C2D6920B6AEB7AE882039AE4EB052B1923128B1DCAFA32C4D2F6F31892C0A3154AEE62B9B2621B10331942B",
      torch_tensor_32_torch.float16_5: "0x0200000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000",
      torch_tensor_32_torch.float16_4: "0x02000000003C003C003C003C003C003C003C003C003C003C003C003C003C003C003C003C003C003C003C003C003C003C003C003C003C003C003C003C003C003C003C003C",
      torch_tensor_32_torch.float16_3: "0x02000000403158B12DAFC1303DAAD5278224A430E418DAAA39AC48ABE7AFF52BA2A12AAF21AAC4A8932BC8AF7B3138B1803129164B2CA92BDAB016B1292715A911ADEAAC",
      torch_tensor_32_32_torch.float16_3: "0x02000000E0B001AC392254A460ACB42AAEAFBD2CA3AF90308A309B318CB126AC89A83AB1152D96ACA89A6A2D6BB03B26F5ACF02FF2304FA94AAF9E2E06B05F318530DA2C55AD3430493056A8BCAE311D6C30EE303CB1163150AF2E2809AD60AE0CA7051E97B0DAAB1230829FDCADD9304AB1E8A9AF30732419AC1EAEACA943AE39A247312E2E50AB082F42B16C17C8301B2999B01228F92E1CA3A92EC9B0B82F84B1F32CDAB0E5AA46A4D9A60BA553B00CB0242F6729B924DBA7E029EE28E1A88F220A23FC302CB16FAF15ADEA2CB3AF79ADF9ACC1A34AB113284530142F6AB0D3AAEA2D0D2C0C2DBC2C74A97B2F4C312F2C76A7EB2CDA2F79B03E2A66AD992081AF30A8911103AF17B0472D8EADD42F4AADBB30FC1D95AE16A0C4AB0C28C12C2EB1E526022E1EADF01A112E65B03530BDB0D9AA262B82A781B1B6AFAEA037AC03A88D2FFCAC4224E1B0D9AC9130B62C599A94AC58B0AE2D00AD1A9EC6AE20AC441FD9A674A25AA8692C60281531452217B19CA09D3061AC8A1DDF20E2AF633174A933B005B0D2AE74B158300F31A9B060AE7D2D0DAA8231C5AD68ACA5B007ABAB2F38A731B1402E51AEB82A8631382DB8303DB042B083B1922F1DA8572C4EAFB5223B319F1FC630B4AF732406A928B1C5AD6BA46CB1063061AECFA0C89771B11EAD47277BAAAB2E752A442C612E9F27F9B0EE2C58AAA528A22B782A19303F3128B045ADD32CCE9B1F290CB19AACE0999E3028B02B299B25E7ACE42CFD30B23027A923A08A9FA12E1BAEA229822E772E8DAC762ECEB0FBAA8F3042ADBC1E593183256B947D2907B094B1592DDAA4222DA0A01930FEAFCDAD02B1ABB06030D7A8B2AD33AB89A3DFAA61B1B82F17A113B0792A16AB1CAA7FB088B1C52A0CB1572F21B1CCA564B0E1AFB4B065AEB92146252CADC72E48AC0CA4F02D3331CE3051B1EEAFB92705985130332E20B03A31BF2AC92D2AA82230B5AFFE2C9B31952AE2ABF81D1B3091AEA6AD3A27EAAC2CAA0FAC312EDEB0DAB0693055A6F8B0682D38AF0EA1DF2E60AE5AB055268EAD4AA91F30C128792A1CB1FFAED5AF843140AC73319231ECAED32C7BAC70311530622AE42D35A6D4A519A632ADC1B0F9A5DBAA9F302B310CB17DB090AD86B199A2F129CFA47C29A5A77AB166AE7CB16DAE98AE2230DCAB97A862B075AB1526F7282131AF2CB8A32D3069AE5DA48C286A2A8FAB1425952C73A15CAB25B1D6AEA3B156A880B015AD74304EB1862FB19C1AAE4831B63058AE361FABAC44B1DE2D272ED430D4AE14AAF62D52AEF0306E1BF527192CC62ED929A4AE133100ADA025A1B1D8AC1F306D25162458AC99B03D30BBAF18307EAEA430BB1E3BAF90318E3006AE92AE56AAE19ACF2FEAAE7C2D0631D12B41AC583136AC6927D5AFA32C8CB1132C19B05CB154AC27303F2DA7B0F32DC1A95AAD5FB19EAD5131FBAEE32FE6AB3AB1B7AEDB2B0D2DB428462A9DAB6F9EE729DDA57B30ED30083119317DB117AB792F692F6424022B0D26F026DAAB4CA4C32D573143A97F2F76317F29A530E62DF1B0E4AE6E2C72ACEAAA5AAAA1B0AEA00C285CA753AFC6AFB930DC306FADBEAFCAA88BAE86B126B0DA30A7A94B307C2C86A225ACC12F9EA981AF5D2C37AD5F2D0B2AEDB06FAD7027B61D3A282AA129A9D5A6722D85AC89AB273143312230DE306FAF25AA26B0E1ACE72D483161B1D12F83AC8530D0282BAF732F03AFB1ACB6AD082D332CF9ADC0AE8927322D782D99B0B12B1CB17EA82AA321B1982E23B04028B7AD722D6D2A3F2D99A412AD63AC1C305D292AADB8AD05A94EAC3EAC4B31ECAD9D31B130B9AE042D23B1A02467AF59AFAD2ADA2CBDA9A4A5062C6BB1191F78B18FABEB300AACFDAC4AB17E310E2C5EB049A9903070B10A242BB044B0DAA8762C99B13FAE86B0AFA844AD202EDC0FE0A5F2B0361D7CB112B1A02CA0B14020702980A1992FEFA8DE2F6CAE7DB072AF2D2E172485A5EFA497AC9A28E0A1C3A4D8AC6CAFD4255A21FDB0EA301F2DF52EAD2A12AAB92B402D712C56ABEBAD939E78302DAE8DAC98ADBBB05D2C82A6842484312E2769304F27D1A4E52EEA2A48A5131E81AD3AA3822FCB30353121B0D09C8A2CAF2F3EAE83B0AE2B82AEA63114AF922DF8AAA6B084B1EA2CE6AA48AF9531A32E732F15AD80A0022935A5702D81A90EA9BCA474ACC2AF14A50CAC27ABF2AC3D2D5BA75B30A22A88ABA13112ABC5B09A2F72AEBA2F563041AB7AACEC2BA82D6A30CB29F422F3303B2997B0EFA94FA1B22B6EB1A0B172AECB25AD2FB6B0B02CBA20FE3051AE0DAB562B63B12E2F9FAC6F280FAF8A30E82A9E257BAD1CB02E23CBAF969FED305D2A3AAA1BACAB2C89B088B063A3A02E5BAECDA620ADFF2E8AAD80A6442DB5AC6C3117AEC3AB272253AD8CB14AB018B110311F2294AD3D2CA82089AD692F5BAFEDAF01309B2D4F2D872BC1AC73B1CA1A112E672FCBA79CACB99C6F30A9A0033106AC512941AFE41F5230B1B0F430483053309DACC22F96261FAF6A31A4B10231992A622F322B33B1A32C11B05DAC4DA93AAE75A7DB2FD82D9EAF5D2F9D285F25D42398ADB1B03029E530A5B00831E52D702FE92E4630CA2571AD87AE98B04220EA255F2865AFD82F2AAEF6B090314B298D30E0212D319F9D80AC7B2D462858AC17A9222DC82F6BB0CCAF262F11302DA630ACCC2B94306AAF6429482E572A4D3144B17D2E2CA496AD58292BA9FB30FBAF09262AAC242E4B30B32F4A2B37B11F2662AE0F2B5626C3B008B0B7AD02B166AC47AC592E6C2D3FB022A66129C6A97729FCA300B1B33013B005ADD524EA2A582B232A8BB09BB0C830B4B0BBAAAB2E4E30BF2F24AC722CDC2CC4AFBAAFBE22053170AB0E2B3430772E802CECAA8E2E63B17222022635A9",
      torch_tensor_32_torch.float16_2: "0x02000000D5184EB0B42E5BAA44249CA8D42B472937A943A74B907CB05FA13CB06130C12DCBA4CF2FFE232B318B28552DEC2669AE4EB17FAC6D30C92D64AB0AAF9231E824",
      torch_tensor_32_32_torch.float16_2: "0x0200000016307FAF5A9C9DB04E303B21182D72B0B223A32CFD2F28300AA899A4852B11AC9BAC35B18CB1F5ADA6254C234323C7262EA897B10D3124B03D987F2CCD29EAACEAB08830291D2931472DD52CE5281AA9A1AE7F257031C82E24314E316C305AAE29AE369EDAAD24AAC0ABF33016A27A3163B094B17826822891ACBAAD722A892010A6BE2DD0AC7330B7AFE3ADD62BF42E6F9871B03B9FA4AB3BAB2FA8722944A9EFAFA6ADBDB0A6B1782D522E46302A23A7ACCEAEA32DD6AE3A3023AE47B113B09B3045308629301CDA30D42EB32EB3AF3E272031F8AFA33169AFA6AA45A0E329F42A79AE2E2DFD290AA5A1B199312FAC08AE9A31BCAD8F2FE72E5DAF90B027AE152B563106A1C2AA82AAE1AFA731DA977AB0BBAF0A2F792D4D2FC5A479A86A2B179749AB652973AED5AF00A908B0991C1F278A31852A3D941CB08CAC61A713B068281230792EB1AC88A9A4313FA715B15C969A2034ACEAA49DB0F82ADAAFCA2B43304EAF6EAC5A24FC0EA22E6DA1512741AA772BD62A8EB0022EA3A811319DB17EA41D2DCD2FB5181DAE5FB049B08E30EDB07AACEE2D302EF3B07C28792531316C9ECE2CD3A30D319FA4A6AE2C28FDADA829DD2F66B01EB0F0184BA10BABBC30122D81AB8F26CFA63EAFA12C77AF7A25AE2F32B1EF1F39311C2D76AC1F2750B14427EB30EA30C8991A2C83A75AAAF71A97AE8E2C8C2D22AA26A9E2AFC925802C5F3154B1C5B01E1D3A31D321482A6D2669A50A30273086AEC7AE66B081A9149CBC307AB1043052AE65233BA0642EBBB0E7AF271CB52D71AD032BFBA946B12A25D3A8B12E742F672F162F60B06DB10F25922A5AB0A030CBA4A1AEC32FF430F42637ABE9242CB0F92E1A2F3DA87CB03330A1B0F1ADC02E9FAD4F28A630B9A51EA93E31BB27E42B6FABE1B01627B0AEDAADA4B0D93098AF8C2AA828D02F2E2EECAF042DBFADA51E19ACD8B0C62A8DAF89318F2CD4ABA0AE37B1B4AD62AFDE246B29E830152699A80BAD5EA6FB2D74B12EB1772CFBAAB2AA4AAF89AF3CB0E3AE2CB151AD8A3043AE4D30C3B03F2580A346B0671CB6301DAD3231C3A428AB962D6C30E230B22E0EB19CA8EC2428AD492DFBA8E0B001AD4CAF552C1EB0B4A9A824E12C5AB0CE2F43AF56B09F2CA3AE1B30E02C7EADF8A82CAD4CA4FB8E669C65AFB8B03CAFA427A424B2AD56A78D9C0C3015B10AAD6EA66FA7FAADA22D41ACA72470AE9B31AEAEBFA88830252E19B1312F0AAE8EA59F2CD7215A3044ACE7AFBE21C92B4230C0AD11A58AAE1BB06CB001B0D4AE722B37A61C2F563062B06028302E94B088AA1C302EB00E31C8231E28B93049B1D3300DB1602DF59F703092988DB1DA258F2F7AA858B163A6242395293E2B05A6BDA0C1A8572C2D29952C22A437A42930AC252CB193283C3163A8CE2E12B0ECA6912FA8ADC5A92C16D7A65CAACE2F22A820AA3E300A2959ADCA2E8DADA331B2305124432A91AC5FB006B02F2B892D6B9867AB5DAB43AED5AE772FE2B021303F2E2CAADDA598ABC1B0492354B0301DE0AB60B03BB10A3165302D313A2C0C2D812D2A301327AB242030172DE0AE9C2F76314AAC5FB1E7A764AF9D31CBA8C4AD3B2F552CAA2A163195B1782D4FADA02B10AC2B3158A8632473B0DE2E99B1392EFF2F8030E52E36ABA228BB2968B11C2E90B0132C76314AAA30263E31AA30B830D4AF7528BAB026285AB13825BB2D0AB1E3A6AEACA6307CA4092F2CB051261A300521EEABA1ACB92F772C1222B02EE3AD4CB01CA9253079B19EAD7D29432CA92DD92AFEB05DABF52ECC27362E3D30782EB4AC6CADEBA7919DE0A355A811261F2FC7AFBF2D98B1202227B17631CFB052AE792FFC2D7330332A16B1EFAFBF2F82B11831AAA72328C39FB4A98DA9BF2AF3A7A727BE30132471B048B0322FE92B5728A5ADA2B0DE3051B1A3AD6C2CE430D3AB7EB14429149CE8A609B1F02F95268D2ACD2EEA30BAA9F62324AF45B0B4ADC42629AF6A2EE42B6EAB952D3B308AAB4C2E0E2F4E3127B086309B050B220D904EAF22AC9BB0E3A5A22905B05D2C8DB1762D8EB1BF9D2B3022B175B075AD82AC23AEF53012B01F2D0FB052AB88B069B122AE101E182E6D2C842CCB30A49F8931EFB04CAD8CB0CCAF36B05CB151315628B22D55AB2A2911AE9AB12024F02E32A7272BC32C1D3058B1ADAC022272317731ABAF75AF5E31B9A296AECDAD942E072FC33098A8CEAA3EA0F83008B1BA2DE1AFDAA4C4300AACABAC6C9EFC2C8F3066B17430BAAB67263FAEB72985B140AF23AD1D2FEE29FEAF8C26803177B1F0306930FA20BEAD252D5B2D67AC68AE7AAF4DACB728DB2C3E9BE3307E2AA22A9DAD9BAA8C2FCA2D53A598AF4DB1C0203EAF20A78AA74DB1D42F32A892B12AB182B070AC9FA1AA2C109E6AB184B0C9AD713022A03AB1BDAC20B03226B5A325A76330D8AEC8241CACE9277DB062AC592D8CAF2BADF8A56CB04AAF56AB50A5DDA81C212FB152A7F8B0F32D273178B013B07C316530342D26AF162BBF9D42300A2F1FA5692CF2B0C927E4AE7E301BB0EBB0D1B076AAEC202FA5A52C06B1A6AE45A6C39DE8A8312DDB2D11A86AA010A76D24BEAC0EA727B0BB30BC2FB0AFB422A6AE90A804B104A226AD15B18E31C629C32F7127AA202BAD842C422F46A1D4AD8830F0A36FAF6E2E8F315431A63022319AB1C52BE83055AF002A27AB8DA23F2DB5220CAC43A8492CB9AD852F41B1BAAF432A741C6E2ED72C6D20E826223052B1BEAB4D2F6CB0682D852F452B69AF56AE3B290CAD732C7F2A19281F3175B16EB18A2F99AB65B18FAB4E3061A6862D982EF0AAE02DFC2A3BAF90A8DD2E662C4C268EA5F8AF17AC562FE7A0C8AE0226AAB096A56A9F59B19CAFABAFDEAF9D30682C00B0D3AC2830F0306C24",
      torch_tensor_32_torch.float16_1: "0x02000000B9B0602E38213030C5AC77318B2F57AA2E2A20B088AFC0AF80AE4A2AE0ACD1ABEA2F7A2784AD24AAF3A9482DF72F8230B3AFD6A450296CAC702F08A5D424D6B0",
      torch_tensor_32_32_torch.float16_1: "0x02000000812AF9AE66B050304A2C962D9DB11F2247B12EA5C9A0F6AF9AB1C41416311931E3AE05A8BBB06BB034AA7E31E7A93D21523108289030852F4E31C32793B0DEB0D8ADAB30812E9F2A4FB02BB09D30B3A4A2B198A56FA97619BC2C5A2C54B0F0979BADA72F9A2D362E25318F2DA7B1B629C3AF0B26BD179C31BBAF8BB111AA4B27253096305B30252B77AAC9A830AE6D28DEAFC82B4E2FCD3093B1A4301BAF64A32A31222E2DABAE2E81B16C307E311CA073274FA92AAF1EAD03A2A1B092B0F7245DAF27AE4396F6AD3C3116AC4AAE07AA9EB0D42DDC3086AE35AC483118B0212A9CB009B1620C75AE212E00AB2217E8ADA62C3E31CEA6FCAE84B16C31C52CAC2CB427AD2D052C862D132F6B26DF30092F8B9D0EAD002268302B2F96ACB9A87E2C432C63317E2D352B3B2951B12BACCA24DFAFF5B0A22FB22B91B05F21AA2E842E2A3179AC0A2D97B095A532AF4FA8712EA42DF4AD9CA987A84EAC33AE2730D22FB93036AE2430DDAA51A918AA67A0F4AC30264BAFA72CBEB01AACE7AFA22FC62F80B02CAE1031982ACA2F56B01B2D342F40A92CA020302C2A7E2A6810B9ACEDAEA53126A30531A130EBAD2722CAA9939A752F3B2E6DAE99AD05B0CEB0422FFEAEBB18DF8BBE274CA1DF2D37260E30E22884986A268A2FD526F82F4BA44716C13057B184242B31ADAD2CA874A1742B472C2029772CDBACC32C2DAB1C2FA4AAD1B07722E32D189FB3182211012E15230EB109B05A2145A3683152A95430C5B060B12AA42AAF99AA1925E8B0C62FDEAE5730652B3EA8F3B07D2752AEE430C2B0FAA93CAE47AFE7AD7DA41F22AA27C82D9FAC05AFC4A8553187A5C3B070308129DB27C527E52F27AD1F307131D6A9242F3E2E4C3144A9BBAE33ACB2AF361E74317D3146307A24DC1B7E2FB82E7EA4B9A9792C489EF3AF52AD9630B63069ACDBA89BAD63AB283108B1662D16B166AD9CA8462259A72CAD0CADE2AEE6AF0CAF6D3155ADB4B0C72F642CC82FA0B162B104B0F6AD618EE52CA02EDEB0832C8BAE33291B2B3E27012C85A0782FB828F530E828FDAD442FE720783101A599319BAEB02D38B0C42F1B286C2EDFB0A1B1742DA8AC7B2CB6AEFFAA7D12D02E642E0BA466AA479AD52DCBB0EAAA74B188265AA5692E8530D6B002AD46A738972AA91DAF5FACA99C8D30C4A9792F93B00C206AB04FB17C242EAD2A307830A1B14FA2BBA773AEE6AFCAACFF2C6129CF2E66A1E02D6028EFA84BA125B1289C6FAB93AB8BACF2A82DB050215B9FF6A9E930982F642A2BACC625C9AFE22F4931C2A65D304F3170A133AC91207B273DB1A5A117AC8D2F329D722F083117ABDF28BEA3EEAC47AE301CE02AF6A7AF27122FB72CAA2C5C2A59B0D8AE32B06F2FFBB039B0732FB02E59B18A2E2AA9E02816AFDFA607295030DC2E27AE6CAF82A11A2B342EA3B165A3671E49AD763002AA65B1C1AECE1D36B02B298131691F93A954312D30852FDE22232063B09B248131C9200CB1362E1431BE30452040285327A3AC9AA69D309E24553183AF9DA63E18BCAE5E30E72F1AAEFC304631A7AE3E9EA33158AF17A7C4AF15305627B62C0F302EA7A8B16F2001A31A2C482DA0AD75AC222F712A2F290A2D432D16B03A23542477B1CD28D598633066B1523189ADAA2E2E309DA5CAAD83A70EAF9825C12CAD2884AE2F2E3131E2AAE02DF7A18F2C09B0D5B0249DC4B0132C4C3170A8FC16E22678ADA1A0D4299330B1B02B9B9DB002A4C69CB8ACF02EC32F64AC4FA6EFAAE01C752B3B3130B1982CD0AE9FB05B30BEAA58AE352AB5A82EB1E7ADC8AC0FA378AF73B14B2EDCB07BA5DB302AAC7BAF0B2AF030FEA457A1492DAB255628FD2D242D0DB077ACBB2FFC2645296F31012F842C6A31FAB00627E829DEA750AD2D28ADB0D2AC4C3028AC84AA132DB9A9A626A7B1712E08B107269DB1DBB08D303BAE3F9E08203531392B862DD7ACC2AB1D30262CAD2944B084B092283FB0EF2FB730B0AC4BAF7A3109AE82B01BB0DD2765284E2F8E30D32C76261C31ABACF0A7CA309EAB112EDA28FD2B2CA9D1B00E30A8307EB04CADAD1F9B2D68A6F6AC6730AEAD2431281AF02D5229F7272A3089A0FC2F782B51AE6A2F05B0E42DD9A8052B6AA57928D6AAB02C482D2DB1FD3090B00DAD742C37315C2B50AEF727CAAE532DA0206A2457B00A2E6031D9AFB22BFDAC11AA02314BB146A8122C232D6CAC2DAE902826B1022628AF22A81831B3B099AD5AB0BE2EAC3051AF232F3F2FDCB0B92B242D0AA89C2F9FA1E0A5592E2CB18EB13428FD246922EFAE8230FFAE01ADC6B0A2B179298FACED2E7631592BF230E0AFF62D262E87AC6DA2CAAE5C2467B1C1AEE0B0B6A59D248CB028ACCB2E6220EE27FFACA8AA04B145312525362D9D2EF630CEAF512AE7B0362CCEAD682C2AB0FD2D0D30382EC0B0132F2EAF4AB15D2FB527E1ABF2B0D129E4AC7CB0AEA5D1B0932D74AFB4AB99B14BA6FDAA3E2E1FA99E2FF0309E28C1ABA9B0EAAF9FAB17AFFE2D4EABA09E881FE3B0B83053AC94B0BA99F9B0A62552AFF6A8A8AA18305E309C31FC24372FA4B097AF172EF828432A782E2C2F512D31AC2BABC428A830DCA2BCAA402E802FB89AB1AAA3B19021F02A27B033B0A8B16C304E3199310D31C5A4082DB22E0BAA85AEB530BEA42C2C4AADD6AD31A8FD1DB12E592FB0A5903106AE152217AF69272831AEB0532933B110A951ADE20CDAAFBF2956B1F6285DACC5AECC30E3247DAF61AE0CADB2AE99251919EE30491D09AEDD30B129E2A8F12FA330C3B0AAB071AFDDB0CAAA242C29B187B1DFB0E7AD182F04319F31E317CBB084319BAF462CA82DFF2A782B47B1A0AB47AFD02F6EAE559C07314A3012B0B8B07A30832A56B0E43015B0E6300F30083057A8DE23",
      torch_tensor_32_torch.float16: "0x020000008127601FE82655AE8AB1EC1B9EACA1AB2A3064272B2D53AA7DB083287EAF9B256AB04430B5AFE930FE2F4730CA2E3D2969A0C79980AC33B12831B120522DA51E",
      torch_tensor_32_32_torch.float16: "0x02000000D42DFEAC63A84F2D53B1C92EA8A8C12D4B268BA5472A7720222C69AC99A213A48F26C991F2300B2B37ACD5AE96A7E1AC40AB5520BF2E262E88B1032F522A5E31782F27B161B175ADF8308AA7D82C42AD8D31C9AC3E304A18F6ADD12D01AEA82A89AAF6A470B165AD242E80A9A23189303DA08DAFE42E062B50AF592FDE2E043158AE73A7039B9C264BB004B0282E4EA9872D29216E2BFA281D2C9C2D3DB1B22DF4AF45B08121B6A7A52E8DAE07B11E30B6A65D2E462B3EB08C286F2993AF5EADB72B0E28D0ACDAAA2E3130A8612EE62C50AFD0B06E31BA20C12FB028472B3A305D3182AFA82539301930072F18B013B0D8AEAF25A33126AF072E43AE52B1CFA8852E403107AFE928E2307F2F0D2F0530282FD829BDAFC0B02FAD45A5EFAE242C012B20A9592C502BE82E9F2FAAAB87313BA5389E57B148AF9CAED7AC063065AB3AB05A2C3F2B542FDBADE8281EAC15A982B028ADEEAAD72C22289729A5318331B72FC41DD4AF6C30A9A951A3E0B078A84CAF3331E4B069B0269E1EAE0C2C5BAC50AD20211830F5AF502D452F8931EBAF7B292FB0D43063ACD12E641D0DA3C79DB127552D4227E72A17B11F30EF30AD302F3015B032ACFD304FB0223173B0F8AF882D10B02FA91E307B305A3197A866B09231D2A8A8AC8429E9AF702F172F7DB0A5B0EEA3C12C3E9DBDAD231C51B1FFAF88AFA930FD30B0AB0F200C2D6C25AAAD862EF42E3FA192A52431F2306AAE89319A2984AF312E39B03A3146AF662AE42A6229B130B3ACC7ACE7B06E9F5CAD411FA3A8822BE530AD2A4AAB8DADEFB0C33049A89128B21E36AF5F2E572E8F206EAECFACFC1877AE50AEC0A684AA8E29F3A900A651AC2BB1EF3051280F314BA7B0A951B14BAC6B2F8AB1EAABE52E852E2D2C7BA8DAA24CA82CACB92CB5AB5BAE222917B0D4A8C82D3A2CD130B7AF4C16AFAA54AE5DAEB329BC24C6ADF9AFB0B08B31B7A73BA929ACA9AD2CB1A4AEEA2EF628FBAB47AC3A2F143073319A2A772D46A39DAE8BB1E42E94A6A62C742048B18DAD5E2A94A876B1EF2BF11E46AB922CC7282CAC1531AD2DAF2558A8CBB05E30D7A950AF412F052C99297DA810ABAE2761307B265AAD9F31BE1B793084291231872EC5ADF32FA8148AB0BEA81BB1DDAD02B0BD2FC1A8D2A76C2D9B2C77AF2B2CCE2C7FB0EB30E2AE6DACA9B02C314F28C330E921262E39AB83B0442709A492A48EAD7F1B802A152C8FB0772DA724CE2FFF2F74B06F3190B1812E5F225B2D1EAECD2E99AD00B1952B312E9B31BBA47131452F9CAD5DB0582E33AE312DD8B02130C82A34A5302D07B0F2A819178AAEC8A9E1AC6431CE30E130A0306BB1922B2C2C26B0962C24AE32277F2BE230EFAD73B03C31C02C802D132C01ACCE2EF0B04C261D2DBB2FA6ADA6AF3E2C7EB0B4B016B17DAD52A8B3AEC9AC02B1F42E2EA923AFE4293BB0EB2F812E8FB171B076AF20AEA72598B132B02B2D69AB81ACAEB0962C642260ACEEAED028282A062DB92AE7A661B0342F359685AFE1304F2E72B0A6ADB3AB88AE492D09B04231ADACAE2E2A1EFAAC8E2F51B0FCAD6D257D30D9ACE4AE39AFFDACD1AB45A970AE122BE11564AF76AECB282C990130DCA695B02FB0A4AA03A92A2513A92D2C87AB27303229F5AA0B31C729B0AF4CAE182F2B2D6B30F4A2EA2FA02DFF2A3DA974319428D7A926999031992FB5A28C31F82C06AE26B1932E4E3197AEA62CB51FD7A827AA4C2AFD28A42F242C262DFD300C2BB8261EAC2630AF264B2F763110A9F72F98A81B3174300EAC7E1EF1AC93AC95A8F094E3AB57B1D8AEBCA339AB34309930352F022D7CB05831FCB070ABF6AF122CB5B094AD30AFF4AE48AD903165A3E62A9EB10831EDA831B1CC2F1EAA2331AFAF41B140B0E72C13A53EB13228C5A1162CC1AD0AB0B62F72ADF52F9630E9AF37AD732555B1F32AB7AC04AD60B04B2D36AF86B0F3A94CAE80B18F2C4EACED2FF72F37AF98AE04ACA12E3B9E0BAC022F5D312F3053B0B3A857A8D430DAAD7CAEAA1942A9482C8025C1AE1D300B2FF5281FB1512D842F4D2A60AC122259AC5331763146A59DAFA82EC62DFF2D42B0AC2BD4ACF9B0E6AFCC2C3C2CF7B06A2E56304B30632E1BA7952F6E30E62D12B0E6AB7B305030382FBBAC7BA837B073AE5830A5B098A9CE28CAAE462946A7862C57B03F2628B1052F7F310AACB126D4AD3DAFBBAD64AD4C2830A5592256B01CAFE6B011B0BD30342C65B18EA744230B2E3F317729F82F07ACEA9DD4AE362939311B2FA13119ADAAA5AB288C3033B18EAD91268AAE3A2C2CA2DDA9112E0B308131202DF39CA0308130ACAD272D4E25E4AC63A958A9EBAFE8AA9D2B2730E0227AB1FE2DD9AA0D3177B14BA96330E52CA5ADE6B0C7975F2CB2B0BCB08F98A4A8462F7BB133A762B097A6C8AD1F2BBBB073B06CAEF4B0242F7AA649AEEE2F22A9DA2D04ABBCB0F8280C2F84B1B624832832257B9C09AB64B0622799AFADB044ABBFAFEF2A0830653003AF2B2E05301018C62C672E54300E2ED42C4BAC4FAE5DADA8307BA9791E47B105A062AA4DAF623094B078A66BA21FB1D72E33AB152D502EFD3099293F3039317C289CA832AA5527122C56B13D30232745B13F2B2E2F3A2C9E307C1BB1B0928E1D3071ADD32C372958A72515D02CBEAF252FA92F592EA731E89FFDAF222091AAFD2BC93031AE951F813184B0CFA77E31E82F912AE1AC38A413B153B14DB16F3179307D2CAFA9DF30FAA9DB2FE49D52AD51AAD5A82EB1C42AE5AA332D372F32A77D2D8528992F4CAFF2A38AABF53014B15CAE1C250631A82F4BB1F4AF7C319826D8B021ABF22CBBA858B0FCAEDCAD179F6F2C6F2D7FAD98A75EB04730A5318031A02CD3A8839C152CE7B09E2199B0A8B10D9E34AB2BAF"
    }
  }
#-}
