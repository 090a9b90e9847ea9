#map = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#map1 = affine_map<(d0, d1, d2) -> (d0, d1, 0)>
#map2 = affine_map<(d0, d1, d2) -> (d2)>
#map3 = affine_map<(d0, d1) -> (d0, d1)>
#map4 = affine_map<(d0) -> (d0)>
#map5 = affine_map<(d0, d1) -> (d0, 0)>
#map6 = affine_map<(d0, d1) -> (d1)>
#map7 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#map8 = affine_map<(d0, d1, d2, d3) -> (d2, d3)>
#map9 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d3, d4)>
#map10 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d3, d4)>
#map11 = affine_map<(d0, d1) -> (0, d1)>
#map12 = affine_map<(d0, d1, d2, d3) -> ()>
#map13 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>
#map14 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, 0)>
module {
  func.func @forward(%arg0: tensor<1x8x32xbf16>) -> tensor<1x8x32xbf16> {
    %c2_i64 = arith.constant 2 : i64
    %c0_i64 = arith.constant 0 : i64
    %cst = arith.constant 0.000000e+00 : f32
    %cst_0 = arith.constant 1.000000e+00 : f32
    %true = arith.constant true
    %cst_1 = arith.constant 0xFF800000 : f32
    %cst_2 = arith.constant dense<0xFF80> : tensor<bf16>
    %cst_3 = arith.constant dense<true> : tensor<8x8xi1>
    %cst_4 = arith.constant dense_resource<torch_tensor_32_32_torch.bfloat16_1> : tensor<32x32xbf16>
    %cst_5 = arith.constant 0.35355339059327379 : f64
    %cst_6 = arith.constant dense_resource<torch_tensor_16_32_torch.bfloat16_1> : tensor<16x32xbf16>
    %cst_7 = arith.constant dense_resource<torch_tensor_16_32_torch.bfloat16> : tensor<16x32xbf16>
    %cst_8 = arith.constant dense_resource<torch_tensor_32_32_torch.bfloat16> : tensor<32x32xbf16>
    %cst_9 = arith.constant dense_resource<torch_tensor_32_torch.bfloat16> : tensor<32xbf16>
    %cst_10 = arith.constant 1.000000e-05 : f64
    %cst_11 = arith.constant 3.200000e+01 : f32
    %cst_12 = arith.constant 8.000000e+00 : f32
    %cst_13 = arith.constant 1.000000e+04 : f32
    %0 = tensor.empty() : tensor<1x8x32xf32>
    %1 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg0 : tensor<1x8x32xbf16>) outs(%0 : tensor<1x8x32xf32>) {
    ^bb0(%in: bf16, %out: f32):
      %99 = arith.extf %in : bf16 to f32
      linalg.yield %99 : f32
    } -> tensor<1x8x32xf32>
    %2 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%1 : tensor<1x8x32xf32>) outs(%0 : tensor<1x8x32xf32>) {
    ^bb0(%in: f32, %out: f32):
      %99 = math.fpowi %in, %c2_i64 : f32, i64
      linalg.yield %99 : f32
    } -> tensor<1x8x32xf32>
    %3 = tensor.empty() : tensor<1x8x1xf32>
    %4 = linalg.fill ins(%cst : f32) outs(%3 : tensor<1x8x1xf32>) -> tensor<1x8x1xf32>
    %5 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "reduction"]} ins(%2 : tensor<1x8x32xf32>) outs(%4 : tensor<1x8x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %99 = arith.addf %in, %out : f32
      linalg.yield %99 : f32
    } -> tensor<1x8x1xf32>
    %6 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%5 : tensor<1x8x1xf32>) outs(%3 : tensor<1x8x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %99 = arith.divf %in, %cst_11 : f32
      linalg.yield %99 : f32
    } -> tensor<1x8x1xf32>
    %7 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%6 : tensor<1x8x1xf32>) outs(%3 : tensor<1x8x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %99 = arith.truncf %cst_10 : f64 to f32
      %100 = arith.addf %in, %99 : f32
      linalg.yield %100 : f32
    } -> tensor<1x8x1xf32>
    %8 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%7 : tensor<1x8x1xf32>) outs(%3 : tensor<1x8x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %99 = math.rsqrt %in : f32
      linalg.yield %99 : f32
    } -> tensor<1x8x1xf32>
    %9 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%1, %8 : tensor<1x8x32xf32>, tensor<1x8x1xf32>) outs(%0 : tensor<1x8x32xf32>) {
    ^bb0(%in: f32, %in_45: f32, %out: f32):
      %99 = arith.mulf %in, %in_45 : f32
      linalg.yield %99 : f32
    } -> tensor<1x8x32xf32>
    %10 = tensor.empty() : tensor<1x8x32xbf16>
    %11 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%9 : tensor<1x8x32xf32>) outs(%10 : tensor<1x8x32xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %99 = arith.truncf %in : f32 to bf16
      linalg.yield %99 : bf16
    } -> tensor<1x8x32xbf16>
    %12 = linalg.generic {indexing_maps = [#map2, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%cst_9, %11 : tensor<32xbf16>, tensor<1x8x32xbf16>) outs(%10 : tensor<1x8x32xbf16>) {
    ^bb0(%in: bf16, %in_45: bf16, %out: bf16):
      %99 = arith.mulf %in, %in_45 : bf16
      linalg.yield %99 : bf16
    } -> tensor<1x8x32xbf16>
    %13 = tensor.empty() : tensor<32x32xbf16>
    %transposed = linalg.transpose ins(%cst_8 : tensor<32x32xbf16>) outs(%13 : tensor<32x32xbf16>) permutation = [1, 0] 
    %collapsed = tensor.collapse_shape %12 [[0, 1], [2]] : tensor<1x8x32xbf16> into tensor<8x32xbf16>
    %14 = tensor.empty() : tensor<8x32xf32>
    %15 = linalg.fill ins(%cst : f32) outs(%14 : tensor<8x32xf32>) -> tensor<8x32xf32>
    %16 = linalg.matmul ins(%collapsed, %transposed : tensor<8x32xbf16>, tensor<32x32xbf16>) outs(%15 : tensor<8x32xf32>) -> tensor<8x32xf32>
    %17 = tensor.empty() : tensor<8x32xbf16>
    %18 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel"]} ins(%16 : tensor<8x32xf32>) outs(%17 : tensor<8x32xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %99 = arith.truncf %in : f32 to bf16
      linalg.yield %99 : bf16
    } -> tensor<8x32xbf16>
    %expanded = tensor.expand_shape %18 [[0, 1], [2, 3]] output_shape [1, 8, 4, 8] : tensor<8x32xbf16> into tensor<1x8x4x8xbf16>
    %19 = tensor.empty() : tensor<1x4x8x8xbf16>
    %transposed_14 = linalg.transpose ins(%expanded : tensor<1x8x4x8xbf16>) outs(%19 : tensor<1x4x8x8xbf16>) permutation = [0, 2, 1, 3] 
    %20 = tensor.empty() : tensor<4xi64>
    %21 = linalg.generic {indexing_maps = [#map4], iterator_types = ["parallel"]} outs(%20 : tensor<4xi64>) {
    ^bb0(%out: i64):
      %99 = linalg.index 0 : index
      %100 = arith.index_cast %99 : index to i64
      %101 = arith.muli %100, %c2_i64 : i64
      linalg.yield %101 : i64
    } -> tensor<4xi64>
    %22 = tensor.empty() : tensor<4xf32>
    %23 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel"]} ins(%21 : tensor<4xi64>) outs(%22 : tensor<4xf32>) {
    ^bb0(%in: i64, %out: f32):
      %99 = arith.sitofp %in : i64 to f32
      linalg.yield %99 : f32
    } -> tensor<4xf32>
    %24 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel"]} ins(%23 : tensor<4xf32>) outs(%22 : tensor<4xf32>) {
    ^bb0(%in: f32, %out: f32):
      %99 = arith.divf %in, %cst_12 : f32
      linalg.yield %99 : f32
    } -> tensor<4xf32>
    %25 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel"]} ins(%24 : tensor<4xf32>) outs(%22 : tensor<4xf32>) {
    ^bb0(%in: f32, %out: f32):
      %99 = math.powf %cst_13, %in : f32
      linalg.yield %99 : f32
    } -> tensor<4xf32>
    %26 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel"]} ins(%25 : tensor<4xf32>) outs(%22 : tensor<4xf32>) {
    ^bb0(%in: f32, %out: f32):
      %99 = arith.cmpf one, %in, %cst : f32
      cf.assert %99, "unimplemented: tensor with zero element"
      %100 = arith.divf %cst_0, %in : f32
      linalg.yield %100 : f32
    } -> tensor<4xf32>
    %27 = tensor.empty() : tensor<8xi64>
    %28 = linalg.generic {indexing_maps = [#map4], iterator_types = ["parallel"]} outs(%27 : tensor<8xi64>) {
    ^bb0(%out: i64):
      %99 = linalg.index 0 : index
      %100 = arith.index_cast %99 : index to i64
      linalg.yield %100 : i64
    } -> tensor<8xi64>
    %29 = tensor.empty() : tensor<8xf32>
    %30 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel"]} ins(%28 : tensor<8xi64>) outs(%29 : tensor<8xf32>) {
    ^bb0(%in: i64, %out: f32):
      %99 = arith.sitofp %in : i64 to f32
      linalg.yield %99 : f32
    } -> tensor<8xf32>
    %expanded_15 = tensor.expand_shape %30 [[0, 1]] output_shape [8, 1] : tensor<8xf32> into tensor<8x1xf32>
    %31 = tensor.empty() : tensor<8x4xf32>
    %32 = linalg.generic {indexing_maps = [#map5, #map6, #map3], iterator_types = ["parallel", "parallel"]} ins(%expanded_15, %26 : tensor<8x1xf32>, tensor<4xf32>) outs(%31 : tensor<8x4xf32>) {
    ^bb0(%in: f32, %in_45: f32, %out: f32):
      %99 = arith.mulf %in, %in_45 : f32
      linalg.yield %99 : f32
    } -> tensor<8x4xf32>
    %33 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel"]} ins(%32 : tensor<8x4xf32>) outs(%31 : tensor<8x4xf32>) {
    ^bb0(%in: f32, %out: f32):
      %99 = math.cos %in : f32
      linalg.yield %99 : f32
    } -> tensor<8x4xf32>
    %34 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel"]} ins(%32 : tensor<8x4xf32>) outs(%31 : tensor<8x4xf32>) {
    ^bb0(%in: f32, %out: f32):
      %99 = math.sin %in : f32
      linalg.yield %99 : f32
    } -> tensor<8x4xf32>
    %concat = tensor.concat dim(1) %33, %33 : (tensor<8x4xf32>, tensor<8x4xf32>) -> tensor<8x8xf32>
    %35 = tensor.empty() : tensor<8x8xbf16>
    %36 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel"]} ins(%concat : tensor<8x8xf32>) outs(%35 : tensor<8x8xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %99 = arith.truncf %in : f32 to bf16
      linalg.yield %99 : bf16
    } -> tensor<8x8xbf16>
    %concat_16 = tensor.concat dim(1) %34, %34 : (tensor<8x4xf32>, tensor<8x4xf32>) -> tensor<8x8xf32>
    %37 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel"]} ins(%concat_16 : tensor<8x8xf32>) outs(%35 : tensor<8x8xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %99 = arith.truncf %in : f32 to bf16
      linalg.yield %99 : bf16
    } -> tensor<8x8xbf16>
    %extracted_slice = tensor.extract_slice %transposed_14[0, 0, 0, 0] [1, 4, 8, 4] [1, 1, 1, 1] : tensor<1x4x8x8xbf16> to tensor<1x4x8x4xbf16>
    %extracted_slice_17 = tensor.extract_slice %transposed_14[0, 0, 0, 4] [1, 4, 8, 4] [1, 1, 1, 1] : tensor<1x4x8x8xbf16> to tensor<1x4x8x4xbf16>
    %38 = linalg.generic {indexing_maps = [#map7, #map8, #map7], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%transposed_14, %36 : tensor<1x4x8x8xbf16>, tensor<8x8xbf16>) outs(%19 : tensor<1x4x8x8xbf16>) {
    ^bb0(%in: bf16, %in_45: bf16, %out: bf16):
      %99 = arith.mulf %in, %in_45 : bf16
      linalg.yield %99 : bf16
    } -> tensor<1x4x8x8xbf16>
    %39 = tensor.empty() : tensor<1x4x8x4xbf16>
    %40 = linalg.generic {indexing_maps = [#map7, #map7], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%extracted_slice_17 : tensor<1x4x8x4xbf16>) outs(%39 : tensor<1x4x8x4xbf16>) {
    ^bb0(%in: bf16, %out: bf16):
      %99 = arith.negf %in : bf16
      linalg.yield %99 : bf16
    } -> tensor<1x4x8x4xbf16>
    %concat_18 = tensor.concat dim(3) %40, %extracted_slice : (tensor<1x4x8x4xbf16>, tensor<1x4x8x4xbf16>) -> tensor<1x4x8x8xbf16>
    %41 = linalg.generic {indexing_maps = [#map7, #map8, #map7], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%concat_18, %37 : tensor<1x4x8x8xbf16>, tensor<8x8xbf16>) outs(%19 : tensor<1x4x8x8xbf16>) {
    ^bb0(%in: bf16, %in_45: bf16, %out: bf16):
      %99 = arith.mulf %in, %in_45 : bf16
      linalg.yield %99 : bf16
    } -> tensor<1x4x8x8xbf16>
    %42 = linalg.generic {indexing_maps = [#map7, #map7, #map7], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%38, %41 : tensor<1x4x8x8xbf16>, tensor<1x4x8x8xbf16>) outs(%19 : tensor<1x4x8x8xbf16>) {
    ^bb0(%in: bf16, %in_45: bf16, %out: bf16):
      %99 = arith.addf %in, %in_45 : bf16
      linalg.yield %99 : bf16
    } -> tensor<1x4x8x8xbf16>
    %43 = tensor.empty() : tensor<32x16xbf16>
    %transposed_19 = linalg.transpose ins(%cst_7 : tensor<16x32xbf16>) outs(%43 : tensor<32x16xbf16>) permutation = [1, 0] 
    %44 = tensor.empty() : tensor<8x16xf32>
    %45 = linalg.fill ins(%cst : f32) outs(%44 : tensor<8x16xf32>) -> tensor<8x16xf32>
    %46 = linalg.matmul ins(%collapsed, %transposed_19 : tensor<8x32xbf16>, tensor<32x16xbf16>) outs(%45 : tensor<8x16xf32>) -> tensor<8x16xf32>
    %47 = tensor.empty() : tensor<8x16xbf16>
    %48 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel"]} ins(%46 : tensor<8x16xf32>) outs(%47 : tensor<8x16xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %99 = arith.truncf %in : f32 to bf16
      linalg.yield %99 : bf16
    } -> tensor<8x16xbf16>
    %expanded_20 = tensor.expand_shape %48 [[0, 1], [2, 3]] output_shape [1, 8, 2, 8] : tensor<8x16xbf16> into tensor<1x8x2x8xbf16>
    %49 = tensor.empty() : tensor<1x2x8x8xbf16>
    %transposed_21 = linalg.transpose ins(%expanded_20 : tensor<1x8x2x8xbf16>) outs(%49 : tensor<1x2x8x8xbf16>) permutation = [0, 2, 1, 3] 
    %50 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel"]} ins(%25 : tensor<4xf32>) outs(%22 : tensor<4xf32>) {
    ^bb0(%in: f32, %out: f32):
      %99 = arith.cmpf one, %in, %cst : f32
      cf.assert %99, "unimplemented: tensor with zero element"
      %100 = arith.divf %cst_0, %in : f32
      linalg.yield %100 : f32
    } -> tensor<4xf32>
    %51 = linalg.generic {indexing_maps = [#map5, #map6, #map3], iterator_types = ["parallel", "parallel"]} ins(%expanded_15, %50 : tensor<8x1xf32>, tensor<4xf32>) outs(%31 : tensor<8x4xf32>) {
    ^bb0(%in: f32, %in_45: f32, %out: f32):
      %99 = arith.mulf %in, %in_45 : f32
      linalg.yield %99 : f32
    } -> tensor<8x4xf32>
    %52 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel"]} ins(%51 : tensor<8x4xf32>) outs(%31 : tensor<8x4xf32>) {
    ^bb0(%in: f32, %out: f32):
      %99 = math.cos %in : f32
      linalg.yield %99 : f32
    } -> tensor<8x4xf32>
    %53 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel"]} ins(%51 : tensor<8x4xf32>) outs(%31 : tensor<8x4xf32>) {
    ^bb0(%in: f32, %out: f32):
      %99 = math.sin %in : f32
      linalg.yield %99 : f32
    } -> tensor<8x4xf32>
    %concat_22 = tensor.concat dim(1) %52, %52 : (tensor<8x4xf32>, tensor<8x4xf32>) -> tensor<8x8xf32>
    %54 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel"]} ins(%concat_22 : tensor<8x8xf32>) outs(%35 : tensor<8x8xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %99 = arith.truncf %in : f32 to bf16
      linalg.yield %99 : bf16
    } -> tensor<8x8xbf16>
    %concat_23 = tensor.concat dim(1) %53, %53 : (tensor<8x4xf32>, tensor<8x4xf32>) -> tensor<8x8xf32>
    %55 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel"]} ins(%concat_23 : tensor<8x8xf32>) outs(%35 : tensor<8x8xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %99 = arith.truncf %in : f32 to bf16
      linalg.yield %99 : bf16
    } -> tensor<8x8xbf16>
    %extracted_slice_24 = tensor.extract_slice %transposed_21[0, 0, 0, 0] [1, 2, 8, 4] [1, 1, 1, 1] : tensor<1x2x8x8xbf16> to tensor<1x2x8x4xbf16>
    %extracted_slice_25 = tensor.extract_slice %transposed_21[0, 0, 0, 4] [1, 2, 8, 4] [1, 1, 1, 1] : tensor<1x2x8x8xbf16> to tensor<1x2x8x4xbf16>
    %56 = linalg.generic {indexing_maps = [#map7, #map8, #map7], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%transposed_21, %54 : tensor<1x2x8x8xbf16>, tensor<8x8xbf16>) outs(%49 : tensor<1x2x8x8xbf16>) {
    ^bb0(%in: bf16, %in_45: bf16, %out: bf16):
      %99 = arith.mulf %in, %in_45 : bf16
      linalg.yield %99 : bf16
    } -> tensor<1x2x8x8xbf16>
    %57 = tensor.empty() : tensor<1x2x8x4xbf16>
    %58 = linalg.generic {indexing_maps = [#map7, #map7], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%extracted_slice_25 : tensor<1x2x8x4xbf16>) outs(%57 : tensor<1x2x8x4xbf16>) {
    ^bb0(%in: bf16, %out: bf16):
      %99 = arith.negf %in : bf16
      linalg.yield %99 : bf16
    } -> tensor<1x2x8x4xbf16>
    %concat_26 = tensor.concat dim(3) %58, %extracted_slice_24 : (tensor<1x2x8x4xbf16>, tensor<1x2x8x4xbf16>) -> tensor<1x2x8x8xbf16>
    %59 = linalg.generic {indexing_maps = [#map7, #map8, #map7], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%concat_26, %55 : tensor<1x2x8x8xbf16>, tensor<8x8xbf16>) outs(%49 : tensor<1x2x8x8xbf16>) {
    ^bb0(%in: bf16, %in_45: bf16, %out: bf16):
      %99 = arith.mulf %in, %in_45 : bf16
      linalg.yield %99 : bf16
    } -> tensor<1x2x8x8xbf16>
    %60 = linalg.generic {indexing_maps = [#map7, #map7, #map7], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%56, %59 : tensor<1x2x8x8xbf16>, tensor<1x2x8x8xbf16>) outs(%49 : tensor<1x2x8x8xbf16>) {
    ^bb0(%in: bf16, %in_45: bf16, %out: bf16):
      %99 = arith.addf %in, %in_45 : bf16
      linalg.yield %99 : bf16
    } -> tensor<1x2x8x8xbf16>
    %transposed_27 = linalg.transpose ins(%cst_6 : tensor<16x32xbf16>) outs(%43 : tensor<32x16xbf16>) permutation = [1, 0] 
    %61 = linalg.matmul ins(%collapsed, %transposed_27 : tensor<8x32xbf16>, tensor<32x16xbf16>) outs(%45 : tensor<8x16xf32>) -> tensor<8x16xf32>
    %62 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel"]} ins(%61 : tensor<8x16xf32>) outs(%47 : tensor<8x16xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %99 = arith.truncf %in : f32 to bf16
      linalg.yield %99 : bf16
    } -> tensor<8x16xbf16>
    %expanded_28 = tensor.expand_shape %62 [[0, 1], [2, 3]] output_shape [1, 8, 2, 8] : tensor<8x16xbf16> into tensor<1x8x2x8xbf16>
    %transposed_29 = linalg.transpose ins(%expanded_28 : tensor<1x8x2x8xbf16>) outs(%49 : tensor<1x2x8x8xbf16>) permutation = [0, 2, 1, 3] 
    %63 = tensor.empty() : tensor<1x2x2x8x8xbf16>
    %64 = linalg.generic {indexing_maps = [#map9, #map10], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%60 : tensor<1x2x8x8xbf16>) outs(%63 : tensor<1x2x2x8x8xbf16>) {
    ^bb0(%in: bf16, %out: bf16):
      linalg.yield %in : bf16
    } -> tensor<1x2x2x8x8xbf16>
    %collapsed_30 = tensor.collapse_shape %64 [[0], [1, 2], [3], [4]] : tensor<1x2x2x8x8xbf16> into tensor<1x4x8x8xbf16>
    %65 = linalg.generic {indexing_maps = [#map9, #map10], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%transposed_29 : tensor<1x2x8x8xbf16>) outs(%63 : tensor<1x2x2x8x8xbf16>) {
    ^bb0(%in: bf16, %out: bf16):
      linalg.yield %in : bf16
    } -> tensor<1x2x2x8x8xbf16>
    %transposed_31 = linalg.transpose ins(%collapsed_30 : tensor<1x4x8x8xbf16>) outs(%19 : tensor<1x4x8x8xbf16>) permutation = [0, 1, 3, 2] 
    %collapsed_32 = tensor.collapse_shape %42 [[0, 1], [2], [3]] : tensor<1x4x8x8xbf16> into tensor<4x8x8xbf16>
    %collapsed_33 = tensor.collapse_shape %transposed_31 [[0, 1], [2], [3]] : tensor<1x4x8x8xbf16> into tensor<4x8x8xbf16>
    %66 = tensor.empty() : tensor<4x8x8xf32>
    %67 = linalg.fill ins(%cst : f32) outs(%66 : tensor<4x8x8xf32>) -> tensor<4x8x8xf32>
    %68 = linalg.batch_matmul ins(%collapsed_32, %collapsed_33 : tensor<4x8x8xbf16>, tensor<4x8x8xbf16>) outs(%67 : tensor<4x8x8xf32>) -> tensor<4x8x8xf32>
    %69 = tensor.empty() : tensor<4x8x8xbf16>
    %70 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%68 : tensor<4x8x8xf32>) outs(%69 : tensor<4x8x8xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %99 = arith.truncf %in : f32 to bf16
      linalg.yield %99 : bf16
    } -> tensor<4x8x8xbf16>
    %expanded_34 = tensor.expand_shape %70 [[0, 1], [2], [3]] output_shape [1, 4, 8, 8] : tensor<4x8x8xbf16> into tensor<1x4x8x8xbf16>
    %71 = linalg.generic {indexing_maps = [#map7, #map7], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_34 : tensor<1x4x8x8xbf16>) outs(%19 : tensor<1x4x8x8xbf16>) {
    ^bb0(%in: bf16, %out: bf16):
      %99 = arith.truncf %cst_5 : f64 to bf16
      %100 = arith.mulf %in, %99 : bf16
      linalg.yield %100 : bf16
    } -> tensor<1x4x8x8xbf16>
    %expanded_35 = tensor.expand_shape %28 [[0, 1]] output_shape [1, 8] : tensor<8xi64> into tensor<1x8xi64>
    %expanded_36 = tensor.expand_shape %28 [[0, 1]] output_shape [8, 1] : tensor<8xi64> into tensor<8x1xi64>
    %72 = tensor.empty() : tensor<8x8xi64>
    %73 = linalg.generic {indexing_maps = [#map11, #map5, #map3], iterator_types = ["parallel", "parallel"]} ins(%expanded_35, %expanded_36 : tensor<1x8xi64>, tensor<8x1xi64>) outs(%72 : tensor<8x8xi64>) {
    ^bb0(%in: i64, %in_45: i64, %out: i64):
      %99 = arith.subi %in, %in_45 : i64
      linalg.yield %99 : i64
    } -> tensor<8x8xi64>
    %74 = tensor.empty() : tensor<8x8xi1>
    %75 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel"]} ins(%73 : tensor<8x8xi64>) outs(%74 : tensor<8x8xi1>) {
    ^bb0(%in: i64, %out: i1):
      %99 = arith.cmpi sle, %in, %c0_i64 : i64
      linalg.yield %99 : i1
    } -> tensor<8x8xi1>
    %76 = linalg.generic {indexing_maps = [#map3, #map3, #map3], iterator_types = ["parallel", "parallel"]} ins(%75, %cst_3 : tensor<8x8xi1>, tensor<8x8xi1>) outs(%74 : tensor<8x8xi1>) {
    ^bb0(%in: i1, %in_45: i1, %out: i1):
      %99 = arith.andi %in, %in_45 : i1
      linalg.yield %99 : i1
    } -> tensor<8x8xi1>
    %77 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel"]} ins(%76 : tensor<8x8xi1>) outs(%74 : tensor<8x8xi1>) {
    ^bb0(%in: i1, %out: i1):
      %99 = arith.xori %in, %true : i1
      linalg.yield %99 : i1
    } -> tensor<8x8xi1>
    %78 = linalg.generic {indexing_maps = [#map8, #map12, #map7, #map7], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%77, %cst_2, %71 : tensor<8x8xi1>, tensor<bf16>, tensor<1x4x8x8xbf16>) outs(%19 : tensor<1x4x8x8xbf16>) {
    ^bb0(%in: i1, %in_45: bf16, %in_46: bf16, %out: bf16):
      %99 = arith.select %in, %in_45, %in_46 : bf16
      linalg.yield %99 : bf16
    } -> tensor<1x4x8x8xbf16>
    %79 = tensor.empty() : tensor<1x4x8x8xf32>
    %80 = linalg.generic {indexing_maps = [#map7, #map7], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%78 : tensor<1x4x8x8xbf16>) outs(%79 : tensor<1x4x8x8xf32>) {
    ^bb0(%in: bf16, %out: f32):
      %99 = arith.extf %in : bf16 to f32
      linalg.yield %99 : f32
    } -> tensor<1x4x8x8xf32>
    %81 = tensor.empty() : tensor<1x4x8xi64>
    %82 = linalg.fill ins(%c0_i64 : i64) outs(%81 : tensor<1x4x8xi64>) -> tensor<1x4x8xi64>
    %83 = tensor.empty() : tensor<1x4x8xf32>
    %84 = linalg.fill ins(%cst_1 : f32) outs(%83 : tensor<1x4x8xf32>) -> tensor<1x4x8xf32>
    %85:2 = linalg.generic {indexing_maps = [#map7, #map13, #map13], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%80 : tensor<1x4x8x8xf32>) outs(%84, %82 : tensor<1x4x8xf32>, tensor<1x4x8xi64>) {
    ^bb0(%in: f32, %out: f32, %out_45: i64):
      %99 = linalg.index 3 : index
      %100 = arith.index_cast %99 : index to i64
      %101 = arith.maximumf %in, %out : f32
      %102 = arith.cmpf ogt, %in, %out : f32
      %103 = arith.select %102, %100, %out_45 : i64
      linalg.yield %101, %103 : f32, i64
    } -> (tensor<1x4x8xf32>, tensor<1x4x8xi64>)
    %expanded_37 = tensor.expand_shape %85#0 [[0], [1], [2, 3]] output_shape [1, 4, 8, 1] : tensor<1x4x8xf32> into tensor<1x4x8x1xf32>
    %86 = linalg.generic {indexing_maps = [#map7, #map14, #map7], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%80, %expanded_37 : tensor<1x4x8x8xf32>, tensor<1x4x8x1xf32>) outs(%79 : tensor<1x4x8x8xf32>) {
    ^bb0(%in: f32, %in_45: f32, %out: f32):
      %99 = arith.subf %in, %in_45 : f32
      linalg.yield %99 : f32
    } -> tensor<1x4x8x8xf32>
    %87 = linalg.generic {indexing_maps = [#map7, #map7], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%86 : tensor<1x4x8x8xf32>) outs(%79 : tensor<1x4x8x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      %99 = math.exp %in : f32
      linalg.yield %99 : f32
    } -> tensor<1x4x8x8xf32>
    %88 = tensor.empty() : tensor<1x4x8x1xf32>
    %89 = linalg.fill ins(%cst : f32) outs(%88 : tensor<1x4x8x1xf32>) -> tensor<1x4x8x1xf32>
    %90 = linalg.generic {indexing_maps = [#map7, #map14], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%87 : tensor<1x4x8x8xf32>) outs(%89 : tensor<1x4x8x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %99 = arith.addf %in, %out : f32
      linalg.yield %99 : f32
    } -> tensor<1x4x8x1xf32>
    %91 = linalg.generic {indexing_maps = [#map7, #map14, #map7], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%87, %90 : tensor<1x4x8x8xf32>, tensor<1x4x8x1xf32>) outs(%79 : tensor<1x4x8x8xf32>) {
    ^bb0(%in: f32, %in_45: f32, %out: f32):
      %99 = arith.divf %in, %in_45 : f32
      linalg.yield %99 : f32
    } -> tensor<1x4x8x8xf32>
    %92 = linalg.generic {indexing_maps = [#map7, #map7], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%91 : tensor<1x4x8x8xf32>) outs(%19 : tensor<1x4x8x8xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %99 = arith.truncf %in : f32 to bf16
      linalg.yield %99 : bf16
    } -> tensor<1x4x8x8xbf16>
    %collapsed_38 = tensor.collapse_shape %92 [[0, 1], [2], [3]] : tensor<1x4x8x8xbf16> into tensor<4x8x8xbf16>
    %collapsed_39 = tensor.collapse_shape %65 [[0, 1, 2], [3], [4]] : tensor<1x2x2x8x8xbf16> into tensor<4x8x8xbf16>
    %93 = linalg.batch_matmul ins(%collapsed_38, %collapsed_39 : tensor<4x8x8xbf16>, tensor<4x8x8xbf16>) outs(%67 : tensor<4x8x8xf32>) -> tensor<4x8x8xf32>
    %94 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%93 : tensor<4x8x8xf32>) outs(%69 : tensor<4x8x8xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %99 = arith.truncf %in : f32 to bf16
      linalg.yield %99 : bf16
    } -> tensor<4x8x8xbf16>
    %expanded_40 = tensor.expand_shape %94 [[0, 1], [2], [3]] output_shape [1, 4, 8, 8] : tensor<4x8x8xbf16> into tensor<1x4x8x8xbf16>
    %95 = tensor.empty() : tensor<1x8x4x8xbf16>
    %transposed_41 = linalg.transpose ins(%expanded_40 : tensor<1x4x8x8xbf16>) outs(%95 : tensor<1x8x4x8xbf16>) permutation = [0, 2, 1, 3] 
    %transposed_42 = linalg.transpose ins(%cst_4 : tensor<32x32xbf16>) outs(%13 : tensor<32x32xbf16>) permutation = [1, 0] 
    %collapsed_43 = tensor.collapse_shape %transposed_41 [[0, 1], [2, 3]] : tensor<1x8x4x8xbf16> into tensor<8x32xbf16>
    %96 = linalg.matmul ins(%collapsed_43, %transposed_42 : tensor<8x32xbf16>, tensor<32x32xbf16>) outs(%15 : tensor<8x32xf32>) -> tensor<8x32xf32>
    %97 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel"]} ins(%96 : tensor<8x32xf32>) outs(%17 : tensor<8x32xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %99 = arith.truncf %in : f32 to bf16
      linalg.yield %99 : bf16
    } -> tensor<8x32xbf16>
    %expanded_44 = tensor.expand_shape %97 [[0, 1], [2]] output_shape [1, 8, 32] : tensor<8x32xbf16> into tensor<1x8x32xbf16>
    %98 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg0, %expanded_44 : tensor<1x8x32xbf16>, tensor<1x8x32xbf16>) outs(%10 : tensor<1x8x32xbf16>) {
    ^bb0(%in: bf16, %in_45: bf16, %out: bf16):
      %99 = arith.addf %in, %in_45 : bf16
      linalg.yield %99 : bf16
    } -> tensor<1x8x32xbf16>
    return %98 : tensor<1x8x32xbf16>
  }
}

{-#
  dialect_resources: {
    builtin: {
      torch_tensor_32_32_torch.bfloat16_1: "0x02000000503DDFBD0DBE0A3E893DB33D34BE443C29BEA6BC19BCFFBD33BE993A233E233EDCBD01BD17BE0DBE47BD303E3DBD283C2A3E013D123EF13D2A3EF83C12BE1CBEBBBD153ED03D543D0ABE05BE143E96BC34BEB3BC2EBD2F3B983D8B3D0BBEFEBAB3BDF53DB33DC73D253EB23D35BE373DF8BDC13CF83A343EF7BD31BE42BDE93C053E133E0B3E653D4FBD19BDC6BD0E3DFCBD793DEA3D1A3E32BE153EE3BD6CBC253EC43D66BDD63D30BE0E3E303E04BCEE3C2ABDE5BDA4BD40BC14BE12BE9F3CECBDC5BDC8BABFBD283E83BDC9BD41BD14BEBB3D1C3ED1BD87BD293E03BE443D13BE21BE8C39CFBDC43D60BDE43ABDBD953D283EDABCDFBD31BE2D3E993D963DF73CB63D813DB13DE23DCD3C1C3EE13DB1BBA2BD403C0D3EE53D93BD17BD903D883D2C3EB03D673D273D2ABE85BD993CFCBD1FBEF43D763D12BE2C3CD53DD13D253E8FBDA13D13BEB3BCE6BD0ABDCE3DB43DBEBD34BD11BD8ABDC6BD053EFA3D173EC7BD053E5CBD2ABD43BD0DBC9FBDC63CE9BD953D18BE83BDFDBDF43DF93D10BEC6BD223E533DF93D0BBEA33DE63D28BD05BC043E453D503D0D3A97BDDEBD353E65BC213E143EBDBD453C39BD52BBEF3DC73DCEBDB3BD01BE1ABEE83DE0BD173B7CB9F83C29BCBC3DC73C023E1C3D10BBCD3CF13DDB3CFF3D89BCC93A183E2BBE903C253EB6BD06BD2EBC6F3D893D243D8F3D9BBD983D66BDE33D55BD1ABE4F3CBC3DE3BB163B243AC03D633C22BE01BE2B3C69BC2D3E2ABD0B3E19BE2CBE85BCE5BD53BDA33C1DBEF93DDCBD0B3E6D3D08BD1EBEF03CCABD1C3E18BE3FBDC8BDE9BDBDBD90BC443CF53CB93D94BDE1BD19BD2B3EB1BC18BE0E3E303DFB3CF93CFD3DA5BD043E2E3E3BBDE43DC83D2A3E29BDD7BD86BDF6BDC73B2F3E303E093E8F3C7B3BF03DD73D90BC37BD8F3DC9BBFEBDAABD133E173E8DBD1BBDB3BD6CBD253E21BEAD3D23BEADBD13BD493CEBBCA5BDA1BDDCBDFDBDE2BD2E3EABBD17BEF93D8C3DF93D34BE2CBE00BEBFBDCCB99D3DD43D1CBE903DD1BD263D633DE83C803D11BCEF3D173D1F3E1D3DC0BDE93D1D3C2F3EA0BC333ED3BDB63D07BEF93D033DCE3D1CBE34BEAE3D95BD8F3DD7BD60BD503ADA3DCC3D81BC4DBD49BBBB3D19BE5DBD2FBED13CABBCCD3D113E1BBEA0BDE9BCE7BA25BDE4BD8CBD95BB123E39BDEF3D12BE023C0DBE2ABE903CA6BD053E0F3E34BE4ABCF7BCCEBDFDBD99BDA03D2C3DDA3D2DBCBC3D0C3D1EBD29BC25BE85BB6EBD72BD91BD1EBD06BE2A3CEBBB3FBD1D3EF33D4C3D85BDB93CF9BDFC3D293ED8BC0C3E2A3E2EBC86BD123CEF3C28BE35BC83BDF23DA6BBEE3D213E63BD1C3D78BC9EBDC9BD863B5C3DFFBCF63CE23D973D953D4B3D0BBEDBBD06BEEE3D1FBE07BEEE3DD63D2BBED13D25BD1C3DE3BDDCBC213D0A3EDC3DC5BDEDBD30BC633DC73D34BE6DBCCD3BA9BD0F3E40BD2DBED8BDBA3B07BE253D303EED3B32BD2B3E063EF13D5C3C043C0CBE933C303E193C22BEC73D223E183E093C083DEA3C94BDD3BC143E943C2B3EF0BDD4BC083BD7BD0C3EFD3DC3BD1F3E293ED5BDC8BB343EEBBDE3BCF8BD033EEB3C973D023EE6BC35BE0E3C60BC833DA93DB4BD8FBDE43D4E3D263DA13DA83D03BE673C8A3C2FBE1A3D1BBB0C3E2DBE2A3EB1BDD53D063EB4BCB9BDF0BCE2BDB33C983D163DD0BDC63D263E5CBDBC3D3FBC923D01BE1BBEA4BB19BE823D293E0EBDE03ADC3CAFBD14BC3B3D123E16BE65BB14BE80BC99BB97BDDE3DF83D8CBDCABC5EBD9C3B6F3D273E26BE933DDABD14BE0B3E58BDCBBD473D17BD26BEBDBD99BD62BCEFBD2EBEC93D1BBEAFBC1B3E85BDEFBD413D1E3EA0BC2BBCA93DB53C0B3DC03DA53D02BE8FBDF73DDF3C293D2E3EE03D903D2D3E1FBEE13C3D3DFCBCAABD063D16BE9ABD093E85BD50BDA23D37BDD53C35BECE3D21BEC13C34BE1BBE123EC7BDC8BB013C273E673DB13D9BBD78BD043E853D363D09BE10BE123D08BEFE3D173E96BDE9BD2F3EC1BD10BE03BEFC3C0D3DEA3D123E9A3DCF3C233E95BDFEBC193E74BDC23D1B3D803D26BD1ABE023E153E10BEA9BDF63BB33DCDBC9FBD0D3EB6BD243E453BBE3D2A3DFF3C053E11BCFF3D6F3DCABDED3D01BEBC3D1BBD613DADBC0F3D5BBD963DA93D26BE203E12BEA2BD8F3D273E6B3DCABDFF3CD9BDAA3D143C8D3C0BBEC13D2C3EFBBD763DA0BD42BD203E29BE09BD823DA43D8EBDC6BD123D25BEC03CE5BD04BD233E16BEB3BD0BBED83D163EEABDE43DE83D1CBE773DA53D01BDF43D34BCBCBCCB3D26BE32BE073DA03C4D3CDEBD103EE0BDA0BD19BE34BE2F3D92BDDE3D2F3E6B3D1E3EFCBDBF3DC53D91BD4EBCD9BD8B3C2DBED8BD1CBEB7BC943C12BE85BDD93D0C3CFE3CA0BD55BD20BE293EA53CA73DD43D1F3EFABD4A3D1DBE873DBABD8D3D05BEC03D023EC73D18BEE23DE6BD29BEEC3DF73C7CBD1EBE3A3D9CBD10BEB6BC1ABEB23DEFBD76BD33BEC9BC60BDC83D24BDF43D1E3E143D78BD15BEFDBD74BDE3BDC03D6ABDD4BBF13B1CBE173E8ABD13BE37BB1FBEB53CEABD1FBD55BD033E0C3E333EA03CE73D15BEF3BDC33D1F3D483DCF3DE63DAA3D86BD65BD183D153E5BBC58BDC83DF03D57BB56BD34BE323C5E3D05BE06BE35BE0D3E2A3E333E223E99BCA13DD63D41BDD1BD173E98BC863DA9BDBBBD06BDC03BD63DEB3DB6BC323EC1BD433CE3BDED3C253E16BE2A3D26BE22BDAABD9C39FBBD383D2BBE1F3D8CBDD9BD193E9C3CF0BDCCBDA2BDD6BDB33C233B1E3EA93BC1BD1C3E363D1CBDFE3D143E18BE15BEEEBD1CBE59BD853D25BE31BE1CBEBDBDE33D203E343EFC3A19BE313EF3BD893DB53D603D6F3D29BE74BDE9BDFA3DCEBD8BBB213E093E02BE17BE0F3E503D0BBE1D3E03BE1D3E023E013E0BBD7C3C",
      torch_tensor_16_32_torch.bfloat16_1: "0x02000000F23D0FBD2BBECCBC643C333D683DC1BC18BC18BD8B3D263D933D84BC87BC053EB63C25BE123D273E0CBDDA3D02BEDDBCF23DB5BD39BDC63ADBBC4BBDFA3D04BD44BD083E213DABBDD93DB2BD343E163E8A3C483D92BD0CBE01BE663DB13D0DBB6DBD6CBDC8BDDBBDEF3D1CBE043EC83D46BDBCBC73BD18BE693C0BBEA63B7CBD0CBE27BE213E0D3E263E873DA23DB03D053EE23C953C043EA33DDCBDF33D2F3E89BD2CBEFDBCECBD343E19BDB9BDE73D8B3D553D233E33BEAF3DAABD743D82BD253E0BBD8C3C0EBEDC3D33BEC73D003E103EDD3D67BD143D373D2DBEC43D12BE823D2F3E49BDC63C283E153E173EFABD0F3D17BE053D2BBEA73CB73D21BEDCBC96BD153E90BCE13D06BECA3C033E213C7EBD94BDF73D8F3D423CD63DBCBD09BE23BD053E2FBEB4BD303D883DB53D5B3D20BE6CBDDF3DF93CC73D083ECF3D96BDAEBDFDBCB2BB7CBC0BBDC23CE43DF9BDB83D33BE443C25BE2F3E1ABECABDEF3DC03D0E3E463D23BEFEBDF83D30BE233EF5BC043DF8BB36BD32BD583DFEBCF53C183E823C0EBE09BEE63D7D3D0B3DB5BD14BE1C3E2ABEB4BD8D3D1C3E7ABD30BE283D83BBDDBC21BEFE3DD33C523DDA3D1D3E37BD7F3CE4BD09BEB7BDD93CE5BDCD3D7D3D6EBDB33D073E71BDC93DE23D2A3E05BE113EB338413C02BAEABD84BD13BEBCBC343D01BE8C3D32BEAF3D32BEB8BB053E24BE0FBEAFBD90BDC4BD1F3E02BEA43D02BE6ABD11BE2DBEC4BDC23BC33D8E3D913D193EF5BB313E1EBEAABD11BEF9BD07BE2BBE2A3E0B3DB63D6BBD253DC2BD33BE843CDE3DE6BC653D983D043E2BBE96BD403C2E3E2F3EF5BDEFBD2C3E57BCD3BDBABDD23DE13D183E13BD5ABD08BC1F3E21BEB73DFCBD9BBC193E81BD95BDCDBB9F3D123E2DBE0E3E77BDCD3CC8BD373D31BEE8BDA4BDE43D3E3D00BED13C303E2FBE1E3E0D3E1F3CB8BDA53DAB3D8DBDCDBDEFBD8ABD173D9B3D68BB1C3E503D543DB4BD53BDF13DB93DAABCF3BD2ABE183CE8BDE4BCF1BC2ABEFA3D06BD32BE25BE10BE8EBD34BC953DC2BB2DBE10BEB9BD0E3E04BC27BE98BD04BEC63C77BCE5BC0C3EDBBD993C83BDFD3C10BE8CBDAB3DF1BDA5BDBFBC0DBEE9BD6BBDAABC1CBD243C26BEEABC1FBEBE3D253E0FBE02BE303E0D3EA73DE5BD633DB8BB083EE13DA4BC8D3D1EBEF93CDDBD103E03BE1DBE1ABE4FBD1D3CA6BC953D21BED5BDC9BCB8BB1DBDA63DBB3D02BD0DBCE2BC8E3C98BDE2BC05BE173EF73DF6BD563CD5BD12BD21BE40BCA5BD23BE323E393DF83DEE3C153CA5BD913DE83D29BCBBBD113E7EBCEEBDCE3D323E2B3E153E243E33BE793D1D3EEBBD403D65BD52BCA83D573C82BD08BD893DB7BDF13D28BEF7BD483D8F3BCE3D9B3D0E3CDD3C043E2ABE78BDEA3D0DBEAD3DF13D693DEDBDCBBD273DA2BD8E3D503D033D243E2FBE2EBEF13D73BD2DBE72BD0A3E",
      torch_tensor_16_32_torch.bfloat16: "0x0200000017BECC3D273C063E99BD2F3EF13D4BBD463D04BEF1BDF8BDD0BD493D9CBD7ABDFD3DEF3CB0BD45BD3EBDA93DFF3D103EF6BD9BBC2A3D8DBDEE3DA1BC9B3C1BBE033EF0BD8BBB14BE0A3E273CA33D0EBE763C943D003E053E01BD93BC713D82BD93BD27BE32BEBFBDB53C693C683CD93C06BD33BE223E04BE08BB903D3A3D9DBD1DBE113EA53B253EA93D9B3D1D3D23BDD4BDB03C2E3ED93D243E2A3E0D3ECBBDC5BDC7BBBBBD44BD78BD1E3E43BC2F3E0CBE33BECF3C103D92BDB7BD4E3D113CC2BCB83D9ABD0E3EF7BDBCBD7B3DDE3D0EBB0EBEE7BB74BD67BD06BD2E3D29BDFEBDB5BD18BE35BEAF3DCA3D093E653C95BDDABDB43DDBBD073EC4BD29BE02BE133E093E313D863B1B3EDA3DD63DF6BDE83C243EFFBD343EEDBD55BD09BC3C3D5F3DCFBDA63D403DA1BC34BE333E86BDC1BD333EB7BDF23DDD3DECBD12BEC5BD633D2B3E21BC58BD50BDFCBD353EFBBA0FBEF7BDE13DAF3DEA3D99BC0FBD6D3DE3BA69BD2D3DCEBDFBBD20BD01BE933BE43C313E513D88BA04BE92BDECBC02BE0D3D023ECF3D96BD31BD343EE8BC23BECBBA133C86BD9DBC14BE5F3DFBBD793D083EEABD8EBD8B3CE039D43D2EBCEA3C48BD6F3D5B3D12BEC03D14BD223E34BE90BCA43DFA3D173BC4BD0CBE09BE123E1EBE8FBDBE3DC63D1EBE103DAF3C263ECDBB9A3D7ABC223E94BCD5BD063DC0BD353DFC3D0DBE04BE1E3B29BC61BD183EA23D70BDD23CDABCE8BD943DEFBDAF3CF63D26BEFE3B273EA43D8FBDE43C2ABEE93C1D3E1D3E39BB833DF0BC4BBD5F3BD3BD923DB13D44BD25BDFCBDB93C903D2C3E2BBE19BEA43B273E3A3C493DCE3CADBC013E053ED1BDD9BD0DBE30BD82BB183E2FBE003ECABD6D3C07BCCC3D17BEFDBD853BB73DAEBD603D3FBD29BEA53C1ABDD63DEE3DED3DE33D0CBE2EBEA23C523D0BBE143E99BCD4BDF83D1F3EDF3C67BD9D3C05BEDF3DE33D08BD10BE063E14BEBEBDD83DB4BD0A3D153EB7BC24BD283EF73C7D3D6EBD1CBEE33CD6BDBBBD14BE1B3EF3BD513D153DFA3DC63DFDBDA03DB8BDD53B83BD1BBE593DF2BD313E923D7ABDD4BD27BEB7BDECBD9C3C2D3D1D3EC33C13BDA1BDCCBCBF3D2FBE26BE8F3D5FBD56BDE9BDF1BD08BEDCBD26BEAABD113EC8BD0A3E18BEA83C70BC09BE8D3B173EA4BD263E98BC65BDB33D0E3E1C3ED63D22BE13BD9E3CA5BDA93D1FBD1CBEA0BDEABD8B3D04BE37BD953C9C3D0BBEFA3DE8BD0BBE943DD4BD033E9C3DB0BD1FBDA6BD8ABCDFB98DBBEDBD17BEE8BDF43C943CB6BDEBBC92BB023E23BEA1BDCEBCEEBCBFBDB43D88BD953CCEBD333ED6BD18BD113EC53D23BEE63DC1BDB2BC943D3B3C0B3E89BDFDBD383C793D083EB8BDA2BCD1BD03BE0EBE00BEDBBD6E3DC7BCE43D0B3E0CBE0C3DC63D12BE51BD043E06BE223E793C043D173E29BE1A3E22BEAC3DFFBB0E3E12BB32BEBB3C",
      torch_tensor_32_32_torch.bfloat16: "0x02000000EF3D25BE2CBEAFBD1F3EF1BC9B3DA8BD323E99BD083E093BBFBDBA3DC0BD553D51BD9FBC2EBEADBDC43D30BD343E113E08BCF2BDDC3D613DEABDEB3DDC3D213ECBBDEEBC60BBD43C09BE00BEC53D2ABDB13D253C6E3D1F3D843DB33D28BEB63DFFBD09BE303CF7BCD53DD2BD21BE043ED7BCCC3D693D08BE113D2E3DF2BDACBD773D023D9ABD5BBD263E06BDCC3D9D3DEABD1ABE2E3E173CF83D163D693D073E2C3EF0BDB53C073E033EE13D03BE02BEDBBDB63C343EE5BDC13DC8BD2ABE1ABDD13D283EE1BD1D3D1C3EF03DE23D013EE53D3B3DF8BD18BEA6BDA9BCDEBD843D603D24BD8B3D6A3DDD3DF43D75BD313EA7BCC7BB2BBEE9BDD4BD9BBD013E6DBD07BE8B3D683DEA3DBBBD1D3D84BD23BD10BEA5BD5EBD9B3D043D333D353E303EF73DB83BFABD0D3E35BD6ABC1CBE0FBDEABD263E1CBE0DBEC5BBC4BD823D8BBDAABD243C033EFFBDAA3DE93D313EFDBD2F3D06BE1B3E8CBDDA3DAC3B62BCB9BBF63CAB3DE83C5D3D23BE043E1E3E163E063E03BE86BD203E0ABE243E0EBEFFBDB13D02BE26BD043E0F3E2B3E13BD0DBE323E1ABD95BD313DFDBDEE3DE33D10BE15BE7EBC983DA8BBB8BD843B2ABE00BEF1BD153E203E76BD023CA13DAE3CB5BDD13DDF3D28BCB2BC253E1E3ECDBD313E333DF0BDC63D07BE273EE9BD4D3D5C3D2C3D163E96BD99BD1DBEEEBBACBDE83B14BD703D1D3E563D69BDB2BD1EBE183E09BD123DD63BE7BDCC3DCB3D123CCEBD9ABD203BCFBDCABDD8BC50BD323D3EBDC0BC8ABD25BE1E3E0A3D223EE9BC36BD2ABE89BDED3D31BE7DBDDD3DD13D863D0FBD5BBC0ABD85BD973D77BDCBBD243D03BE1BBDB93D873D1A3EF7BDC93A56BDCABDCCBD363D983CB9BDFFBD16BE313EF7BC27BD85BDB5BD26BED5BDDD3D1F3D7FBD89BDE73D023E2E3E533DAF3D69BCD4BD31BEDD3DD2BC953D0F3C29BEB2BD4C3D13BD2FBE7E3DDE3B69BD923D193D86BD233EB63DB63C0BBD19BE0C3E3BBDEABDE83D813D333D10BD62BDF63C0C3ECF3CABBD343E783B0F3E303D223ED13DB9BDFE3D953A11BE18BD23BEBCBD00BEF83D18BDFABCAD3D933DEFBD853D9A3D10BE1D3EDCBD8EBD15BE253E0A3D183E3D3CC53D67BD10BEE83C81BC92BCB2BD703B503D833D12BEAF3D953CFA3D003E0FBE2E3E32BED03D4C3CAB3DC4BDDA3DB3BD20BE733DC63D333E97BC2E3EE93DB4BD0CBECB3DC6BDA63D1BBE043E593DA6BCA63D01BE1EBDE33AD1BD39BD9CBD2D3E1A3E1C3E143E2DBE723D853D05BE933DC4BDE63C703D1C3EBEBD0EBE273E983DB03D823D80BDDA3D1EBECA3CA43DF73DB5BDF5BD883D10BE16BE23BEB0BD0ABDD6BD99BD20BEDF3D26BDE4BD3D3D07BEFD3DD03D32BE0EBEEFBDC4BDB53C33BE06BEA53D6DBD90BD16BE933D4D3C8CBDDEBD1A3D453DA13D573DDDBC0CBEE63DC7BAF1BD1C3ECA3D0EBEB5BD76BDD1BDA93D01BE283E96BDD63DC53B9FBDF23D0ABEC0BDAE3C103E9BBDDCBDE7BDA0BD7ABD29BDCEBD623DBC3AEDBDCFBD193D25BB003EDCBC13BE06BE55BD20BDA53C22BD863D71BD053E263D5FBD213E393DF6BDC9BDE33DA53D0D3E5EBCFD3DB43D603D28BD2F3E133D3BBD25BB323EF33D57BC313E9F3DC1BD25BED23D2A3ED3BD953DF73B1BBD45BD493D203DF53D853DA53D203E613DD73C84BD053ED63CE93D2F3E22BDFF3D13BD233E0E3E82BDD03B9EBD92BD13BD9EBA7CBD2BBEDBBD78BC67BD063E133EE73DA03D10BE2B3E20BE6EBDFFBD823D17BEB2BDE6BDDFBDA9BD323E6DBC5D3D34BE213E1EBD26BEFA3D44BD243EF6BD28BE08BE9D3DA2BC28BE063D39BC833DB8BD01BEF73DAEBDFF3D133EFDBDA7BDAE3C2BBE5E3D97BDA1BD0CBEA93DE7BD11BE3EBDCABD30BE923D8ABDFE3DFF3DE7BDD3BD81BDD43DC7BB81BDE03D2C3E063E0ABE16BD0BBD1A3EBBBDCFBD353B28BD893DB03CD8BD043EE13D1F3D24BEAA3DF13D4A3D8CBD423C8BBD2A3E2F3EA9BCF4BDD53DB93DC03D08BE763D9BBD1FBEFDBD993D883D1FBECD3D0B3E093ECC3DE3BCF33D0E3EBD3D02BE7DBD0F3E0A3EE73D97BD0FBD07BECEBD0B3E15BE33BD1A3DD9BD293DE9BC913D0BBEC83C25BEE13D303E81BDD63CBBBDE8BDB7BDACBD093DA6BC4B3C0BBEE3BD1DBE02BE183E873D2DBEF2BC683CC13D283E2F3DFF3D81BDBDBBDBBD273D273EE33D343EA3BDB5BC153D123E26BEB2BDD23CD1BD873D45BC3CBDC23D013E303EA43D9EBB143E103EB5BDA53DAA3C9CBD2CBD2BBDFDBD5DBD743D053E5C3C2FBEC03D5BBD223E2FBE29BD0C3E9D3DB5BD1DBEF9BA8C3D16BE17BE12BB14BDE93D2FBEE6BC0CBED3BCB9BD643D17BE0EBECDBD1FBEE53DCFBCC9BDFE3D24BDBB3D60BD17BE1F3DE13D30BE973C103DA63C8FBB61BD0DBEEC3CF3BD16BE68BDF8BD5E3D013E0D3EE0BDC53D013E023B993DCD3D0B3EC23D9B3D89BDCABDACBD153E2FBDCF3B29BE01BC4CBDEABD0C3E13BECFBC4DBC24BEDB3D66BDA33DCA3D203E333D083E273E103D14BD46BDEB3C823D2BBE083EE43C29BE683DE63D873D143E703B16BED2B9043EAEBD9A3D273DEBBCA53A9A3DF8BDE53DF53DCB3D353EFDBB00BE043C52BD803D193EC6BDF33B303E11BEFABC303EFD3D523D9CBD87BC22BE2ABE2ABE2E3E0F3E903D36BD1C3E3FBDFB3DBDBBAABD4ABD1BBD26BE593D5DBDA63DE73DE6BCB03D113DF33DE9BD7EBC71BD1F3E22BECBBDA33C213EF53D29BEFFBD303ED33C1BBE64BD9E3D17BD0BBEE0BDBCBDE3BB8E3DAE3DB0BDF3BC0CBE093E353E303E943D1ABD90BB833D1DBE343C13BE35BEC2BB67BDE5BDF03CEC3BDD3CCBBD31BE7E3B94BD74BD053EED3CA53D4ABD10BE103DF0BDB33C0DBE083EF7BD1D3E003E093ED93D283D0DBC39BB90BD26BE253E163CAA3DD53B",
      torch_tensor_32_torch.bfloat16: "0x02000000A13F483F673F9E3F073FA63F663FA13F893F703F923F833F973F4E3F773F743F893F7F3FB83F943F503F333F6B3F493F573F833FA63FA33F033FA83F923FBD3F"
    }
  }
#-}
