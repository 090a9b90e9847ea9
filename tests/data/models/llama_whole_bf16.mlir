#map = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#map1 = affine_map<(d0, d1, d2) -> (d0, d1, 0)>
#map2 = affine_map<(d0, d1, d2) -> (d2)>
#map3 = affine_map<(d0, d1) -> (d0, d1)>
#map4 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#map5 = affine_map<(d0, d1, d2, d3) -> (d2, d3)>
#map6 = affine_map<(d0) -> (d0)>
#map7 = affine_map<(d0, d1) -> (0, d1)>
#map8 = affine_map<(d0, d1) -> (d0, 0)>
#map9 = affine_map<(d0, d1) -> ()>
#map10 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>
#map11 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, 0)>
module {
  func.func @forward(%arg0: tensor<1x8x32xbf16>) -> tensor<1x8x32xbf16> {
    %c0_i64 = arith.constant 0 : i64
    %cst = arith.constant 0.000000e+00 : bf16
    %cst_0 = arith.constant 0.000000e+00 : f32
    %cst_1 = arith.constant 0xFF800000 : f32
    %true = arith.constant true
    %cst_2 = arith.constant 1.000000e+00 : f32
    %cst_3 = arith.constant dense<0.000000e+00> : tensor<1x2x8x8xf32>
    %cst_4 = arith.constant dense<0.000000e+00> : tensor<f32>
    %cst_5 = arith.constant dense<0xFF800000> : tensor<f32>
    %cst_6 = arith.constant dense<true> : tensor<8x8xi1>
    %cst_7 = arith.constant dense_resource<torch_tensor_32_64_torch.bfloat16> : tensor<32x64xbf16>
    %cst_8 = arith.constant dense_resource<torch_tensor_64_32_torch.bfloat16_1> : tensor<64x32xbf16>
    %cst_9 = arith.constant dense_resource<torch_tensor_64_32_torch.bfloat16> : tensor<64x32xbf16>
    %cst_10 = arith.constant dense_resource<torch_tensor_32_torch.bfloat16_1> : tensor<32xbf16>
    %cst_11 = arith.constant dense_resource<torch_tensor_32_32_torch.bfloat16_3> : tensor<32x32xbf16>
    %cst_12 = arith.constant 0xFFF0000000000000 : f64
    %cst_13 = arith.constant dense_resource<torch_tensor_8_16_torch.bfloat16_1> : tensor<8x16xbf16>
    %cst_14 = arith.constant dense_resource<torch_tensor_8_16_torch.bfloat16> : tensor<8x16xbf16>
    %cst_15 = arith.constant dense_resource<torch_tensor_32_32_torch.bfloat16_2> : tensor<32x32xbf16>
    %cst_16 = arith.constant dense_resource<torch_tensor_32_32_torch.bfloat16_1> : tensor<32x32xbf16>
    %cst_17 = arith.constant dense_resource<torch_tensor_32_32_torch.bfloat16> : tensor<32x32xbf16>
    %cst_18 = arith.constant dense_resource<torch_tensor_32_torch.bfloat16> : tensor<32xbf16>
    %cst_19 = arith.constant 3.200000e+01 : bf16
    %cst_20 = arith.constant 5.000000e-01 : f32
    %0 = tensor.empty() : tensor<1x8x32xbf16>
    %1 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg0, %arg0 : tensor<1x8x32xbf16>, tensor<1x8x32xbf16>) outs(%0 : tensor<1x8x32xbf16>) {
    ^bb0(%in: bf16, %in_54: bf16, %out: bf16):
      %100 = arith.mulf %in, %in_54 : bf16
      linalg.yield %100 : bf16
    } -> tensor<1x8x32xbf16>
    %2 = tensor.empty() : tensor<1x8x1xbf16>
    %3 = linalg.fill ins(%cst : bf16) outs(%2 : tensor<1x8x1xbf16>) -> tensor<1x8x1xbf16>
    %4 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "reduction"]} ins(%1 : tensor<1x8x32xbf16>) outs(%3 : tensor<1x8x1xbf16>) {
    ^bb0(%in: bf16, %out: bf16):
      %100 = arith.addf %in, %out : bf16
      linalg.yield %100 : bf16
    } -> tensor<1x8x1xbf16>
    %5 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%4 : tensor<1x8x1xbf16>) outs(%2 : tensor<1x8x1xbf16>) {
    ^bb0(%in: bf16, %out: bf16):
      %100 = arith.divf %in, %cst_19 : bf16
      linalg.yield %100 : bf16
    } -> tensor<1x8x1xbf16>
    %6 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%5 : tensor<1x8x1xbf16>) outs(%2 : tensor<1x8x1xbf16>) {
    ^bb0(%in: bf16, %out: bf16):
      %100 = math.rsqrt %in : bf16
      linalg.yield %100 : bf16
    } -> tensor<1x8x1xbf16>
    %7 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg0, %6 : tensor<1x8x32xbf16>, tensor<1x8x1xbf16>) outs(%0 : tensor<1x8x32xbf16>) {
    ^bb0(%in: bf16, %in_54: bf16, %out: bf16):
      %100 = arith.mulf %in, %in_54 : bf16
      linalg.yield %100 : bf16
    } -> tensor<1x8x32xbf16>
    %8 = linalg.generic {indexing_maps = [#map, #map2, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%7, %cst_18 : tensor<1x8x32xbf16>, tensor<32xbf16>) outs(%0 : tensor<1x8x32xbf16>) {
    ^bb0(%in: bf16, %in_54: bf16, %out: bf16):
      %100 = arith.mulf %in, %in_54 : bf16
      linalg.yield %100 : bf16
    } -> tensor<1x8x32xbf16>
    %9 = tensor.empty() : tensor<32x32xbf16>
    %transposed = linalg.transpose ins(%cst_17 : tensor<32x32xbf16>) outs(%9 : tensor<32x32xbf16>) permutation = [1, 0] 
    %collapsed = tensor.collapse_shape %8 [[0, 1], [2]] : tensor<1x8x32xbf16> into tensor<8x32xbf16>
    %10 = tensor.empty() : tensor<8x32xf32>
    %11 = linalg.fill ins(%cst_0 : f32) outs(%10 : tensor<8x32xf32>) -> tensor<8x32xf32>
    %12 = linalg.matmul ins(%collapsed, %transposed : tensor<8x32xbf16>, tensor<32x32xbf16>) outs(%11 : tensor<8x32xf32>) -> tensor<8x32xf32>
    %13 = tensor.empty() : tensor<8x32xbf16>
    %14 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel"]} ins(%12 : tensor<8x32xf32>) outs(%13 : tensor<8x32xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %100 = arith.truncf %in : f32 to bf16
      linalg.yield %100 : bf16
    } -> tensor<8x32xbf16>
    %expanded = tensor.expand_shape %14 [[0, 1], [2, 3]] output_shape [1, 8, 2, 16] : tensor<8x32xbf16> into tensor<1x8x2x16xbf16>
    %15 = tensor.empty() : tensor<1x2x8x16xbf16>
    %transposed_21 = linalg.transpose ins(%expanded : tensor<1x8x2x16xbf16>) outs(%15 : tensor<1x2x8x16xbf16>) permutation = [0, 2, 1, 3] 
    %transposed_22 = linalg.transpose ins(%cst_16 : tensor<32x32xbf16>) outs(%9 : tensor<32x32xbf16>) permutation = [1, 0] 
    %16 = linalg.matmul ins(%collapsed, %transposed_22 : tensor<8x32xbf16>, tensor<32x32xbf16>) outs(%11 : tensor<8x32xf32>) -> tensor<8x32xf32>
    %17 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel"]} ins(%16 : tensor<8x32xf32>) outs(%13 : tensor<8x32xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %100 = arith.truncf %in : f32 to bf16
      linalg.yield %100 : bf16
    } -> tensor<8x32xbf16>
    %expanded_23 = tensor.expand_shape %17 [[0, 1], [2, 3]] output_shape [1, 8, 2, 16] : tensor<8x32xbf16> into tensor<1x8x2x16xbf16>
    %transposed_24 = linalg.transpose ins(%expanded_23 : tensor<1x8x2x16xbf16>) outs(%15 : tensor<1x2x8x16xbf16>) permutation = [0, 2, 1, 3] 
    %transposed_25 = linalg.transpose ins(%cst_15 : tensor<32x32xbf16>) outs(%9 : tensor<32x32xbf16>) permutation = [1, 0] 
    %18 = linalg.matmul ins(%collapsed, %transposed_25 : tensor<8x32xbf16>, tensor<32x32xbf16>) outs(%11 : tensor<8x32xf32>) -> tensor<8x32xf32>
    %19 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel"]} ins(%18 : tensor<8x32xf32>) outs(%13 : tensor<8x32xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %100 = arith.truncf %in : f32 to bf16
      linalg.yield %100 : bf16
    } -> tensor<8x32xbf16>
    %expanded_26 = tensor.expand_shape %19 [[0, 1], [2, 3]] output_shape [1, 8, 2, 16] : tensor<8x32xbf16> into tensor<1x8x2x16xbf16>
    %transposed_27 = linalg.transpose ins(%expanded_26 : tensor<1x8x2x16xbf16>) outs(%15 : tensor<1x2x8x16xbf16>) permutation = [0, 2, 1, 3] 
    %extracted_slice = tensor.extract_slice %transposed_21[0, 0, 0, 0] [1, 2, 8, 8] [1, 1, 1, 1] : tensor<1x2x8x16xbf16> to tensor<1x2x8x8xbf16>
    %extracted_slice_28 = tensor.extract_slice %transposed_21[0, 0, 0, 8] [1, 2, 8, 8] [1, 1, 1, 1] : tensor<1x2x8x16xbf16> to tensor<1x2x8x8xbf16>
    %20 = linalg.generic {indexing_maps = [#map4, #map5, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%transposed_21, %cst_14 : tensor<1x2x8x16xbf16>, tensor<8x16xbf16>) outs(%15 : tensor<1x2x8x16xbf16>) {
    ^bb0(%in: bf16, %in_54: bf16, %out: bf16):
      %100 = arith.mulf %in, %in_54 : bf16
      linalg.yield %100 : bf16
    } -> tensor<1x2x8x16xbf16>
    %21 = tensor.empty() : tensor<1x2x8x8xbf16>
    %22 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%extracted_slice_28 : tensor<1x2x8x8xbf16>) outs(%21 : tensor<1x2x8x8xbf16>) {
    ^bb0(%in: bf16, %out: bf16):
      %100 = arith.negf %in : bf16
      linalg.yield %100 : bf16
    } -> tensor<1x2x8x8xbf16>
    %concat = tensor.concat dim(3) %22, %extracted_slice : (tensor<1x2x8x8xbf16>, tensor<1x2x8x8xbf16>) -> tensor<1x2x8x16xbf16>
    %23 = linalg.generic {indexing_maps = [#map4, #map5, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%concat, %cst_13 : tensor<1x2x8x16xbf16>, tensor<8x16xbf16>) outs(%15 : tensor<1x2x8x16xbf16>) {
    ^bb0(%in: bf16, %in_54: bf16, %out: bf16):
      %100 = arith.mulf %in, %in_54 : bf16
      linalg.yield %100 : bf16
    } -> tensor<1x2x8x16xbf16>
    %24 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%20, %23 : tensor<1x2x8x16xbf16>, tensor<1x2x8x16xbf16>) outs(%15 : tensor<1x2x8x16xbf16>) {
    ^bb0(%in: bf16, %in_54: bf16, %out: bf16):
      %100 = arith.addf %in, %in_54 : bf16
      linalg.yield %100 : bf16
    } -> tensor<1x2x8x16xbf16>
    %extracted_slice_29 = tensor.extract_slice %transposed_24[0, 0, 0, 0] [1, 2, 8, 8] [1, 1, 1, 1] : tensor<1x2x8x16xbf16> to tensor<1x2x8x8xbf16>
    %extracted_slice_30 = tensor.extract_slice %transposed_24[0, 0, 0, 8] [1, 2, 8, 8] [1, 1, 1, 1] : tensor<1x2x8x16xbf16> to tensor<1x2x8x8xbf16>
    %25 = linalg.generic {indexing_maps = [#map4, #map5, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%transposed_24, %cst_14 : tensor<1x2x8x16xbf16>, tensor<8x16xbf16>) outs(%15 : tensor<1x2x8x16xbf16>) {
    ^bb0(%in: bf16, %in_54: bf16, %out: bf16):
      %100 = arith.mulf %in, %in_54 : bf16
      linalg.yield %100 : bf16
    } -> tensor<1x2x8x16xbf16>
    %26 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%extracted_slice_30 : tensor<1x2x8x8xbf16>) outs(%21 : tensor<1x2x8x8xbf16>) {
    ^bb0(%in: bf16, %out: bf16):
      %100 = arith.negf %in : bf16
      linalg.yield %100 : bf16
    } -> tensor<1x2x8x8xbf16>
    %concat_31 = tensor.concat dim(3) %26, %extracted_slice_29 : (tensor<1x2x8x8xbf16>, tensor<1x2x8x8xbf16>) -> tensor<1x2x8x16xbf16>
    %27 = linalg.generic {indexing_maps = [#map4, #map5, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%concat_31, %cst_13 : tensor<1x2x8x16xbf16>, tensor<8x16xbf16>) outs(%15 : tensor<1x2x8x16xbf16>) {
    ^bb0(%in: bf16, %in_54: bf16, %out: bf16):
      %100 = arith.mulf %in, %in_54 : bf16
      linalg.yield %100 : bf16
    } -> tensor<1x2x8x16xbf16>
    %28 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%25, %27 : tensor<1x2x8x16xbf16>, tensor<1x2x8x16xbf16>) outs(%15 : tensor<1x2x8x16xbf16>) {
    ^bb0(%in: bf16, %in_54: bf16, %out: bf16):
      %100 = arith.addf %in, %in_54 : bf16
      linalg.yield %100 : bf16
    } -> tensor<1x2x8x16xbf16>
    %29 = tensor.empty() : tensor<1x2x8x16xf32>
    %30 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%24 : tensor<1x2x8x16xbf16>) outs(%29 : tensor<1x2x8x16xf32>) {
    ^bb0(%in: bf16, %out: f32):
      %100 = arith.extf %in : bf16 to f32
      linalg.yield %100 : f32
    } -> tensor<1x2x8x16xf32>
    %31 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%28 : tensor<1x2x8x16xbf16>) outs(%29 : tensor<1x2x8x16xf32>) {
    ^bb0(%in: bf16, %out: f32):
      %100 = arith.extf %in : bf16 to f32
      linalg.yield %100 : f32
    } -> tensor<1x2x8x16xf32>
    %32 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%transposed_27 : tensor<1x2x8x16xbf16>) outs(%29 : tensor<1x2x8x16xf32>) {
    ^bb0(%in: bf16, %out: f32):
      %100 = arith.extf %in : bf16 to f32
      linalg.yield %100 : f32
    } -> tensor<1x2x8x16xf32>
    %33 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%30 : tensor<1x2x8x16xf32>) outs(%29 : tensor<1x2x8x16xf32>) {
    ^bb0(%in: f32, %out: f32):
      %100 = arith.mulf %in, %cst_20 : f32
      linalg.yield %100 : f32
    } -> tensor<1x2x8x16xf32>
    %34 = tensor.empty() : tensor<8xi64>
    %35 = linalg.generic {indexing_maps = [#map6], iterator_types = ["parallel"]} outs(%34 : tensor<8xi64>) {
    ^bb0(%out: i64):
      %100 = linalg.index 0 : index
      %101 = arith.index_cast %100 : index to i64
      linalg.yield %101 : i64
    } -> tensor<8xi64>
    %expanded_32 = tensor.expand_shape %35 [[0, 1]] output_shape [1, 8] : tensor<8xi64> into tensor<1x8xi64>
    %expanded_33 = tensor.expand_shape %35 [[0, 1]] output_shape [8, 1] : tensor<8xi64> into tensor<8x1xi64>
    %36 = tensor.empty() : tensor<8x8xi64>
    %37 = linalg.generic {indexing_maps = [#map7, #map8, #map3], iterator_types = ["parallel", "parallel"]} ins(%expanded_32, %expanded_33 : tensor<1x8xi64>, tensor<8x1xi64>) outs(%36 : tensor<8x8xi64>) {
    ^bb0(%in: i64, %in_54: i64, %out: i64):
      %100 = arith.subi %in, %in_54 : i64
      linalg.yield %100 : i64
    } -> tensor<8x8xi64>
    %38 = tensor.empty() : tensor<8x8xi1>
    %39 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel"]} ins(%37 : tensor<8x8xi64>) outs(%38 : tensor<8x8xi1>) {
    ^bb0(%in: i64, %out: i1):
      %100 = arith.cmpi sle, %in, %c0_i64 : i64
      linalg.yield %100 : i1
    } -> tensor<8x8xi1>
    %40 = linalg.generic {indexing_maps = [#map3, #map3, #map3], iterator_types = ["parallel", "parallel"]} ins(%39, %cst_6 : tensor<8x8xi1>, tensor<8x8xi1>) outs(%38 : tensor<8x8xi1>) {
    ^bb0(%in: i1, %in_54: i1, %out: i1):
      %100 = arith.andi %in, %in_54 : i1
      linalg.yield %100 : i1
    } -> tensor<8x8xi1>
    %41 = tensor.empty() : tensor<8x8xf32>
    %42 = linalg.generic {indexing_maps = [#map3, #map9, #map9, #map3], iterator_types = ["parallel", "parallel"]} ins(%40, %cst_4, %cst_5 : tensor<8x8xi1>, tensor<f32>, tensor<f32>) outs(%41 : tensor<8x8xf32>) {
    ^bb0(%in: i1, %in_54: f32, %in_55: f32, %out: f32):
      %100 = arith.select %in, %in_54, %in_55 : f32
      linalg.yield %100 : f32
    } -> tensor<8x8xf32>
    %43 = tensor.empty() : tensor<1x2x16x8xf32>
    %transposed_34 = linalg.transpose ins(%31 : tensor<1x2x8x16xf32>) outs(%43 : tensor<1x2x16x8xf32>) permutation = [0, 1, 3, 2] 
    %44 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%transposed_34 : tensor<1x2x16x8xf32>) outs(%43 : tensor<1x2x16x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      %100 = arith.mulf %in, %cst_20 : f32
      linalg.yield %100 : f32
    } -> tensor<1x2x16x8xf32>
    %collapsed_35 = tensor.collapse_shape %33 [[0, 1], [2], [3]] : tensor<1x2x8x16xf32> into tensor<2x8x16xf32>
    %collapsed_36 = tensor.collapse_shape %44 [[0, 1], [2], [3]] : tensor<1x2x16x8xf32> into tensor<2x16x8xf32>
    %45 = tensor.empty() : tensor<2x8x8xf32>
    %46 = linalg.fill ins(%cst_0 : f32) outs(%45 : tensor<2x8x8xf32>) -> tensor<2x8x8xf32>
    %47 = linalg.batch_matmul ins(%collapsed_35, %collapsed_36 : tensor<2x8x16xf32>, tensor<2x16x8xf32>) outs(%46 : tensor<2x8x8xf32>) -> tensor<2x8x8xf32>
    %expanded_37 = tensor.expand_shape %47 [[0, 1], [2], [3]] output_shape [1, 2, 8, 8] : tensor<2x8x8xf32> into tensor<1x2x8x8xf32>
    %48 = tensor.empty() : tensor<1x2x8x8xf32>
    %49 = linalg.generic {indexing_maps = [#map4, #map5, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_37, %42 : tensor<1x2x8x8xf32>, tensor<8x8xf32>) outs(%48 : tensor<1x2x8x8xf32>) {
    ^bb0(%in: f32, %in_54: f32, %out: f32):
      %100 = arith.addf %in, %in_54 : f32
      linalg.yield %100 : f32
    } -> tensor<1x2x8x8xf32>
    %50 = tensor.empty() : tensor<1x2x8xi64>
    %51 = linalg.fill ins(%c0_i64 : i64) outs(%50 : tensor<1x2x8xi64>) -> tensor<1x2x8xi64>
    %52 = tensor.empty() : tensor<1x2x8xf32>
    %53 = linalg.fill ins(%cst_1 : f32) outs(%52 : tensor<1x2x8xf32>) -> tensor<1x2x8xf32>
    %54:2 = linalg.generic {indexing_maps = [#map4, #map10, #map10], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%49 : tensor<1x2x8x8xf32>) outs(%53, %51 : tensor<1x2x8xf32>, tensor<1x2x8xi64>) {
    ^bb0(%in: f32, %out: f32, %out_54: i64):
      %100 = linalg.index 3 : index
      %101 = arith.index_cast %100 : index to i64
      %102 = arith.maximumf %in, %out : f32
      %103 = arith.cmpf ogt, %in, %out : f32
      %104 = arith.select %103, %101, %out_54 : i64
      linalg.yield %102, %104 : f32, i64
    } -> (tensor<1x2x8xf32>, tensor<1x2x8xi64>)
    %expanded_38 = tensor.expand_shape %54#0 [[0], [1], [2, 3]] output_shape [1, 2, 8, 1] : tensor<1x2x8xf32> into tensor<1x2x8x1xf32>
    %55 = linalg.generic {indexing_maps = [#map4, #map11, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%49, %expanded_38 : tensor<1x2x8x8xf32>, tensor<1x2x8x1xf32>) outs(%48 : tensor<1x2x8x8xf32>) {
    ^bb0(%in: f32, %in_54: f32, %out: f32):
      %100 = arith.subf %in, %in_54 : f32
      linalg.yield %100 : f32
    } -> tensor<1x2x8x8xf32>
    %56 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%55 : tensor<1x2x8x8xf32>) outs(%48 : tensor<1x2x8x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      %100 = math.exp %in : f32
      linalg.yield %100 : f32
    } -> tensor<1x2x8x8xf32>
    %57 = tensor.empty() : tensor<1x2x8x1xf32>
    %58 = linalg.fill ins(%cst_0 : f32) outs(%57 : tensor<1x2x8x1xf32>) -> tensor<1x2x8x1xf32>
    %59 = linalg.generic {indexing_maps = [#map4, #map11], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%56 : tensor<1x2x8x8xf32>) outs(%58 : tensor<1x2x8x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %100 = arith.addf %in, %out : f32
      linalg.yield %100 : f32
    } -> tensor<1x2x8x1xf32>
    %60 = linalg.generic {indexing_maps = [#map4, #map11, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%56, %59 : tensor<1x2x8x8xf32>, tensor<1x2x8x1xf32>) outs(%48 : tensor<1x2x8x8xf32>) {
    ^bb0(%in: f32, %in_54: f32, %out: f32):
      %100 = arith.divf %in, %in_54 : f32
      linalg.yield %100 : f32
    } -> tensor<1x2x8x8xf32>
    %61 = tensor.empty() : tensor<1x2x8x8xi1>
    %62 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%49 : tensor<1x2x8x8xf32>) outs(%61 : tensor<1x2x8x8xi1>) {
    ^bb0(%in: f32, %out: i1):
      %100 = arith.extf %in : f32 to f64
      %101 = arith.cmpf oeq, %100, %cst_12 : f64
      linalg.yield %101 : i1
    } -> tensor<1x2x8x8xi1>
    %63 = tensor.empty() : tensor<1x2x8x1xi1>
    %64 = linalg.fill ins(%true : i1) outs(%63 : tensor<1x2x8x1xi1>) -> tensor<1x2x8x1xi1>
    %65 = linalg.generic {indexing_maps = [#map4, #map11], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%62 : tensor<1x2x8x8xi1>) outs(%64 : tensor<1x2x8x1xi1>) {
    ^bb0(%in: i1, %out: i1):
      %100 = arith.andi %in, %out : i1
      linalg.yield %100 : i1
    } -> tensor<1x2x8x1xi1>
    %66 = linalg.generic {indexing_maps = [#map11, #map4, #map4, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%65, %cst_3, %60 : tensor<1x2x8x1xi1>, tensor<1x2x8x8xf32>, tensor<1x2x8x8xf32>) outs(%48 : tensor<1x2x8x8xf32>) {
    ^bb0(%in: i1, %in_54: f32, %in_55: f32, %out: f32):
      %100 = arith.select %in, %in_54, %in_55 : f32
      linalg.yield %100 : f32
    } -> tensor<1x2x8x8xf32>
    %collapsed_39 = tensor.collapse_shape %66 [[0, 1], [2], [3]] : tensor<1x2x8x8xf32> into tensor<2x8x8xf32>
    %collapsed_40 = tensor.collapse_shape %32 [[0, 1], [2], [3]] : tensor<1x2x8x16xf32> into tensor<2x8x16xf32>
    %67 = tensor.empty() : tensor<2x8x16xf32>
    %68 = linalg.fill ins(%cst_0 : f32) outs(%67 : tensor<2x8x16xf32>) -> tensor<2x8x16xf32>
    %69 = linalg.batch_matmul ins(%collapsed_39, %collapsed_40 : tensor<2x8x8xf32>, tensor<2x8x16xf32>) outs(%68 : tensor<2x8x16xf32>) -> tensor<2x8x16xf32>
    %expanded_41 = tensor.expand_shape %69 [[0, 1], [2], [3]] output_shape [1, 2, 8, 16] : tensor<2x8x16xf32> into tensor<1x2x8x16xf32>
    %70 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_41 : tensor<1x2x8x16xf32>) outs(%15 : tensor<1x2x8x16xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %100 = arith.truncf %in : f32 to bf16
      linalg.yield %100 : bf16
    } -> tensor<1x2x8x16xbf16>
    %71 = tensor.empty() : tensor<1x8x2x16xbf16>
    %transposed_42 = linalg.transpose ins(%70 : tensor<1x2x8x16xbf16>) outs(%71 : tensor<1x8x2x16xbf16>) permutation = [0, 2, 1, 3] 
    %transposed_43 = linalg.transpose ins(%cst_11 : tensor<32x32xbf16>) outs(%9 : tensor<32x32xbf16>) permutation = [1, 0] 
    %collapsed_44 = tensor.collapse_shape %transposed_42 [[0, 1], [2, 3]] : tensor<1x8x2x16xbf16> into tensor<8x32xbf16>
    %72 = linalg.matmul ins(%collapsed_44, %transposed_43 : tensor<8x32xbf16>, tensor<32x32xbf16>) outs(%11 : tensor<8x32xf32>) -> tensor<8x32xf32>
    %73 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel"]} ins(%72 : tensor<8x32xf32>) outs(%13 : tensor<8x32xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %100 = arith.truncf %in : f32 to bf16
      linalg.yield %100 : bf16
    } -> tensor<8x32xbf16>
    %expanded_45 = tensor.expand_shape %73 [[0, 1], [2]] output_shape [1, 8, 32] : tensor<8x32xbf16> into tensor<1x8x32xbf16>
    %74 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg0, %expanded_45 : tensor<1x8x32xbf16>, tensor<1x8x32xbf16>) outs(%0 : tensor<1x8x32xbf16>) {
    ^bb0(%in: bf16, %in_54: bf16, %out: bf16):
      %100 = arith.addf %in, %in_54 : bf16
      linalg.yield %100 : bf16
    } -> tensor<1x8x32xbf16>
    %75 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%74, %74 : tensor<1x8x32xbf16>, tensor<1x8x32xbf16>) outs(%0 : tensor<1x8x32xbf16>) {
    ^bb0(%in: bf16, %in_54: bf16, %out: bf16):
      %100 = arith.mulf %in, %in_54 : bf16
      linalg.yield %100 : bf16
    } -> tensor<1x8x32xbf16>
    %76 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "reduction"]} ins(%75 : tensor<1x8x32xbf16>) outs(%3 : tensor<1x8x1xbf16>) {
    ^bb0(%in: bf16, %out: bf16):
      %100 = arith.addf %in, %out : bf16
      linalg.yield %100 : bf16
    } -> tensor<1x8x1xbf16>
    %77 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%76 : tensor<1x8x1xbf16>) outs(%2 : tensor<1x8x1xbf16>) {
    ^bb0(%in: bf16, %out: bf16):
      %100 = arith.divf %in, %cst_19 : bf16
      linalg.yield %100 : bf16
    } -> tensor<1x8x1xbf16>
    %78 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%77 : tensor<1x8x1xbf16>) outs(%2 : tensor<1x8x1xbf16>) {
    ^bb0(%in: bf16, %out: bf16):
      %100 = math.rsqrt %in : bf16
      linalg.yield %100 : bf16
    } -> tensor<1x8x1xbf16>
    %79 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%74, %78 : tensor<1x8x32xbf16>, tensor<1x8x1xbf16>) outs(%0 : tensor<1x8x32xbf16>) {
    ^bb0(%in: bf16, %in_54: bf16, %out: bf16):
      %100 = arith.mulf %in, %in_54 : bf16
      linalg.yield %100 : bf16
    } -> tensor<1x8x32xbf16>
    %80 = linalg.generic {indexing_maps = [#map, #map2, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%79, %cst_10 : tensor<1x8x32xbf16>, tensor<32xbf16>) outs(%0 : tensor<1x8x32xbf16>) {
    ^bb0(%in: bf16, %in_54: bf16, %out: bf16):
      %100 = arith.mulf %in, %in_54 : bf16
      linalg.yield %100 : bf16
    } -> tensor<1x8x32xbf16>
    %81 = tensor.empty() : tensor<32x64xbf16>
    %transposed_46 = linalg.transpose ins(%cst_9 : tensor<64x32xbf16>) outs(%81 : tensor<32x64xbf16>) permutation = [1, 0] 
    %collapsed_47 = tensor.collapse_shape %80 [[0, 1], [2]] : tensor<1x8x32xbf16> into tensor<8x32xbf16>
    %82 = tensor.empty() : tensor<8x64xf32>
    %83 = linalg.fill ins(%cst_0 : f32) outs(%82 : tensor<8x64xf32>) -> tensor<8x64xf32>
    %84 = linalg.matmul ins(%collapsed_47, %transposed_46 : tensor<8x32xbf16>, tensor<32x64xbf16>) outs(%83 : tensor<8x64xf32>) -> tensor<8x64xf32>
    %85 = tensor.empty() : tensor<8x64xbf16>
    %86 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel"]} ins(%84 : tensor<8x64xf32>) outs(%85 : tensor<8x64xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %100 = arith.truncf %in : f32 to bf16
      linalg.yield %100 : bf16
    } -> tensor<8x64xbf16>
    %expanded_48 = tensor.expand_shape %86 [[0, 1], [2]] output_shape [1, 8, 64] : tensor<8x64xbf16> into tensor<1x8x64xbf16>
    %87 = tensor.empty() : tensor<1x8x64xf32>
    %88 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%expanded_48 : tensor<1x8x64xbf16>) outs(%87 : tensor<1x8x64xf32>) {
    ^bb0(%in: bf16, %out: f32):
      %100 = arith.extf %in : bf16 to f32
      linalg.yield %100 : f32
    } -> tensor<1x8x64xf32>
    %89 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%88 : tensor<1x8x64xf32>) outs(%87 : tensor<1x8x64xf32>) {
    ^bb0(%in: f32, %out: f32):
      %100 = arith.negf %in : f32
      %101 = math.exp %100 : f32
      %102 = arith.addf %101, %cst_2 : f32
      %103 = arith.divf %cst_2, %102 : f32
      linalg.yield %103 : f32
    } -> tensor<1x8x64xf32>
    %90 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%88, %89 : tensor<1x8x64xf32>, tensor<1x8x64xf32>) outs(%87 : tensor<1x8x64xf32>) {
    ^bb0(%in: f32, %in_54: f32, %out: f32):
      %100 = arith.mulf %in, %in_54 : f32
      linalg.yield %100 : f32
    } -> tensor<1x8x64xf32>
    %91 = tensor.empty() : tensor<1x8x64xbf16>
    %92 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%90 : tensor<1x8x64xf32>) outs(%91 : tensor<1x8x64xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %100 = arith.truncf %in : f32 to bf16
      linalg.yield %100 : bf16
    } -> tensor<1x8x64xbf16>
    %transposed_49 = linalg.transpose ins(%cst_8 : tensor<64x32xbf16>) outs(%81 : tensor<32x64xbf16>) permutation = [1, 0] 
    %93 = linalg.matmul ins(%collapsed_47, %transposed_49 : tensor<8x32xbf16>, tensor<32x64xbf16>) outs(%83 : tensor<8x64xf32>) -> tensor<8x64xf32>
    %94 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel"]} ins(%93 : tensor<8x64xf32>) outs(%85 : tensor<8x64xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %100 = arith.truncf %in : f32 to bf16
      linalg.yield %100 : bf16
    } -> tensor<8x64xbf16>
    %expanded_50 = tensor.expand_shape %94 [[0, 1], [2]] output_shape [1, 8, 64] : tensor<8x64xbf16> into tensor<1x8x64xbf16>
    %95 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%92, %expanded_50 : tensor<1x8x64xbf16>, tensor<1x8x64xbf16>) outs(%91 : tensor<1x8x64xbf16>) {
    ^bb0(%in: bf16, %in_54: bf16, %out: bf16):
      %100 = arith.mulf %in, %in_54 : bf16
      linalg.yield %100 : bf16
    } -> tensor<1x8x64xbf16>
    %96 = tensor.empty() : tensor<64x32xbf16>
    %transposed_51 = linalg.transpose ins(%cst_7 : tensor<32x64xbf16>) outs(%96 : tensor<64x32xbf16>) permutation = [1, 0] 
    %collapsed_52 = tensor.collapse_shape %95 [[0, 1], [2]] : tensor<1x8x64xbf16> into tensor<8x64xbf16>
    %97 = linalg.matmul ins(%collapsed_52, %transposed_51 : tensor<8x64xbf16>, tensor<64x32xbf16>) outs(%11 : tensor<8x32xf32>) -> tensor<8x32xf32>
    %98 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel"]} ins(%97 : tensor<8x32xf32>) outs(%13 : tensor<8x32xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %100 = arith.truncf %in : f32 to bf16
      linalg.yield %100 : bf16
    } -> tensor<8x32xbf16>
    %expanded_53 = tensor.expand_shape %98 [[0, 1], [2]] output_shape [1, 8, 32] : tensor<8x32xbf16> into tensor<1x8x32xbf16>
    %99 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%74, %expanded_53 : tensor<1x8x32xbf16>, tensor<1x8x32xbf16>) outs(%0 : tensor<1x8x32xbf16>) {
    ^bb0(%in: bf16, %in_54: bf16, %out: bf16):
      %100 = arith.addf %in, %in_54 : bf16
      linalg.yield %100 : bf16
    } -> tensor<1x8x32xbf16>
    return %99 : tensor<1x8x32xbf16>
  }
}

{-#
  dialect_resources: {
    builtin: {
      torch_tensor_32_64_torch.bfloat16: "0x0200000005BDDC3DC8BDEC3D0E3DD9BD5EBD933C953DD5BCAE3D673D9A3D3EBCE4BCC3BDFEBDA4BD84BDA93CAF3D80BCE0BC0CBDE73DAB3DDEBD903DCFBC98BD493D903DF83DB63A4E3D203CC33DB1BDFCBD183D983C493D913DDFBCCBBD2BBDE0BBBDBDB53CA23DAABC473D753DF73D05BB9DBC483C49BDC63D0B3CD6BDA4BD55BD8A3C6DBC8B3DC43DB2BCD3BBEA3DABBC9B3DA8BDA33B983DE2BDAFBD06BDCABDF33D943B443DFCBDAABD21BD69BCD4BDD53C753DF8BDBBBD2E3C913BA7BDAE3DC5BC933DC1BDD0BCA8BD8ABCAA3D383DF1BD403DC9BD88BD8F3D9F3D8D3D963C0C3C94BDDBBD30BDAABDEB3D2A3DDD3C483D893D32BC153DE2BDE53DE63DA33D763D833D223D363D29BCF23BD5BDB6BCC53CEFBD5EBD23BCE23DFA3DE73DC03CCBBDB6BDDD3CA53C3D3DFDBD99BD9FBDD53DFCBD80BDAC3DB2BCC1BDBCBDAD3CCF3D893D5D3D81BDB93CB8BD9EBD80BD883D33BDDDBD993D63BCAE3C703D55BC2A3DB03D0EBDC73D063DA83BD1BDC63DDB3C9F3D753C863DCC3D3D3C5F3CE9BDE3BCB0BDD73DDB3CC4BD09BD24BDD13D8F3D4D3DB53D9BBD593D74BD9BBC15BD1B3DFE3DDD3D7BBDD03D2FBD8ABC71BDCEBD29BDCBBCECBD703D84BC013DD3BD923C0CBDBBBD693CDBBDDABD15BDF13DEFBCB1BCCA3CFA3DF73D27BD95B8E7BD45BDA43DFBBDC8BD513DE2BD51BDCCBDE8BDFABC093D73BD6BBDEFBC40BDE83DB53CF7BDF7BDF33DC73C2DBDE33DABBC623CFFBDEBBDFCBD333DAC3D8FBD623DFD3DF83CA63B01BDAC3CC33DA43DF9BD443D84BDC83DB4BDF6BD843D28BD953A6BBC483C17BDAE3C6BBDA63D4C3D94BDD2BC5AB91BBBC93D42BD773DB6BDAF39A6BDB5BC353DE7BCD43DD6BC863D37BCBABD013D38BD833D26BDBEBDE53DFEBD9D3CF73DA6BDFABDB33D743CAC3DDA3C353B353DFDBD5B3D4FBD9DBD0B3D883BDB3D92BDD6BD5E3C383C87BD39BDCD3DD13D74BD07BD17BD4BBDFFBB183D8EBDB9BCEABDA13D06BDA6BDF33D2E3D8C3DAE3D293D89BDEEBD46BD11BDCCBC903DF2BD833D8D3D3F3CCDBC903DA8BD15BC223DEF3CB83BFA3CCEBD943DC7BD443D89BC69BD8E3BEBBCE83DD53D443DAEBBCE3DDCBDE73D5B3DAE3DEC3D283C103D833DADBDFB3DF0BB383DA6BDE33DC13CC7BDAF3D2D3D793D40BCB73CAEBDDD3DB63D01BCE0BDACBD7ABDA93DA5BD76BD55BDCBBD463D2B3DDDBDBB3DA23B99BD013CDF3C1B3D93BDFC3DC93DE33DC7BBE6BAC5BDEE3DA1BC03BD06BDA6BDD5BD8ABBD3BD86BDA43D473DBCBDACBC55BD2F3D2EBC4F3D003DDA3CA93D3C3DFCBDDD3DCDBD983D3ABC793D49BD6BBC07BDEC3D97BD9F3DDBBD283DD7BD8DBD8A3DA33D90BCCEBDC6BDC33C923D4A3DFABD6FBD4E3DB43D813DF1BC81BC29BD34BDB8BC263D9EBBEB3C4ABC893D47BD623CC9BBAFBD93B9DC3CB13CE33C80BDC2BD313D243C67BDFF3D463DD63DD8BDFA3CEFBD94BDFE3C513D423D803D8EBD39BD9EBC8C3C9E3C7BBDC23DF5BD8D3DF2BDFFBD79BAE63D07BCF5BBBE3D313DDD3DC03D2ABD313DB0BDD23D2BBDCB3DA3BD073D213CDD3DC63DA8BDA7BD80BDAABD5F3C2ABDC93CD23DA4BDDDBD533DCABDE6BDBEBD0E3DFABD663CFC3D213CAF3DC23DCEBD6E3D773DD83CEBBDD43DBDBDBE3DE2BD0B3CD53D6ABCE8BD83BDD23D3DBCA23D793CC23D05BDB93D043A9C3D543CD93DF63DEFBD4E3DF93C38BC473DC73D3CBDF93D9A3D6F3DB1BDF33DB93D4DBBCCBDDBBCAC3DB3BD173DA7BDDCBC333D853D8FBDB3BD3B3C2DBCC2BD29BDEABDF53B9A3D03BD5C3C0B3D6BBDCB3D173C933DA5BDC33CE8BDBFBC053DB0BDB7BDB6BD5EBDA03D0C3D84BD8E3CC3BDB8BDE4BC4FBD053CE93CDDBD75BD55BDBBBD443DC53B9BBC4CBDFF3DDEBD89BDE8BD333DB7BD8E3C80BDDDBDE9BD4CBD2D3DABBD18BCD23BE43C85BDB4BD5F3DD93CDCBA863DB13D473D1E3D88BDCB3DB8BCD63D6BBDD4BDB9BD313A433BD53BF33DDCBD263CFE3DC6BBCFBD7C3CDDBD97BD89BDD33D5C3D68BD853DB9BDBEBDCB3A03BD853D913DFA3D15BDD43D2EBCA4BDF0BC8D3C943DD33DC5BDE53D8A3DBB3BF6BD3F3C923C79BD8ABDCBBDAFBB6B3CDE3DB43D23BD9E3CE93D933D213CA53DA6BD963C993BBB3DC4BCECBDA5BC18BCD63CFBBDADBD873DC63DA43C343CF93DEBBD26BCF43DEA3DEDBCED3BCBBD0C3C573DA23C45BDF6BD023CCBBD013DD3BDA73DE6BDC03C4D3DDC3DE93D55BBAA3DB9BCA53DCF3D5DBD5F3D18BD793DE63DF8BDAABDE1BDBDBDAF3D6B3D9ABD333DC83DA8BD593D6BBDCE3CE7BD6CBDE53CBEBD75BD813D8EBDC43D003D4A3D663D33BDD3BDD3BDCFBD7ABD193DC1BDADBD2D3DB4BC6B3DAD3C13BBCEBD443D0C3D8CBD203DD03D783B963C72BBC03C8EBD0C3DABBDC7BDDA3DC23DEE3D96BDDC3DDBBD84BDB63C993DFABDBA3D453C393D4FBBF53D6E3B823C29BD85BDA93D23BDFEBC1B3DDDBD843DA93DD73DC43B95BDB73D983DF03DCEBD98BDF5BDB2BDD03DF7BD4C3DA8BCE73DF63DED3C48BD8C3D7A3D17BDDEBD7D3C26BD87BD983CBF3DF8BD8E3D6FBC1DBCEA3D973B62BDFFBCF4BCBEBDB5BD573DDEBD02BDB23D3DBC10BD21BDF7BCB7BDE5BD7CBCD63CB03D74BCA3BD653DF0BDFF3C853D9DBC853DD8BD47BD733DF93DBC3D043DE1BDF2BCC6BDBBBD37BD13BDD53DDFBD9E3D433DB2BD7DBCA9BDBB3C0A3D86BDCA3D8EBDA7BC8CBBB2BDC1BCA2BD183C183CE5BDCD3DD43BF13D5D3C51BD39BD75BCD8BCFE3CA6BC84BD2E3DFD3D8DBC223DB2BDA9BDFEBD81BD843DDE3DFD3D6C3C82BDF3BB4B3D873DFBBCAEBCDFBD363D7C3CB3BD963CAC3CB3BDF93D8FBD793D27BDA0BD18BD6FB9CABC873DE4BD93BDE5BCC6BD82BDDFBD7C3D7FBD953DDB3DA7BDCB3D1ABCF73D4E3D8A3DCDBCEC3C12BC133DA13CB9BDE73DC3BDE83DAEBDDF3CBC3DCEBD94BDD73D99BD9E3D9D3DA9BD9CBDEFBD11BD4ABD9C3DC7BDFDBD933C1ABDD53DE03DE73C563DF53DC03CB03DDB3DF7BDA83D803D89BB3F3DD23D17BDC7BD303CD93D813D03BDB6BCD73C8CBBED3C283DAF3C3CBDB1BD1FBDFF3D073C15BD27BD77BD5D3DA4BDD83CAA3DAFBD003ED1BDDA3D973D083CC9BDA5BC0FBD923CFA3DFE3DB63DA2BDE73D983D7EBD263DABBDA8BDF63A843DC1BDF1BAB13CE4BC903D48BDA83D25BD9F3B093D9E3C583D95BD8C3DDDBD87BC4EBD2C3D02BD2D3D943D343DE33D333D9A3DC63DB63CC33C0CBCE63DCF3CBE3CEA3D51BDA5BDC1BD133CF93D90BC3BBC2C3D563C953D4BBDD4BDB73C9BBD7F3CE4BCDF3DE83CE53DAF3CDEBCADBD063DB4BD79BC4EBBC5BD53BC88BD863DD1BDFC3D943DE6BCCB3C113D6FBDD13DB33D2DBC853DCE3DF0BB5E3D9E3D54BCB8BDB4BDEE39B7BDB83D65BDD73DBBBD4CBDB03D77BCA13D603D993D52BD863DD8BDB1BD0ABD5DBDBA3DBBBD89BDF03BFCBDFEBD973D5ABCF1BDE3BDFD3D5ABD9D3D82BDDDBD46BD8A3D9EBD873D733BCA3DB43C523CA5BB99BDD1BDA83DA43D843DD83D3FBD993D94BD703D3C3DC8BD1B3DA0BBB53D653D513C003E6CBD1F3DD7BD9C3B2E3BA33DD0BD56BDC9BD92BDA13DEEBCE7BDC83DFE3D793D34BD153D913C15BD3D3DA63D283D5BBDE23D7E3D9FBD02BDCE3D44BD8E3D6BBDA53ADCBD95BD0DBB193D163DA4BD0C3DBC3C213A1EBAE3BD673D873C513DD63B453D9EBD6F3D7FBCE5BDC33D6EBCF7BDAA3C96BC8E3D42BDF9BDB23DBC3DF9BDAE3DF9BCCA3CF73D8A3C103DCCBD56BCD53DD2BCF93D46BA8E3D2F3DA3BD823D84BDE73D8DBD5D3D1E3DD33D893D9DBC80BDBC3CF13D02BD753DF0BCCC3C9F3DBB3DE53B603C7E3CB13DF93D0ABDAA3DE53DC9BDF8BDE53C0DBDBA3B273DFF3CA1BD99BD8E3C953D973D973D2A3D36BD7F3DB23D763DF13CEFBD1C3CB5BDE63DA13DF5BB993DCCBDECBD88BD833D983D03BD03BC373D9F3C013DD53D7FBDF7BD8B3DED3DD63D00BDFCBC68BC92BDDABDA63B95BC6CBC59BDC1BD963D0C3CA5BCD23D6D3B323DE13D5D3D1EBB743D6B3DD93CFABD7D3D8EBD5D3D9FBC423DD53C53BD9A3DB9BDCEBDEE3CE23D40BCCE3D30BD3F3D80BD813B64BD98BD9ABD6F3DA9BD56BC8A3DDB3DA03BE5BDB23DD03D8F3D78BD44BD8A3DB5BCE0BDC1BA09BCC63A1EBAFDBDFDBD80BDAEBD58BDE5BD853C93BDACBD3DBD6A3DB83D263CF83D74BD283D893DE53C723D87BB90BC173DE73DDB3CBBBC43BCB3BD29BDF6BD0EBD823DEC3DD83BAC3CC2BBE3BDCF3D0B3BABBD42BDF3BCD53A8D3CD0BADD3DC4BDE0BDEEBDD33CCA3DD83DC93BC139973D823DBDBD14BDEDBDF23DA73D31BDAEBC5E3BCE3D973DCEBDD7BC243DDC3D2DBD7F3D3C3C53BD293D953C8ABD203CD33B98BCF93C74BD5DBD09BD2C3D11BCF2BDDDBC923B95BDEEBCF33CC63D923D64BDB5BD6B3D353C76BD723DE2BD573D053DE33DEBBCA7BDFE3DD8BCFBBD3CBDCD3DABBDE03CFCBD1ABD47BD17BD83BDBABD203D693DB13C133DA3BD513D083DC63D823D003E653DDEBD983D92BCE23B5B3DC03B24BD153D483D453D54BDA6BDD5BDCABD0DBD82BDCA3D4EBD5CBDA7BD90BD933DD83DC33DB3BD2DBDDDBD853DDE3DD6BDBA3D7ABDFABD203DEBBD89BDF93DDCBDA4BD12BDC93DAB3DB13D82BD80BD943DE53DBB3D413D0BBDDD3CC5BD91BCFE3D153CC63DAB3DFE3D8A3DEEBD5DBD62BADF3D913C023D7D3C7EBDFFBD053C2ABD2C3D8E3DD7BD343D413D233D8D3D94BD63BD94BDE93D6D3D013C3A3DDFBDE13DC6BDCABCA4BD0EBCA3BD65BD4FBCB93DDF3D63BD5D3DB83DEF3D983DA13DE63DFA3CCCBDB93DDA3DF73DC5BD2D3DCD3DF03A563D5FBDEC3DFBBD093BE4BD493D05BD6E3CA83D36BDB43D933D90BD0CBDBC3DE3BD183DD0BDEE3ADB3D97BC9DBDE1BDB2BC07BAF63C8B3CF93D8F3B07BBD93D2ABD6F3DC03D75BD9EBD9A3DA33DF53DEDBDF83D973CAEBD3DBDFF3C993DC23D143BADBD6BBD5DBD1B3D72BDFD3D413CD9BCE8BD903D5C3DC8BCFDBC073D22BDF23CACBCA23D76BDAABD333D90BDB2BDC73D0D3D173D44BD1DBD853D81BDC73CF7BDBA3DF5BDF5BD63BDCF3DB6BD58BCEE3D9D3D60BD27BD3A3CF2BDFBBDA13DCD3D9BBCD6BD923D863D753D0B3D593D80BDF73D1EBC003CF9BC523D98BD993D88BDF7BD34BD843DCB3DEABDFA3DF9BDBE3DBABCBFBDCABD643DF33C843DEFBD30BDD93DAE3DED3CA5BDCDBD78BD613DFE3D583CB3BC4F3DF9BDA43DE9BDAFBD57BD61BC5E3DF33DF9BD013DDBBDA53C973D303D8EBD4CBD563D5A3DB0BDC53D65BD12BC7D3DCF3DCEBDCCBD7B3DCDBB903DFDBC313DB83DC33D853DFE3B6E3D513BC5BD143D9F3CDF3C19BD433DF8BDB1BD8EBD00BE10BD933DC53D573D5E3C16BD653DC8BCF3BD8EBCDB3D853D093D10BDA53DF03D133DD73D573C863DBFBC80BD603D8E3DD5BDD6BC1D3D023CFA3D0ABCA9BDC23DF83D4FBCA53CFA3D293BA5BCD03DD23DDF3BA4BDCDBD74BDDDBDC7BDBFBBB2BA793DF3BC1DBCC43D023DA1BB123DD03DE1BDD73DDB3DB43D3E3D19BDEFBDCFBCD83DA7BD2A3D47BDC33BB3BC96BDF9BD82BDCD3AA13C033DBF3D1D3DFFBDC6BD68BDC5BD283DA9BCF33D543CA93D68BDFE3D6CBDB13DCBBCA6BD9B3CF4BD613D50BDFCBCB7BC2BBD933DF03D203DD5BBA2BDB23D31BDCCBDB03DB0BD783AF9BC7F3DC5BD9ABDFBBDEABCF7BD873D953D7A3DB33DA4BD243AE1BB94BD40BCC8BCF6BD703C32BDDEBB41BC6CBCD63C933DF03DDCBD983D543DD33DCE3D603DE63C343D46BD86BDBBBD4DBDE63DA3BDC4BD873D",
      torch_tensor_64_32_torch.bfloat16_1: "0x02000000DC3D233E62BDF63D1ABEB93D9F3DD63DEA3D023E003E17BE183D1FBE6A3D93BDAABDDDBAC53CE2BD26BE1D3E373D2F3E493DE43D20BE0D3A2B3E45BB92BD023D01BEE9BDC9BD1C3D18BEBE3DB1BD1BBEF2BD463CB83DE7BC2EBE47BA283EC6BDD53C473DD7BD08BEAF3DBABD693C1C3E963DCB3D053EADBD633D0D3E04BE523D83BD1ABE13BECF3CFBBDC43DA3BC22BD0CBEA03DCFBD023EC2BB02BE0A3E0A3E1DBED1BD9EBDFBBD963C04BEBE3D15BE22BE983B50BB1C3D15BE213E13BE093E253E3D3D243DC6BD603D163E1BBE1B3EA6BD283DB13D0D3CD7BDD7BD113CC7BD0ABE2ABE323E25BEFCBD943DEA3D2E3E913D213ECBBD7D3DD33C24BE203E723DB53DC73D673DBCBDDD3D593CB3BDCE3DCEBB013DEF3D0A3E60BCBC3B403CAE3D893DE43D5BBDA9BD28BDD33D133E9ABDBA3D2F3E003E783C08BD313E743D87BD203DCABDC3BD1A3EC13DFCBDFBBC94BCB4BDC8BDD73DEC3D80BD2EBE063EE0BD55BCB9BD8FBDED3D133EAFBD073ED9BD15BE413D3DBCBB3D023E86BD113D813DDD3BDFBC483D18BE58BCE0BD2BBE173EEEBD95BD183EDCBDD2BC173E9F3DBF3D693D91BC0C3E193E90BC72BD9BBD9C3C0CBE1EBE32BEA53D093D9D3D16BCD8BDB03CAABC58BDE23D8DBDA73CB2BDA1BB0C3CD7BDA33D07BD00BEF03DA9BD263E18BD223EFABD64BD2C3ED7BC9CBD843DFCBDDD3D7ABD1B3EFC3D1A3E03BDEEBC81BCB03D35BEC63D153EA0BD043E063EAE3D3B3C0C3E953DBCBC0F3E17BE8DBD28BEDA3DF23D2E3E31BE4D3DB9BDB3BDE5BD31BE58BDC83D2B3BA8BDE2BCC4BD93BD193E0ABE8E3D1FBE823A733D24BC113E303D09BD1CBEEABDB53DED3DFE3D32BDFEBD223E19BE883DBB3D8F3D183E1C3C12BEB6BC5F3C0BBD8D3DB13D9DBD2EBD60BD94BD1BBE84BDBABC13BE0EBE193EED3D11BEE8BD863D383DF1BDB0BC07BEE0BBF9BDDBBC1CBCD8BD163E09BDBA3DD23C9FBDC63D82BCA7BDB8BC0FBEFEBC333DF73DA5BD2ABEBEBDAFBD913B87BD1F3E67BD25BD1ABE0D3EFB3D24BE43BCA63DB53DC8BD8C3BDB3C0CBE2ABE6B3D11BE4D3D2CBDCB3BAF3C8BBC41BDD3BC2CBD9A3C283E073EFCBCF33DAD3DC73D1FBDC6BDD03D753D23BEA23D8CBDC6BC0D3DAE3D3F3DCEBD4EBD89BC0B3E5A3D2E3EF93D6ABD4EBD5FBD1B3E263C283EAE3DD43DA63DABBD833DA6BDCDBD153E10BEBD3DC03DB4BC89BB7B3DD5BC24BEE83D293D973DCA3DFC3D3A3DFABD323E09BED23C5EBD103EE03DA0BD1A3EE93D2DBECE3DFEBCE4BD323E323EB33B22BE163BC03DF43C2FBE2B3E843C49BD1BBEC03D9E3DDB3DF03D4D3D0FBEFDBD2A3E903D22BEF4BD143EAEBD7D3D23BD913D22BD4C3DD5BDFE3DA5BD32BE313D833DCEBD5FBD143E02BDD03D273EAA3DDD3D04BEDEBD0BBD37BD1FBCE23D30BEE33D243EE43D013E153EF7BC63BD13BE023E1E3DA63AC6BDC53CE5BD31BE7DBD383D1DBE223E443DACBDD73B74BDFE3D0ABE183EC3BD1E3EEABD0EBE95BD67BC8ABD24BE19BE273E2BBEF33C20BE253EE9BD253E0B3E21BEA6BD93BDC63D06BDBB3CABBD3BBD023E13BE113C9A3DA6BC803DA9BDBCBD013EBF3BAD3DF3BD34BE9ABD283E023E193E2DBEE43DDCBDF43D1DBD253ED8BDECBD9ABDAB3BC2BC003EFD3D41BD673DA73D7E3D2FBCD3BDF23D293EBABD173E67BCEC3C06BD8C3BB73CC6BD5B3D9A3D083ED63D8DBD35BEDB3CEBBC1B3E223E093E263E173DAD3C09BECBBC4F3D30BED03DBC3D13BE033DBA3D273E4D3D94BDEF3D06BEACBD1F3DAFBDDC3D9E3D8DBD27BE17BE513C6C3CCC3C1ABE933D10BE063D0DBDC1BD8FBD39BD1FBDB7BD23BEEEBD863DE03D04BEE0BD80BD6BBDD83B733DF43DD8BCEDBDEFBD363DF23CA8BD92BA173E233EBFBCFC3D86BB01BE073D7EBBC83CF2BD9C3BF0BD2D3E00BE1FBE8D3DEB3B18BDBC3D0D3E1D3E10BC01BCE03D343E01BD0CBD3DBCF43CDFBD2C3E88BC973D243EA23D78BD183E383D8FBD1A3E21BEBA3DFEBD103E1EBE71BD073E363D32BE25BE08BECF3D13BEFEBBD0BD0D3EDB3D89BD8ABDC2BDADBD9FBDCBBCF53D18BE783D33BE84BDB0BDC03D703D66BD19BEDEBD34BEC83BCF3DCABCC43D77BD3C3DCBBD5FBDFA3D193E5A3DE2BCC1BC1ABEB8BC81BDBD3D13BE8B3DE93C30BE8DBDEA3D28BDC93D1E3EF5BD763DE03DB0BDE1BDA73D38BDA9BC44BD27BE183D113DE33D25BD283E0DBE883D273E9F3DE43C4FBD16BC2C3E3ABD003E06BE6D3DC6BD0FBE213E37BDE3BC11BC003ED5BD85BDC73B853C0EBEA23D23BE313E043EFC3C0D3E2ABEC23D1EBE1C3E9FBDDB3D8C3CC7BD7EBD203EB1BD773D0E3EFBBC0FBC4C3DEB3D4C3D2F3C08BE07BE53BDEDBD1CBDD53DB1BDF23D14BEE63DA9BD2B3E05BE0DBE1A3EAE3D1EBE0EBE303EB13D34BE58BDA6BCBBBDA93CAFBDF2BCF63C233EB5BDE23C28BE1FBDB53C8FBD1F3CF43DEE3D77BDCFBDFD3D113C25BEC3BD833DBB3D93BBD23D253E783C053E2B3E1B3E333E06BEBCBD96BD4C3D033C6DBB533DC2BD353E2BBED33D093E6F3D1E3E153E923CA63D67BD933DCB3DF03DF9BD003EA8BC003E1A3EB4BBBABDF8BCA83DEB3DEABD1DBE16BE8C3DDB3D1A3EC6BC713DD83CE6BC0BBEA03C85BD123E0A3EFC3D063E77BC15BCE73D19BEAF3DF13D2ABC313D0DBE1E3E02BD0CBEF1BD06BD20BCD3BD98BDED3D78BD10BEAE3D923BE83C06BE18BE0D3B01BB12BEE9BDB43C2E3D6A3C533D31BEAFBC0E3EC3BD233D443DE1BDEA3DDC3D313E133EA13B293E0D3DDFBDAFBDA4BDA7BC32BE93BD33BEA53D2DBE873CADBD1CBCC73D403D34BE01BECBBD4F3D52BCD7BB043ED7BDC7BDF53D113E0A3E1F3EB5BD5DBC2F3E063EC3BD0BBEE03DCC3D10BEF1BDE63D2BBEDE3CC13D2B3C533BB73D923D7BBC8FBDB2BDA93DAA3DE33D543DE1BD863D27BD81BDFC3DAF3B2E3A993D0EBE693DA7BDBD3D183E0E3CF8BD9DBC04BE7D3DB63D473D2CBEACBD93BCF63D21B9A13D88BCE3BC5EBDBA3D23BE5B3B1D3E25BEDE3D1BBE073E11BE083E0F3E1BBE30BE8A3D97BDBF3DC0BD163DFF3C9ABDE1B9D83D433DCFBD31BE023D083EB83D0FBE0BBDE3BD3DBCC93D04BE04BC38BC4A3DF2BC92BD0E3EA4BDC9BDF4BCB23DCBBD183E1CBDA63D0F3E20BE0F3E38BDDC3D4F3D0EBDC9BDE63CBF3DF23D0D3E083E2CBE2E3E1E3DE4BD1ABE343EADBD3F3DBDBD33BECE3D0EBEAB3C343E183E403DA9BD22BEAABD99BD2E3E82BD32BEC8BB10BE8ABCCCBD0C3E8FBD94BD303E023E50BB1BBE5C3D0C3E013EC6BD2ABECCBD1FBEE33DDABDBB3C1D3E643D13BE62BB273EDC3CB1BC123E20BEA9BDCB3C0C3E73BDD8BD2BBE27BEBB3DD0BDB53C6B3D8B3D31BEA43D6CBD81BD08BD2BBEDBBC403D30BEB0BDFFBDECBDC9BD0B3E413DA43D14BEACBD0FBEDB3D32BE25BE24BC2F3D6B3DEABCB13CD83C293D53BDF23DF13BBA3D413DD1BDABBDDDBDD7BC523CF4BB163E1E3E243D7F3BE0BDE83DAABD16BEB03DDA3DAE3D953CB7BDE23D273EA53DCD3DA5BD913D9DBD40BD8E3D7F3DD13D99BC36BD263DB93D053D05BE253EA23D7C3D16BD253E573B83BB9D3D43BC003DF4392C3D783BE6BD54BD1E3EED3D97BC673CECBD043E2EBEB43D023E223DA33D25BE6BBDAABD973D1FBEE2BD8E3D323D2BBE043EDE3D023D403C11BE33BE0BBE02BEEDBDBDBD2B3E32BE1C3E1B3ED33C0E3C713DA73C0DBE12BE2B3E7FBDC03D873DB6BD78BC09BD2A3E843C683DDCBDB9BD08BEA53D14BEAF3DB63DF43C63BDD63D08BEF63DC03B12BE713DB0BD103E14BEF13D143D34BE773D74BD7D3D893CC1BD203DC9BD12BD89BBAD3DB23C2EBE913DD8BCDFBD2A3E413DAC3DD2BA23BEF33D5E3D99BD1E3E17BE053EB43DF23D383CE4BDB03CE7BD18BD8FBD07BE153E1DBEFA3D58BDEFBD7E3DACBD0C3ED43D1D3E853B33BE0A3D1ABD683D023D1EBEE03D02BE23BE1DBD2F3EEABDEFBADCBDD53D63BD13BE943D06BE103EAB3D893C853DCEBD1E3EF03B0EBE093D08BECDBC05BE33BE3F3D14BEE13D0B3E6D3DB7BC53BD80BD2DBBDE3DEA3D5A3D1B3E23BE513A213EEBBC45BD553C5CBD213E2EBEE9BD74BDC2BCC8BD1A3E2ABB273EDABD85BD16BE903D8E3D18BE35BEF33DEC3C553D32BC0FBE5ABDACBDD5BB8F3DAB3D3DBC32BE51BCF13D643DA03D22BE27BEC4BD2FBD0EBE113D06BD273B86BB6F3C5BBD2EBE243D69BBBDBD1DBE883A1DBECFBC9D3D383CE13D1C3EF7BCEEBD29BE9D3C5FBD243E0DBDD13AAC3D433D24BDBB3DCFBD0EBEF53D06BD76BC34BD85BDDEBD623D653D1BBE2E3EBBBD1FBE143D4DBD16BE09BE12BE97BC17BE323DFCBD223E1F3EB8BC0E3E093E113E16BECC3D0CBBF1BDD13CE23D353E8EBD273ED4BC513D86BDA5BDC53DE83D0CBECCBD6DBDBDBDAF3DF7BC98BD1E3D22BE193E22BE0DBE11BD2ABE0D3DE2BB703C18BD093E633D773D31BE073E15BDD6BD57BD113D103E06BE32BD0A3E04BE833D2C3DF4BC28BE5F3DEA3DFE3D1E3E943D683DE73D0FBE903DD53C0B3EE0BDDBBD653DA7BD333E633D5FBCD8BDB7BD74BDEE3D5CBD153E1CBE2BBE313EE93D20BEF1BD2E3EEABD9A3C583D1FBC40BC443C35BDDC3D25BC263E203EF73CAF3D9A3C8E3CFD3DCFBD263E633C26BEC43DC63D56BD94BD31BE0B3EABBDE8BD96BD64BD01BD1FBEA3BD0DBD19BE2D3D9ABCD13C54BDC4BDA53D0F3ECD3D8ABD70BDDBBD213DFABD2A3D7BBCA2BC5BBD07BE0CBEDD3D7DBD41BD05BE31B803BE4A3B26BEDF3C1C3E21BE983DD9BDBD3D17BEDC3DAC3D2A3E0B3D973CFDBD1B3EEE3B0C3EB53D1EBE213E393B2D3DF9BD8D3D51BD57BDF3BBA53D503D323CD53D2D3EDEBCC83DA23D96BD1BBED03BB5BDE1BDF6BD2DBEEABD79BD5CBCD53D633DB43D4DBDD73C333EB13DDB3D22BD173E8BBDB8BBC0BD2FBEE13D063E953DC93C2EBE03BE833BC23D20BD06BE723CB43D3DBDD93D9BBDCEBD803D1ABE723D973C243ECBBD1DBDC8BD0B3D18BE03BEF4BC343ECBBC6ABC2BBE22BE8F3B2ABDAD3DCEBD8F3BFEBBE1BD00BCCEBD4C3D3C3D02BEFBBD0EBE8B3D013EEABDB6BD35BE15BE9D3D593D343EDB3DE4BD1B3D143E99BA3ABDA73B33BDC13DD1BDABBD19BD36BDBC3DCFBD1DBEEC3B32BDFCBCF43D06BE94BDF6BC42BD163E1C3E9DBD96BCC5BB1FBE343E2E3E53BD273EB5BD2CBE033EA13D29BDF7BDEB3DBDBD1BBE5ABDBBBDAEBDF23BF03D24BE103D9D3DC3BCD93DDA3D0EBEFDBCCD3DCB3D5C3D043EA73D4ABDFEBD24BEB1BDA73D09BC8F3D343D9EBD223E07BE25BE723D393D2C3E30BE19BC013EDC3DBDBDCFBD4EBDB9BD993DFBBD33BE1B3EE3BDA6BCE5BDC7BD9C3C11BD89BD1DBE5D3D24BE6BBDD9BD86BD323E04BD0B3D11BE9E3C35BB0EBE2EBE983DEEBD85BD8A3DB33DF93DA6BDBDBD023E1E3E21BEE33D383D113CC5BC05BDFEBDF4BDD1BD1BBEA6BD343E11BCD6BC0F3DD73DA9BAEBBD9DBD1BBED53D713D67BDE6BD68BC13BD00BED63D30BE5BBD34BE183E31BEC53DFD3DA5BDF03C96BC95BD1CBD92BC07BE2BBE1DBE253E383DA6BD923DFCBD02BE31BECD3C813DC53D123E95BD18BBA93DCF3D023EA0BCB43D783D23BE903DCD3D29BDE13DE53C203E20BD8FBD29BE19BE5A3C163E0ABDB5BCA3BDAC3D6EBDEE3DA03DC7BD10BECE3C903DDCBD113E893D55BD663D25BE263E823DC83D9EBDD2BCCE3D90BDF2BD1BBE12BDBC3C64BD17BE1C3E4D3DCDBD7CBD1EBE613D31BE7DBD09BE0DBE4FBDA53D253EDE3D8D3C0FBD783DB93A01BE0FBE1D3DBDBD15BEFA3D2ABD0BBE",
      torch_tensor_64_32_torch.bfloat16: "0x02000000FB3DC5BD1FBE323E293D123E3C3C263EB4BB90BDAF3D093D8BBD23BDA43DF93D0DBEF9BDE53D023EC6BC86BD7A3D133EEDBD2C3DC93D4B3D2A3E29BED03D85BCB3BD2B3D25BD1F3EFFBDC13C85BDC53D093EF63D693D27BEC43CCCBD623DCB3C18BE01BEB7BD20BE8DBD89BDCB3DAD3D08BEC4BC2C3D39BD2F3D7FBC20BE163E02BEA1BD9B3C5D3D6B3D443D11BE13BE193E16BE57BDD53D0A3EF83D85BD8E3D9C3DF9BDF7BD583C213E6EBD623D073ECF3D903D5DBDD23D2CBE4E3CC03C27BD283E2BBEE6BD183E48BDFB3C903C153E1C3B5BBD87BD69BDFDBD7F3D34BCE5BD44BD18BD723DF9BD2F3E27BE303EC53A893D753D1BBE23BEE53C23BDA2BD9DBDF2BD9B3D13BEB6BDBF3D993D84BD2DBEAF3D153EAFBD1F3EB5BDFB3D9F3D11BE3B3DBABD46BDBA3B03BE8A3DFE3D19BDA63D1FBE8D3CBDBDAD3B6EBDC5BD35BD27BEA2BDA6BD2F3EB5BD96BB4FBD0EBE4E3D05BE8A3D93BDA03DEE3D0B3E2A3E1BBD33BE6CBD2FBEF03C24BEECBC153ECABB463B283EB3BD28BEC03DF63D73BC0FBE1C3D5E3DFBBDA4BD833AD63D65BA2B3E2A3E373DDDBDAFBD3EBD7E3CDEBD2CBE58BD03BE703DC1BD5ABD9A3D163D003BCE3D00BE3D3D563C2DBE563DF3BD3BBDAABD2ABEEA3DD63DAA3CEBBD223E81BDFABD05BECC3CD1BDD0BC30BE3EBD2ABE01BE14BEE6BD123E62BDF3BD2C3E7A3C14BE0DBE9D3CFFBD953D1ABE22BECC3D9CBB673D4ABDFEBDF13DF4BC083E46BD19BD25BDD0BD0E3D363D91BDDEBD0F3E03BCE43CD3BD013E153E1D3D213ED33D123EB7BD83BDE9BCB7BDBA3DC8BD763DC63D06BD253EAABD9F3DF63DDBBD13BB0C3E10BEBCBD32BEFC3DF43DF23C013D2EBEA43DAEBDC23DE9BDF5BDFE3D4D3D52BDEABD1FBEFF3D77BD1D3DD83D33BDAABDCABD783C9BBC953A3A3D22BEB73DE5BC1CBE83BD3C3B1E3E303E88BDF7BD0D3E133ED23D27BEF43C243D593DFABD6F3C8FBDE23DEEBD193E4C3D303DA4BD2ABC343D09BEC33CC33D913D183EB7BD34BE8EBDCDBDCF3D5D3D2CBEFFBD23BE6D3D363D5B3C4DBD1E3E0B3E24BEE4BD413DF7BDD83C1D3D04BEFB3DECBDE2BDEFBCA2BD6B3CE2BDE43D2BBE68BD3B3D5B3DB43D44BD053D16BE6DBDCA3B23BEC8BD413D1FBE043EAEBD90BDD63D51BD3E3D1F3E0B3E133E1DBE293E743D683D3EBDD1BD03BE3D3C0CBE2EBE023E87BD1CBE2FBE183DEDBD5ABDE5BDAABDC63D353EBE3D373C823C0DBE56BDCC3DF6BDC63DD5BD25BE7E3D2A3E293EF4BD19BEF23D16BEF33D353EE2BA1F3E13BE0C3E0C3E323E3F3DDD3DE2BDCD3C733DB23C7F3D8A3D143E10BE603D03BE233DFE3DE1BD99BDF3BD1C3E9FBC88BD99BC5B3BC4BD3BBDE0BD293E143EC53D40BDB9BD313EE2BD1DBEBB3D013E053E123D74BC34BE17BDAE3D9ABD82BDC03D69BDD43B2FBE04BD593DC43D033D9B3D0F3EC13DB03D333E3E3D053ED93D16BEEFBD013E2D3E8EBD8B3D143E13BE83BD1E3EFABC703D6F3D1E3D293E1E3E17BE3D3D4A3DCD3C6DBD953D5CBDB13D3B3DE83D67BC41BD0C3EE63D813D2EBE953D713C33BE31BED43C08BD0A3E4B3C10BEECBCC53D2A3D223E073E653D263EDBBD6E3C71BD33BDC33CF73D10BD903D0C3EC93CBABC05BEC9BDB13B103DC6BC23BED7BDD43D16BC34BE26BEA8BD23BE083E093E9DBCF23D013D8DBD35BC7BBD6ABDDF3DECBBA33DBC3DDD3D383C1B3CD23DC3BD0B3B493D4BBC02BDB33D983D01BE2EBDDABDBE3DE83C9A3CB03D50BCF03DF4BCC83D9F3D1F3ED4BCC33C31BE173E643C743D24BEE1BC183EAEBD4B3DD43DC53D283EB5BDFEBD503DDABC00BE29BE143EC3BD1D3EFDBDB63D8ABD023E2E3E193EB8BD49BDE6BDF0BC5C3DF93DADBDE93D16BD823BEEBD2A3DB63CEC3D023E143ED33D74BBD83D073E013EE73D6CBDF03B93BDB73D28BD33BE9DBD0BBE1A3D033E0EBC93BD62BD11BEA23DD53D01BE023E783D1FBEDC3D46BCBDBDB13DBDBD0B3D2E3ECA3DEA3DC5BDD3BD6E3D103B053E1F3E103E563DECBD523CBB3CDDBDB2BCBC3CFFBDA33C23BEBD3DC0BD863DC6BCD9BD393D07BEE03D493C1D3DE53DF23D113EF13DD9BCC3BA1BBE233D783B043E033EDEBCBBBDF53D1A3DBDBDEBBD33BEA53D873D4C3DBC3DD1BD2D3EB43D6A3D12BD1EBE1E3D0E3DEB3CB13DABBD293EAF3B25BEA4BD313DFC3D9ABDA5BDF1BB2CBE83BDE2BD1C3EE4BD74BC093E0CBD163EBBBD7BBC0E3CFEBDD73DA5BB34BE933D90BDC2BD8E3D373DDEBD833DB63C6CBDF33DB03BA23D1ABD753D303D0D3E1DBE22BDC13DA6BD04BEEA3DB93D273E8C3D42BD0CBEEABD563D0ABD2B3EEF3D7B3C2F3EA03C1B3D313EB1BC603D30BC283E9F3D6FBD20BEB53CF0B99C3D993D26BE16BE46BD1BBE0F3CD83D2E3E19BC0BBEF83DF7BDFD3D80BDADBDE43D4F3D49BDDD3D1FBE4BBDC5BD05BE1FBEE3BD793DC5BD243E0EBD2A3D043E263DEABDCFBCF2BCA4BDD93C0ABE173DF7BD0F3EAABC20BE09BE21BE733C1F3CB7BDB0BD09BED4BD88BDD7BD7A3D8D3DA2BD943B5DBD4FBDA3BC38BD163E233CBB3D153E3D3CBB3C623D213E11BEFD3C3B3D993D763C163E213E23BEF3BDB93D813DC93D063E2F3EA13DA93C223E8FBC0BBDFBBD273ED2BDEFBC303E20BEB53D01BB883D043E0C3ED93DCAB8A9BD003EB03D113BE13C743D00BE0CBE1ABEAD3CD0BD4A3C0EBEF73DE73D2FBD013D59BC0CBD083E233E033E13BE043EDC3D12BDAC3DA13CF9BDE0BD4FBDCA3DFABBA0BD283EF63D7B3D24BE923D313E4EBDAABDA5B825BD0D3E2A3E173E8FBD03BEE63B0ABE28BCB9BDA63D253ED23D2E3EDD3D2EBE0E3D113EC63D0EBE32BE673B2E3E7FBB91BD08BE3B3D133E9BBD243EDA3D303ECE3D0ABD183EFBBD043E373D183EC6BD11BEEBBC91BCFCBD33BECCBD2C3E2F3E2EBEA7BD9C3DFA3D0C3E1BBED83DA6BDBCBD1E3EA63D2A3E813A053DBEBD18BD333E1ABD7A3D0DBD18BE12BE343E8EBDFDBD12BE0A3E423C7F3C0DBED3BD13BE383D95BD1EBD773BC5BBDE3C7ABDD1BD47BD673D07BE0DBDBABD3E3DFCBD103E173E14BE153D30BE4F3D093E88BCD53D81BDAEBD473DF6BD8DBD033EAC3D043EE4BC243EFA3DB43DD03D1BBEC4BD7A3A043D313E1E3E9DBDEA3D8B3DB3BD34BE963DDC3C2F3DFE3D66BD8DBDF03C8CBDD5BD35BE17BE67BC113EE4BD0D3DBC3DD93CB5BB043E2CBE173E163E1C3E063E40BC10BEE4BD1BBEE1BD21BEFA3D9E3D9DBD97BA8E3C573BFC3D9E3D0BBE2B3E8FBD98BD353EE1BD33BD803C23BE053E0E3E2DBEDBBC003DD93D953D86BC1E3E1BBD163CE7BDD0BD51BD26BEC2BC183DFABD17BE203E9EBD05BE36BDAABD2DBEC1BCA5BD60BDA13D093C173E34BE1E3EC73D47BDFA3D2A3E903C493D4DBD57BC0BBCB7BDFA3C9ABDB93DDE3C0CBE223E593DAD3D33BE1B3E5B3D63BCEDBD0D3D8A3D5C3D033E25BE0DBE2F3E193E82BCC93D013E033EACBD86BDBDBD46BD2A3E6BBB11BE093E8F3DEA3CBEBD033E13BEB43DAEBC84BD23BEC63CABBD90BDCD3DE8BD2B3E133E043E963C0BBE27BDAFBDCCBC29BEA3BDFBBC24373BBD183DC5BDF7BD04BE273ED73D20BE19BEE6BBC2BD753D81BD8C3C37BD0DBE88BC253E0D3EF7BD573D1D3E2C3C8CBC1B3E273B03BD273E983DE6BD063E153E113EABBD89BDE83D073E15BE173EB43D593D52BDBDBCDD3DED3C103EE0BD7FBDA7BC933D7C3DC03DC9BD01BD8D3DA0BD013EFF3DC93DC13DDB3D19BE5DBD083E96BD733C76BDE6BBF9BC50BD013D263E5D3B50BD143EA5BD3C3D563B553DD43D403D4DBC9B3DD23CF9BC1C3DB8BD823CD7BDA33D303E6CBD22BE153EBBBDF03DFB3D7FBD933B99BD173E02BEA13CCCBD0F3EB03D1C3EA6BD753D1ABED73D70BD713DB03DE3BDCB3D94BD8C3D77BD003C933C1C3E4F3DFC3C06BD34BEA1BD76BD883D52BC633DBCBD34BE853DC33DBF3D163E31BE573D103EB9BDCA3DBB3D1A3D2DBEAA3D233EC7BC903D0A3E07BE28BE8D3DF3BBAABD29BEE1BD443D05BD1DBE93BC12BC29BED93D353E003E23BEDFBD0DBE183EACBD073E97BD8E3D003EB0BD9F3DB13D263D89BD0BBE173D24BE6FBDEA3CDF3D0A3E18BEA0BD82BC62BB2EBDE6BD21BD17BDDCBD6B3D02BE1BBE033DB3BD1F3EEDBDF6BD293E043D2D3E203E343E0B3ED53DDBBD4CBD97BC2DB90E3E5B3D28BE373D263CA43D9BBD183E00BE0E3E233E13BEF5BDEE3D10BE34BCD0BDBE3D2C3E143E1C3EC63D1BBE443D263ECC3DE2BD9C3D213DE2BD1FBECCBD0DBE71BD893CB7BD41BD75BDA33D0FBE2C3E313E1B3E0A3EA5BCB7BD2A3E2EBE2DBE143E8CBDF03DD0BDF6BD01BEACBB27BB85BD143DD53DA6BDD03D88BD573D6DBDC1BD2F3EEDBD2E3D2CBEC03DF03D2CBEEFBD2EBE323D25BE913D2C3EAEBCB23D10BE643DB0BCD13D343E03BED4BCDABD923D223EDCBC223EF93DC0BCC53D183E4E3C18BE453D22BE213CF2BD283ED2BDA8BDEE3DEABD313EE63CBE3DD8BDD0BBA63DB63D62BC1F3E9D3D4EBD30BE133E083EC5BD0A3CA93D093E8DBDA13DCEBD753C18BD133DCC3D93BB0A3E8CBDCEBD153E923B4ABD363D2D3DE3BCBBBDB8BD06BDA63C27BE0C3E42B900B9273DE13C2F3D01BAA7BCF1BDAB3D273EEC3D29BEF43D6F3D24BE283E133E213E1FBE55BD5E3CC4BDD2BB0BBD663DEFBD92BC173EEF3D273DC0BDD5BD203EA13C50BC16BE72BD2EBEA43D9F3C0FBD6A3DF73C1E3D0A3EC7BD7DBC193E6DBC9C3BDF3D813C60BCC23D7D3D30BE8C3D09BDFC3C3C3CF03D1DBE963DBF3D05BE9EBCBF3DE33CEE3D123E1C3E333E2E3ECFBC1DBD03BE1FBD4E3DBB3D563CDE3D203EEE3D1C3D04BCEFBDD33D9CBD73BB0D3E343EA0BC013E123EE4BDCFBC783DEB3D07BE86BD053E0C3E9BBDD73D7C3CA1BDA53D0C3E04BEF2BD083E103CBD3D12BE0FBE013E873B373C92BDD83D2D3D2FBEB63DB03C8FBD033E893D963D09BEC73D1ABE92BD5D3DBEBDD43DCB3D023D033EE8BB66BDF33D9CB9D6BD95BD603D85BC07BD833D2BBE84BD2DBE083C523DF83C953C463D023D293D84BD1D3E6ABDAF3D2D3EC83CC9BD30BD24BEFABD953C183EF6BC1FBC553CBEBDAFBD08BE2DBC503D013E32BEB83D16BEAF3DFBBDE8BD16BE193E16BEF73D1C3EEBBD033E263E2EBEEBBD093EDCBDEE3DD1BDE0BCE8BDDC3CDDBDCBBD063DCABB3ABCB0BDD23D263ED83D0DBE15BEE7BD163C3EBCCD3C6C3DDA3DB43D3A3D64BD83BC6BBD03BEB0BC28BE083EFF3D2D3CF1BD59BD303D113E173E623DA33D38BDF3BDB8BD81BDBE3C0E3BF03D1F3E00BE983D81BDB03D2BBE5EBDCB3D1EBDB6BD053EE4BDF3BD2ABCBC3DEDBDF43D2FBE0C3E06BE1C3CF3BD18BE323E973D18BE1FBE1BBCE93DC93DFF3BBC3C06BEDD3D9BBC12BE05BE15BDE4BD69BD313EF93BC4BD0D3E283E8D3C91BBAC3C12BD063D623D093EAA3D0E3D5ABC0A3E933D653DF83D153D4ABD393DB4BDDE3D67BD253D4B3D08BE17BEF93D33BE7DBDCF3D343D2D3E32BE7C3D89BD973D053EF53D33BE80BDFD3D873D13BEDF3DFC3DB0BD58BD02BE09BEA7BD29BD8B3BDC3D223E9E3CD73DD83D0E3DABBD913DE23C10BE64BD8EBD7E3DA8BD983D21BCF7BC8C3DDD3D5F3DF73C32BC01BDB13D14BD093EE53D2FBE083DF1BC673D0D3E043CB6BDECBC9CBDC73DC33DBC3B17BE263A303E0CBC643D09BE343DFB3D323CCFBC513D22BE3FB956BD2C3EECBC0E3E66BDAFBD933D603D28BEB4BD07BDCD3DCA3DC2BD23BE1F3E86BDA63D1DBE9CBC353D0D3EE1BD03BE9ABDFB3DB4BD31BE8CBD1E3E2CBE423D173E",
      torch_tensor_32_torch.bfloat16_1: "0x02000000803F803F803F803F803F803F803F803F803F803F803F803F803F803F803F803F803F803F803F803F803F803F803F803F803F803F803F803F803F803F803F803F",
      torch_tensor_32_32_torch.bfloat16_3: "0x02000000F13D28BEF7BD483D8F3BCE3D9B3D0E3CDD3C043E2ABE78BDEA3D0DBEAD3DF13D693DEDBDCBBD273DA2BD8E3D503D033D243E2FBE2EBEF13D73BD2DBE72BD0A3ECCBCB13DD33D5EBDBC3D5F3DE7BD12BDDC3D8D3DC93CB2BCFFBD83BDEB3D1DBCD9BDC03C15BEB3BCEDBB2BBEF3BDF5BDFCBD143E8D3D00BE9ABD053E1E3E8E3C1B3B0ABED73D4BBD893C13BD7B3D293D27BDE8BC09BA0FBE2CBC08BE0C3EB83D99BCFA3D803C253E113DAB3DDD3CCDBD2ABE90BD0E3EB93D6DBDE1BD323E9D3C1CBE80BD473C8ABC8CBD573DF6BD983DF4BD123E113E333E31BE85BD11BD27BEA33D93BD55BBAD3D0DBEC73C9FBDFE3D1E3E2ABDE9BDD43D01BE2C3E113E9B3DABBD073E093E0BBDD8BDA63B0D3E1E3E28BE233EEABD063DA1BDCCBDE2BCC13B13BE7BBD023EF0BBBBBD1B3E29BE3DBD163E8E3C83BDC4BD35BDC8BD47BC293EC63D6ABDE13D28BEED3A193E233D13BE023DDF3D64BCD53D19BEF73D30BE9E3D1BBE5DBD89BCDBBCA1BC0ABE02BEE53D2D3D973CFBBC3C3D1E3D1CBD523C613C203E25BEEEBDA3BD9D3DF6BDAFBD9FBD78BC29BE023D093EE33D0DBE5ABDBD3D823DA13D983D2EBDEF3D293E863DEFBC9D3DFB3D0FBE483DADBD133CF0BD06BD323AE0BD03BEA93DB2BDFB3DA9BD173EC03BD3BD03BC79BD013D983D26BEDD3CC03DA4BD5E3BC23D0DBE073E18BE5BBD653DF0BC30BEF7BD16BC87BD00BDF23DA0BD883C1CBE9BBD123E973D4BBB93BD0BBEB63DA0BDC3BBD9BD84BDE93BDBBC4EBC0BBD8D3D0C3D233E493C23BE14BC143E8CBDB13B1C3CFCBD2C3E2EBD06BE01BEDABD2FBE0B3E223E15BECCBDB03D42BD303EB9BD8DBD15BE61BDF53DE7BC26BEC83DCABD573D313EA73D173E08BE08BE30BEF23D04BD8B3DEABD573C273EF43B193EF6BD8E3C21BD25BEB9BD8DBC2EBE013ECCBD1ABCF9BA2EBEA4BDE93C4FBDD53D4F3D893DCC3DF43C1FBE9E3D4BBD153D743D4F3D033E283E05BEA9BD9A3D7ABB243D21BE93BD3CBB143E05BE253DB33C9DBD9C3D203E163E25BD04BCF1BBD43DC3BD343DD03DCF3D92BDCF3D1ABE5FBD123EA8BDD83B2B3EB03C8DBA303D01BE32BEAB3D9BBCA43D14BC033E00BEBABD20BE15BE0C3E1BBDB6BD66BD71BC5CBD2CBEF73D23BC02BE4F3D63BD44BD10BE31BE593D22BEEB3D24BEB9BC0DBEFCBD16BECDBD373CA93CA6BDD93D89BD82BCBE3D263E1A3E2ABEFEBDF73C01BB0A3EC63D04BE273E583DB93D05BD043EF7BDA03D333E533D7CBDBF3B033ED2BDB5BDE73C9DBD45BD82BDC63D1CBE1BBE0D3ECBBC1FBEAD3DE7BD22BCDC3DCCBD0BBECB3CB2BD29BD043E183D4F3D23BEE0BDFBBD313E88BD2E3E323EDDBD9A3D8FBD2E3E033E4C3DBC3DC7BCBABCC3BCA6BD18BEBFBC5BBD143E253E21BE10BEB2BD31BE53BC3E3D9ABC303DF5BC2FBECDBD2FBECEBDD3BD043E7CBD13BD0CBE6FBDC33C1F3D243E963D77BC063ECDBD8CBC123D4D3D72BDA33C933D2EBC6BBD25BEDBBD34BE0BBD10BEA3BD0E3E2ABEF13D96BBC3BD293E173ECBBDE73B95BD29BEBC3DC53D1B3EDABD42BDBF3DCABD1E3E6E3BFF3C833DD93D3B3DD5BD223EA0BDB43C34BE9BBD043EAE3C833C8BBD13BE083EF7BD033ED0BD143ED73BE7BD323E123EC1BDD2BD4BBD5CBBFA3DDDBDAF3D213E7A3D88BD2B3E87BDED3CFBBD943D31BE823D03BE2BBE8ABD053EA83D15BEBE3D38BDABBD2CBEB4BD2A3EDFBDFC3D7DBD27BED7BD7B3DA23D173D493D74BDCEBB3D3DBCBC0F3E1E3E213E233E30BE63BDEF3DED3D8C3C603DC23CDE3C7BBD8ABCB83D2B3E28BDF03D2F3E303D153EBD3D1EBEDCBD8E3D8EBD5DBD4BBD14BE16BC023DEBBCEABDF9BD173E1C3EAEBDF8BD19BDD1BD31BE05BE1B3E35BD093E903D51BC85BDF83D34BDF0BD8C3DA7BDAC3D413D1EBEAEBDEE3CB73B073D25BC25BDDBBCAE3D91BD71BD253E283E043E1C3EEEBD45BD05BE9CBDBD3D293E2CBEFA3D90BD113E1A3DE5BDEE3DE0BD96BDB7BDA13D863DBFBDD8BDF13CA63DAF3D13BE763D23BE10BD65BC24BED33D04BE083DB7BDAE3D4E3DA83D93BCA2BD8CBD043E2C3DA5BDB7BD21BD8ABD88BD293EBDBD343E163ED7BDA13D24BE943CEDBDEBBD563D9B3D38BDB4BC813D2DBEE33B2FBE72BD1D3E81BDA0BD29BE303E823D0CBE29BD123E2EBE813C05BE09BE1BBD8F3D33BEC8BD11BE16BDA9BDC43DFB39BCBC1EBEA73B30BE22BE943D34BE083C2E3D30BCF33D1EBDFC3DCEBD10BEEEBDC63D833CB1BC9EBC93BD133D3CBC98BC9BBDEEBDBB3C2B3C20BE1D3EA43DDF3D563D42BD773DA83D8E3D6BBDBDBDD2BB0F3EC6BD92BDB3BD17BE8C3DD0BC913C313EE63C0D3EEA3C9ABCDD3D5D3DA9BCC23BB0BD67BCF03D193E273E04BE9ABB913DF63DC8BD10BE763DD0BD353EE3BDB23D5FBD15BE30BE9D3D5DBDE9BD333ED43DEE3DA3BD10BC203DA7BCAE3D30BD22BD98BC8EBDF8BDA3BC82BD65BD9EBDA83DEBBC0B3E543D71BD343E62BD19BEF33DCEBDF73D0B3E68BD8FBD7E3DB53D0D3E393D5E3C1E3E273D13BE3EBD2ABC763D2EBE34BECEBDB93CF63D17BE963D173C203ECABD62BD6B3D2CBEE63D94BD0E3DE2BD113E5D3DB43CAFBD04BE663CF9BDF3BB1E3E4C3D47BD83BD953D11BE11BE6CBCD43DCBBDDABCA4BDE03DB1BDD0BCA83D97BD2D3EC3BD78BD453CAABD31BE09BE23BE223E443CB2BD883D153CB1BDED3DEBBDFEBD003EB33DAA3D713D98BD2EBE593BC23DED3DF9BC93BD97BB0E3E15BC203E81BD2A3DE8BDFD3B0A3E16BE1F3E093E0A3E94BDF83DD33CE4BD2D3E34BE203E533DEC3D663D26BE943D02BE8CBD2ABDC7BDEFBCFB3DBB3DF4BDEC3D143DAC3C7A3CB3BD16BE263D1D3E15BE213EBD3DEE3DDD3D093EB93CAEBDD1BD13BE083CBD3C0C3DEDBD",
      torch_tensor_8_16_torch.bfloat16_1: "0x020000000000000000000000000000000000000000000000000000000000000000000000573F9F3ECC3D023D243C4F3B833AA639573F9F3ECC3D023D243C4F3B833AA639693F173F4B3E813DA43CCF3B033B263A693F173F4B3E813DA43CCF3B033B263A113E503F973EC23DF63C1B3C453B793A113E503F973EC23DF63C1B3C453B793A42BF743FC73E013E243D4F3C833BA63A42BF743FC73E013E243D4F3C833BA63A75BF803FF53E213E4D3D823CA43BCF3A75BF803FF53E213E4D3D823CA43BCF3A8FBE723F113F413E763D9B3CC53BF93A8FBE723F113F413E763D9B3CC53BF93A283F4D3F253F613E8F3DB53CE53B113B283F4D3F253F613E8F3DB53CE53B113B",
      torch_tensor_8_16_torch.bfloat16: "0x02000000803F803F803F803F803F803F803F803F803F803F803F803F803F803F803F803F0A3F733F7F3F803F803F803F803F803F0A3F733F7F3F803F803F803F803F803FD5BE4E3F7B3F7F3F803F803F803F803FD5BE4E3F7B3F7F3F803F803F803F803F7DBF153F753F7F3F803F803F803F803F7DBF153F753F7F3F803F803F803F803F27BF9A3E6C3F7E3F803F803F803F803F27BF9A3E6C3F7E3F803F803F803F803F913E29BC613F7D3F803F803F803F803F913E29BC613F7D3F803F803F803F803F763FA4BE533F7B3F803F803F803F803F763FA4BE533F7B3F803F803F803F803F413F19BF443F7A3F7F3F803F803F803F413F19BF443F7A3F7F3F803F803F803F",
      torch_tensor_32_32_torch.bfloat16_2: "0x02000000BDBDE33D203E343EFC3A19BE313EF3BD893DB53D603D6F3D29BE74BDE9BDFA3DCEBD8BBB213E093E02BE17BE0F3E503D0BBE1D3E03BE1D3E023E013E0BBD7C3C17BECC3D273C063E99BD2F3EF13D4BBD463D04BEF1BDF8BDD0BD493D9CBD7ABDFD3DEF3CB0BD45BD3EBDA93DFF3D103EF6BD9BBC2A3D8DBDEE3DA1BC9B3C1BBE033EF0BD8BBB14BE0A3E273CA33D0EBE763C943D003E053E01BD93BC713D82BD93BD27BE32BEBFBDB53C693C683CD93C06BD33BE223E04BE08BB903D3A3D9DBD1DBE113EA53B253EA93D9B3D1D3D23BDD4BDB03C2E3ED93D243E2A3E0D3ECBBDC5BDC7BBBBBD44BD78BD1E3E43BC2F3E0CBE33BECF3C103D92BDB7BD4E3D113CC2BCB83D9ABD0E3EF7BDBCBD7B3DDE3D0EBB0EBEE7BB74BD67BD06BD2E3D29BDFEBDB5BD18BE35BEAF3DCA3D093E653C95BDDABDB43DDBBD073EC4BD29BE02BE133E093E313D863B1B3EDA3DD63DF6BDE83C243EFFBD343EEDBD55BD09BC3C3D5F3DCFBDA63D403DA1BC34BE333E86BDC1BD333EB7BDF23DDD3DECBD12BEC5BD633D2B3E21BC58BD50BDFCBD353EFBBA0FBEF7BDE13DAF3DEA3D99BC0FBD6D3DE3BA69BD2D3DCEBDFBBD20BD01BE933BE43C313E513D88BA04BE92BDECBC02BE0D3D023ECF3D96BD31BD343EE8BC23BECBBA133C86BD9DBC14BE5F3DFBBD793D083EEABD8EBD8B3CE039D43D2EBCEA3C48BD6F3D5B3D12BEC03D14BD223E34BE90BCA43DFA3D173BC4BD0CBE09BE123E1EBE8FBDBE3DC63D1EBE103DAF3C263ECDBB9A3D7ABC223E94BCD5BD063DC0BD353DFC3D0DBE04BE1E3B29BC61BD183EA23D70BDD23CDABCE8BD943DEFBDAF3CF63D26BEFE3B273EA43D8FBDE43C2ABEE93C1D3E1D3E39BB833DF0BC4BBD5F3BD3BD923DB13D44BD25BDFCBDB93C903D2C3E2BBE19BEA43B273E3A3C493DCE3CADBC013E053ED1BDD9BD0DBE30BD82BB183E2FBE003ECABD6D3C07BCCC3D17BEFDBD853BB73DAEBD603D3FBD29BEA53C1ABDD63DEE3DED3DE33D0CBE2EBEA23C523D0BBE143E99BCD4BDF83D1F3EDF3C67BD9D3C05BEDF3DE33D08BD10BE063E14BEBEBDD83DB4BD0A3D153EB7BC24BD283EF73C7D3D6EBD1CBEE33CD6BDBBBD14BE1B3EF3BD513D153DFA3DC63DFDBDA03DB8BDD53B83BD1BBE593DF2BD313E923D7ABDD4BD27BEB7BDECBD9C3C2D3D1D3EC33C13BDA1BDCCBCBF3D2FBE26BE8F3D5FBD56BDE9BDF1BD08BEDCBD26BEAABD113EC8BD0A3E18BEA83C70BC09BE8D3B173EA4BD263E98BC65BDB33D0E3E1C3ED63D22BE13BD9E3CA5BDA93D1FBD1CBEA0BDEABD8B3D04BE37BD953C9C3D0BBEFA3DE8BD0BBE943DD4BD033E9C3DB0BD1FBDA6BD8ABCDFB98DBBEDBD17BEE8BDF43C943CB6BDEBBC92BB023E23BEA1BDCEBCEEBCBFBDB43D88BD953CCEBD333ED6BD18BD113EC53D23BEE63DC1BDB2BC943D3B3C0B3E89BDFDBD383C793D083EB8BDA2BCD1BD03BE0EBE00BEDBBD6E3DC7BCE43D0B3E0CBE0C3DC63D12BE51BD043E06BE223E793C043D173E29BE1A3E22BEAC3DFFBB0E3E12BB32BEBB3CF23D0FBD2BBECCBC643C333D683DC1BC18BC18BD8B3D263D933D84BC87BC053EB63C25BE123D273E0CBDDA3D02BEDDBCF23DB5BD39BDC63ADBBC4BBDFA3D04BD44BD083E213DABBDD93DB2BD343E163E8A3C483D92BD0CBE01BE663DB13D0DBB6DBD6CBDC8BDDBBDEF3D1CBE043EC83D46BDBCBC73BD18BE693C0BBEA63B7CBD0CBE27BE213E0D3E263E873DA23DB03D053EE23C953C043EA33DDCBDF33D2F3E89BD2CBEFDBCECBD343E19BDB9BDE73D8B3D553D233E33BEAF3DAABD743D82BD253E0BBD8C3C0EBEDC3D33BEC73D003E103EDD3D67BD143D373D2DBEC43D12BE823D2F3E49BDC63C283E153E173EFABD0F3D17BE053D2BBEA73CB73D21BEDCBC96BD153E90BCE13D06BECA3C033E213C7EBD94BDF73D8F3D423CD63DBCBD09BE23BD053E2FBEB4BD303D883DB53D5B3D20BE6CBDDF3DF93CC73D083ECF3D96BDAEBDFDBCB2BB7CBC0BBDC23CE43DF9BDB83D33BE443C25BE2F3E1ABECABDEF3DC03D0E3E463D23BEFEBDF83D30BE233EF5BC043DF8BB36BD32BD583DFEBCF53C183E823C0EBE09BEE63D7D3D0B3DB5BD14BE1C3E2ABEB4BD8D3D1C3E7ABD30BE283D83BBDDBC21BEFE3DD33C523DDA3D1D3E37BD7F3CE4BD09BEB7BDD93CE5BDCD3D7D3D6EBDB33D073E71BDC93DE23D2A3E05BE113EB338413C02BAEABD84BD13BEBCBC343D01BE8C3D32BEAF3D32BEB8BB053E24BE0FBEAFBD90BDC4BD1F3E02BEA43D02BE6ABD11BE2DBEC4BDC23BC33D8E3D913D193EF5BB313E1EBEAABD11BEF9BD07BE2BBE2A3E0B3DB63D6BBD253DC2BD33BE843CDE3DE6BC653D983D043E2BBE96BD403C2E3E2F3EF5BDEFBD2C3E57BCD3BDBABDD23DE13D183E13BD5ABD08BC1F3E21BEB73DFCBD9BBC193E81BD95BDCDBB9F3D123E2DBE0E3E77BDCD3CC8BD373D31BEE8BDA4BDE43D3E3D00BED13C303E2FBE1E3E0D3E1F3CB8BDA53DAB3D8DBDCDBDEFBD8ABD173D9B3D68BB1C3E503D543DB4BD53BDF13DB93DAABCF3BD2ABE183CE8BDE4BCF1BC2ABEFA3D06BD32BE25BE10BE8EBD34BC953DC2BB2DBE10BEB9BD0E3E04BC27BE98BD04BEC63C77BCE5BC0C3EDBBD993C83BDFD3C10BE8CBDAB3DF1BDA5BDBFBC0DBEE9BD6BBDAABC1CBD243C26BEEABC1FBEBE3D253E0FBE02BE303E0D3EA73DE5BD633DB8BB083EE13DA4BC8D3D1EBEF93CDDBD103E03BE1DBE1ABE4FBD1D3CA6BC953D21BED5BDC9BCB8BB1DBDA63DBB3D02BD0DBCE2BC8E3C98BDE2BC05BE173EF73DF6BD563CD5BD12BD21BE40BCA5BD23BE323E393DF83DEE3C153CA5BD913DE83D29BCBBBD113E7EBCEEBDCE3D323E2B3E153E243E33BE793D1D3EEBBD403D65BD52BCA83D573C82BD08BD893DB7BD",
      torch_tensor_32_32_torch.bfloat16_1: "0x02000000F03CEC3BDD3CCBBD31BE7E3B94BD74BD053EED3CA53D4ABD10BE103DF0BDB33C0DBE083EF7BD1D3E003E093ED93D283D0DBC39BB90BD26BE253E163CAA3DD53B503DDFBD0DBE0A3E893DB33D34BE443C29BEA6BC19BCFFBD33BE993A233E233EDCBD01BD17BE0DBE47BD303E3DBD283C2A3E013D123EF13D2A3EF83C12BE1CBEBBBD153ED03D543D0ABE05BE143E96BC34BEB3BC2EBD2F3B983D8B3D0BBEFEBAB3BDF53DB33DC73D253EB23D35BE373DF8BDC13CF83A343EF7BD31BE42BDE93C053E133E0B3E653D4FBD19BDC6BD0E3DFCBD793DEA3D1A3E32BE153EE3BD6CBC253EC43D66BDD63D30BE0E3E303E04BCEE3C2ABDE5BDA4BD40BC14BE12BE9F3CECBDC5BDC8BABFBD283E83BDC9BD41BD14BEBB3D1C3ED1BD87BD293E03BE443D13BE21BE8C39CFBDC43D60BDE43ABDBD953D283EDABCDFBD31BE2D3E993D963DF73CB63D813DB13DE23DCD3C1C3EE13DB1BBA2BD403C0D3EE53D93BD17BD903D883D2C3EB03D673D273D2ABE85BD993CFCBD1FBEF43D763D12BE2C3CD53DD13D253E8FBDA13D13BEB3BCE6BD0ABDCE3DB43DBEBD34BD11BD8ABDC6BD053EFA3D173EC7BD053E5CBD2ABD43BD0DBC9FBDC63CE9BD953D18BE83BDFDBDF43DF93D10BEC6BD223E533DF93D0BBEA33DE63D28BD05BC043E453D503D0D3A97BDDEBD353E65BC213E143EBDBD453C39BD52BBEF3DC73DCEBDB3BD01BE1ABEE83DE0BD173B7CB9F83C29BCBC3DC73C023E1C3D10BBCD3CF13DDB3CFF3D89BCC93A183E2BBE903C253EB6BD06BD2EBC6F3D893D243D8F3D9BBD983D66BDE33D55BD1ABE4F3CBC3DE3BB163B243AC03D633C22BE01BE2B3C69BC2D3E2ABD0B3E19BE2CBE85BCE5BD53BDA33C1DBEF93DDCBD0B3E6D3D08BD1EBEF03CCABD1C3E18BE3FBDC8BDE9BDBDBD90BC443CF53CB93D94BDE1BD19BD2B3EB1BC18BE0E3E303DFB3CF93CFD3DA5BD043E2E3E3BBDE43DC83D2A3E29BDD7BD86BDF6BDC73B2F3E303E093E8F3C7B3BF03DD73D90BC37BD8F3DC9BBFEBDAABD133E173E8DBD1BBDB3BD6CBD253E21BEAD3D23BEADBD13BD493CEBBCA5BDA1BDDCBDFDBDE2BD2E3EABBD17BEF93D8C3DF93D34BE2CBE00BEBFBDCCB99D3DD43D1CBE903DD1BD263D633DE83C803D11BCEF3D173D1F3E1D3DC0BDE93D1D3C2F3EA0BC333ED3BDB63D07BEF93D033DCE3D1CBE34BEAE3D95BD8F3DD7BD60BD503ADA3DCC3D81BC4DBD49BBBB3D19BE5DBD2FBED13CABBCCD3D113E1BBEA0BDE9BCE7BA25BDE4BD8CBD95BB123E39BDEF3D12BE023C0DBE2ABE903CA6BD053E0F3E34BE4ABCF7BCCEBDFDBD99BDA03D2C3DDA3D2DBCBC3D0C3D1EBD29BC25BE85BB6EBD72BD91BD1EBD06BE2A3CEBBB3FBD1D3EF33D4C3D85BDB93CF9BDFC3D293ED8BC0C3E2A3E2EBC86BD123CEF3C28BE35BC83BDF23DA6BBEE3D213E63BD1C3D78BC9EBDC9BD863B5C3DFFBCF63CE23D973D953D4B3D0BBEDBBD06BEEE3D1FBE07BEEE3DD63D2BBED13D25BD1C3DE3BDDCBC213D0A3EDC3DC5BDEDBD30BC633DC73D34BE6DBCCD3BA9BD0F3E40BD2DBED8BDBA3B07BE253D303EED3B32BD2B3E063EF13D5C3C043C0CBE933C303E193C22BEC73D223E183E093C083DEA3C94BDD3BC143E943C2B3EF0BDD4BC083BD7BD0C3EFD3DC3BD1F3E293ED5BDC8BB343EEBBDE3BCF8BD033EEB3C973D023EE6BC35BE0E3C60BC833DA93DB4BD8FBDE43D4E3D263DA13DA83D03BE673C8A3C2FBE1A3D1BBB0C3E2DBE2A3EB1BDD53D063EB4BCB9BDF0BCE2BDB33C983D163DD0BDC63D263E5CBDBC3D3FBC923D01BE1BBEA4BB19BE823D293E0EBDE03ADC3CAFBD14BC3B3D123E16BE65BB14BE80BC99BB97BDDE3DF83D8CBDCABC5EBD9C3B6F3D273E26BE933DDABD14BE0B3E58BDCBBD473D17BD26BEBDBD99BD62BCEFBD2EBEC93D1BBEAFBC1B3E85BDEFBD413D1E3EA0BC2BBCA93DB53C0B3DC03DA53D02BE8FBDF73DDF3C293D2E3EE03D903D2D3E1FBEE13C3D3DFCBCAABD063D16BE9ABD093E85BD50BDA23D37BDD53C35BECE3D21BEC13C34BE1BBE123EC7BDC8BB013C273E673DB13D9BBD78BD043E853D363D09BE10BE123D08BEFE3D173E96BDE9BD2F3EC1BD10BE03BEFC3C0D3DEA3D123E9A3DCF3C233E95BDFEBC193E74BDC23D1B3D803D26BD1ABE023E153E10BEA9BDF63BB33DCDBC9FBD0D3EB6BD243E453BBE3D2A3DFF3C053E11BCFF3D6F3DCABDED3D01BEBC3D1BBD613DADBC0F3D5BBD963DA93D26BE203E12BEA2BD8F3D273E6B3DCABDFF3CD9BDAA3D143C8D3C0BBEC13D2C3EFBBD763DA0BD42BD203E29BE09BD823DA43D8EBDC6BD123D25BEC03CE5BD04BD233E16BEB3BD0BBED83D163EEABDE43DE83D1CBE773DA53D01BDF43D34BCBCBCCB3D26BE32BE073DA03C4D3CDEBD103EE0BDA0BD19BE34BE2F3D92BDDE3D2F3E6B3D1E3EFCBDBF3DC53D91BD4EBCD9BD8B3C2DBED8BD1CBEB7BC943C12BE85BDD93D0C3CFE3CA0BD55BD20BE293EA53CA73DD43D1F3EFABD4A3D1DBE873DBABD8D3D05BEC03D023EC73D18BEE23DE6BD29BEEC3DF73C7CBD1EBE3A3D9CBD10BEB6BC1ABEB23DEFBD76BD33BEC9BC60BDC83D24BDF43D1E3E143D78BD15BEFDBD74BDE3BDC03D6ABDD4BBF13B1CBE173E8ABD13BE37BB1FBEB53CEABD1FBD55BD033E0C3E333EA03CE73D15BEF3BDC33D1F3D483DCF3DE63DAA3D86BD65BD183D153E5BBC58BDC83DF03D57BB56BD34BE323C5E3D05BE06BE35BE0D3E2A3E333E223E99BCA13DD63D41BDD1BD173E98BC863DA9BDBBBD06BDC03BD63DEB3DB6BC323EC1BD433CE3BDED3C253E16BE2A3D26BE22BDAABD9C39FBBD383D2BBE1F3D8CBDD9BD193E9C3CF0BDCCBDA2BDD6BDB33C233B1E3EA93BC1BD1C3E363D1CBDFE3D143E18BE15BEEEBD1CBE59BD853D25BE31BE1CBE",
      torch_tensor_32_32_torch.bfloat16: "0x02000000BB3DA0BD0CBDAA3D2ABED93D15BDB83DC93CB1BC493D0F3C843D8DBD53BC82BCD23C39BA1E3E613D87BDDBBDF3BC9CBD68BD0B3CD83DC53D31BEE03D4A3D2C3EEF3D25BE2CBEAFBD1F3EF1BC9B3DA8BD323E99BD083E093BBFBDBA3DC0BD553D51BD9FBC2EBEADBDC43D30BD343E113E08BCF2BDDC3D613DEABDEB3DDC3D213ECBBDEEBC60BBD43C09BE00BEC53D2ABDB13D253C6E3D1F3D843DB33D28BEB63DFFBD09BE303CF7BCD53DD2BD21BE043ED7BCCC3D693D08BE113D2E3DF2BDACBD773D023D9ABD5BBD263E06BDCC3D9D3DEABD1ABE2E3E173CF83D163D693D073E2C3EF0BDB53C073E033EE13D03BE02BEDBBDB63C343EE5BDC13DC8BD2ABE1ABDD13D283EE1BD1D3D1C3EF03DE23D013EE53D3B3DF8BD18BEA6BDA9BCDEBD843D603D24BD8B3D6A3DDD3DF43D75BD313EA7BCC7BB2BBEE9BDD4BD9BBD013E6DBD07BE8B3D683DEA3DBBBD1D3D84BD23BD10BEA5BD5EBD9B3D043D333D353E303EF73DB83BFABD0D3E35BD6ABC1CBE0FBDEABD263E1CBE0DBEC5BBC4BD823D8BBDAABD243C033EFFBDAA3DE93D313EFDBD2F3D06BE1B3E8CBDDA3DAC3B62BCB9BBF63CAB3DE83C5D3D23BE043E1E3E163E063E03BE86BD203E0ABE243E0EBEFFBDB13D02BE26BD043E0F3E2B3E13BD0DBE323E1ABD95BD313DFDBDEE3DE33D10BE15BE7EBC983DA8BBB8BD843B2ABE00BEF1BD153E203E76BD023CA13DAE3CB5BDD13DDF3D28BCB2BC253E1E3ECDBD313E333DF0BDC63D07BE273EE9BD4D3D5C3D2C3D163E96BD99BD1DBEEEBBACBDE83B14BD703D1D3E563D69BDB2BD1EBE183E09BD123DD63BE7BDCC3DCB3D123CCEBD9ABD203BCFBDCABDD8BC50BD323D3EBDC0BC8ABD25BE1E3E0A3D223EE9BC36BD2ABE89BDED3D31BE7DBDDD3DD13D863D0FBD5BBC0ABD85BD973D77BDCBBD243D03BE1BBDB93D873D1A3EF7BDC93A56BDCABDCCBD363D983CB9BDFFBD16BE313EF7BC27BD85BDB5BD26BED5BDDD3D1F3D7FBD89BDE73D023E2E3E533DAF3D69BCD4BD31BEDD3DD2BC953D0F3C29BEB2BD4C3D13BD2FBE7E3DDE3B69BD923D193D86BD233EB63DB63C0BBD19BE0C3E3BBDEABDE83D813D333D10BD62BDF63C0C3ECF3CABBD343E783B0F3E303D223ED13DB9BDFE3D953A11BE18BD23BEBCBD00BEF83D18BDFABCAD3D933DEFBD853D9A3D10BE1D3EDCBD8EBD15BE253E0A3D183E3D3CC53D67BD10BEE83C81BC92BCB2BD703B503D833D12BEAF3D953CFA3D003E0FBE2E3E32BED03D4C3CAB3DC4BDDA3DB3BD20BE733DC63D333E97BC2E3EE93DB4BD0CBECB3DC6BDA63D1BBE043E593DA6BCA63D01BE1EBDE33AD1BD39BD9CBD2D3E1A3E1C3E143E2DBE723D853D05BE933DC4BDE63C703D1C3EBEBD0EBE273E983DB03D823D80BDDA3D1EBECA3CA43DF73DB5BDF5BD883D10BE16BE23BEB0BD0ABDD6BD99BD20BEDF3D26BDE4BD3D3D07BEFD3DD03D32BE0EBEEFBDC4BDB53C33BE06BEA53D6DBD90BD16BE933D4D3C8CBDDEBD1A3D453DA13D573DDDBC0CBEE63DC7BAF1BD1C3ECA3D0EBEB5BD76BDD1BDA93D01BE283E96BDD63DC53B9FBDF23D0ABEC0BDAE3C103E9BBDDCBDE7BDA0BD7ABD29BDCEBD623DBC3AEDBDCFBD193D25BB003EDCBC13BE06BE55BD20BDA53C22BD863D71BD053E263D5FBD213E393DF6BDC9BDE33DA53D0D3E5EBCFD3DB43D603D28BD2F3E133D3BBD25BB323EF33D57BC313E9F3DC1BD25BED23D2A3ED3BD953DF73B1BBD45BD493D203DF53D853DA53D203E613DD73C84BD053ED63CE93D2F3E22BDFF3D13BD233E0E3E82BDD03B9EBD92BD13BD9EBA7CBD2BBEDBBD78BC67BD063E133EE73DA03D10BE2B3E20BE6EBDFFBD823D17BEB2BDE6BDDFBDA9BD323E6DBC5D3D34BE213E1EBD26BEFA3D44BD243EF6BD28BE08BE9D3DA2BC28BE063D39BC833DB8BD01BEF73DAEBDFF3D133EFDBDA7BDAE3C2BBE5E3D97BDA1BD0CBEA93DE7BD11BE3EBDCABD30BE923D8ABDFE3DFF3DE7BDD3BD81BDD43DC7BB81BDE03D2C3E063E0ABE16BD0BBD1A3EBBBDCFBD353B28BD893DB03CD8BD043EE13D1F3D24BEAA3DF13D4A3D8CBD423C8BBD2A3E2F3EA9BCF4BDD53DB93DC03D08BE763D9BBD1FBEFDBD993D883D1FBECD3D0B3E093ECC3DE3BCF33D0E3EBD3D02BE7DBD0F3E0A3EE73D97BD0FBD07BECEBD0B3E15BE33BD1A3DD9BD293DE9BC913D0BBEC83C25BEE13D303E81BDD63CBBBDE8BDB7BDACBD093DA6BC4B3C0BBEE3BD1DBE02BE183E873D2DBEF2BC683CC13D283E2F3DFF3D81BDBDBBDBBD273D273EE33D343EA3BDB5BC153D123E26BEB2BDD23CD1BD873D45BC3CBDC23D013E303EA43D9EBB143E103EB5BDA53DAA3C9CBD2CBD2BBDFDBD5DBD743D053E5C3C2FBEC03D5BBD223E2FBE29BD0C3E9D3DB5BD1DBEF9BA8C3D16BE17BE12BB14BDE93D2FBEE6BC0CBED3BCB9BD643D17BE0EBECDBD1FBEE53DCFBCC9BDFE3D24BDBB3D60BD17BE1F3DE13D30BE973C103DA63C8FBB61BD0DBEEC3CF3BD16BE68BDF8BD5E3D013E0D3EE0BDC53D013E023B993DCD3D0B3EC23D9B3D89BDCABDACBD153E2FBDCF3B29BE01BC4CBDEABD0C3E13BECFBC4DBC24BEDB3D66BDA33DCA3D203E333D083E273E103D14BD46BDEB3C823D2BBE083EE43C29BE683DE63D873D143E703B16BED2B9043EAEBD9A3D273DEBBCA53A9A3DF8BDE53DF53DCB3D353EFDBB00BE043C52BD803D193EC6BDF33B303E11BEFABC303EFD3D523D9CBD87BC22BE2ABE2ABE2E3E0F3E903D36BD1C3E3FBDFB3DBDBBAABD4ABD1BBD26BE593D5DBDA63DE73DE6BCB03D113DF33DE9BD7EBC71BD1F3E22BECBBDA33C213EF53D29BEFFBD303ED33C1BBE64BD9E3D17BD0BBEE0BDBCBDE3BB8E3DAE3DB0BDF3BC0CBE093E353E303E943D1ABD90BB833D1DBE343C13BE35BEC2BB67BDE5BD",
      torch_tensor_32_torch.bfloat16: "0x02000000803F803F803F803F803F803F803F803F803F803F803F803F803F803F803F803F803F803F803F803F803F803F803F803F803F803F803F803F803F803F803F803F"
    }
  }
#-}
