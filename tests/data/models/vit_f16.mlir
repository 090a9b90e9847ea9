#map = affine_map<(d0) -> (d0)>
#map1 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#map2 = affine_map<(d0, d1, d2) -> (d1, d2)>
#map3 = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#map4 = affine_map<(d0, d1, d2) -> (0, d1, d2)>
#map5 = affine_map<(d0, d1, d2) -> (d0, d1, 0)>
#map6 = affine_map<(d0, d1, d2) -> (d2)>
#map7 = affine_map<(d0, d1) -> (d0, d1)>
#map8 = affine_map<(d0, d1) -> (d1)>
#map9 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>
#map10 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, 0)>
module {
  func.func @forward(%arg0: tensor<2x3x8x8xf16>) -> tensor<2x10xf16> {
    %c0_i64 = arith.constant 0 : i64
    %cst = arith.constant 0.000000e+00 : f64
    %cst_0 = arith.constant 0.000000e+00 : f32
    %cst_1 = arith.constant 0xFF800000 : f32
    %cst_2 = arith.constant 1.000000e+00 : f16
    %cst_3 = arith.constant 2.000000e+00 : f16
    %cst_4 = arith.constant 5.000000e-01 : f16
    %cst_5 = arith.constant dense_resource<torch_tensor_10_torch.float16> : tensor<10xf16>
    %cst_6 = arith.constant dense_resource<torch_tensor_10_32_torch.float16> : tensor<10x32xf16>
    %cst_7 = arith.constant dense_resource<torch_tensor_32_torch.float16_11> : tensor<32xf16>
    %cst_8 = arith.constant dense_resource<torch_tensor_32_torch.float16_10> : tensor<32xf16>
    %cst_9 = arith.constant dense_resource<torch_tensor_32_torch.float16_9> : tensor<32xf16>
    %cst_10 = arith.constant dense_resource<torch_tensor_32_64_torch.float16> : tensor<32x64xf16>
    %cst_11 = arith.constant dense_resource<torch_tensor_64_torch.float16> : tensor<64xf16>
    %cst_12 = arith.constant dense_resource<torch_tensor_64_32_torch.float16> : tensor<64x32xf16>
    %cst_13 = arith.constant dense_resource<torch_tensor_32_torch.float16_8> : tensor<32xf16>
    %cst_14 = arith.constant dense_resource<torch_tensor_32_torch.float16_7> : tensor<32xf16>
    %cst_15 = arith.constant dense_resource<torch_tensor_32_torch.float16_6> : tensor<32xf16>
    %cst_16 = arith.constant dense_resource<torch_tensor_32_32_torch.float16_3> : tensor<32x32xf16>
    %cst_17 = arith.constant dense_resource<torch_tensor_32_torch.float16_5> : tensor<32xf16>
    %cst_18 = arith.constant dense_resource<torch_tensor_32_32_torch.float16_2> : tensor<32x32xf16>
    %cst_19 = arith.constant dense_resource<torch_tensor_32_torch.float16_4> : tensor<32xf16>
    %cst_20 = arith.constant dense_resource<torch_tensor_32_32_torch.float16_1> : tensor<32x32xf16>
    %cst_21 = arith.constant dense_resource<torch_tensor_32_torch.float16_3> : tensor<32xf16>
    %cst_22 = arith.constant dense_resource<torch_tensor_32_32_torch.float16> : tensor<32x32xf16>
    %cst_23 = arith.constant dense_resource<torch_tensor_32_torch.float16_2> : tensor<32xf16>
    %cst_24 = arith.constant dense_resource<torch_tensor_32_torch.float16_1> : tensor<32xf16>
    %cst_25 = arith.constant 1.000000e-05 : f64
    %cst_26 = arith.constant dense_resource<torch_tensor_1_5_32_torch.float16> : tensor<1x5x32xf16>
    %cst_27 = arith.constant dense_resource<torch_tensor_1_1_32_torch.float16> : tensor<1x1x32xf16>
    %cst_28 = arith.constant dense_resource<torch_tensor_32_3_4_4_torch.float16> : tensor<32x3x4x4xf16>
    %cst_29 = arith.constant dense_resource<torch_tensor_32_torch.float16> : tensor<32xf16>
    %cst_30 = arith.constant 3.200000e+01 : f64
    %cst_31 = arith.constant 3.200000e+01 : f32
    %cst_32 = arith.constant 4.000000e+00 : f16
    %0 = tensor.empty() : tensor<2x32x2x2xf32>
    %1 = tensor.empty() : tensor<32xf32>
    %2 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel"]} ins(%cst_29 : tensor<32xf16>) outs(%1 : tensor<32xf32>) {
    ^bb0(%in: f16, %out: f32):
      %164 = arith.extf %in : f16 to f32
      linalg.yield %164 : f32
    } -> tensor<32xf32>
    %broadcasted = linalg.broadcast ins(%2 : tensor<32xf32>) outs(%0 : tensor<2x32x2x2xf32>) dimensions = [0, 2, 3] 
    %3 = linalg.conv_2d_nchw_fchw {dilations = dense<1> : vector<2xi64>, strides = dense<4> : vector<2xi64>} ins(%arg0, %cst_28 : tensor<2x3x8x8xf16>, tensor<32x3x4x4xf16>) outs(%broadcasted : tensor<2x32x2x2xf32>) -> tensor<2x32x2x2xf32>
    %4 = tensor.empty() : tensor<2x32x2x2xf16>
    %5 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%3 : tensor<2x32x2x2xf32>) outs(%4 : tensor<2x32x2x2xf16>) {
    ^bb0(%in: f32, %out: f16):
      %164 = arith.truncf %in : f32 to f16
      linalg.yield %164 : f16
    } -> tensor<2x32x2x2xf16>
    %collapsed = tensor.collapse_shape %5 [[0], [1], [2, 3]] : tensor<2x32x2x2xf16> into tensor<2x32x4xf16>
    %6 = tensor.empty() : tensor<2x4x32xf16>
    %transposed = linalg.transpose ins(%collapsed : tensor<2x32x4xf16>) outs(%6 : tensor<2x4x32xf16>) permutation = [0, 2, 1] 
    %7 = tensor.empty() : tensor<2x1x32xf16>
    %collapsed_33 = tensor.collapse_shape %cst_27 [[0, 1], [2]] : tensor<1x1x32xf16> into tensor<1x32xf16>
    %8 = linalg.generic {indexing_maps = [#map2, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%collapsed_33 : tensor<1x32xf16>) outs(%7 : tensor<2x1x32xf16>) {
    ^bb0(%in: f16, %out: f16):
      linalg.yield %in : f16
    } -> tensor<2x1x32xf16>
    %concat = tensor.concat dim(1) %8, %transposed : (tensor<2x1x32xf16>, tensor<2x4x32xf16>) -> tensor<2x5x32xf16>
    %9 = tensor.empty() : tensor<2x5x32xf16>
    %10 = linalg.generic {indexing_maps = [#map3, #map4, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%concat, %cst_26 : tensor<2x5x32xf16>, tensor<1x5x32xf16>) outs(%9 : tensor<2x5x32xf16>) {
    ^bb0(%in: f16, %in_62: f16, %out: f16):
      %164 = arith.addf %in, %in_62 : f16
      linalg.yield %164 : f16
    } -> tensor<2x5x32xf16>
    %11 = tensor.empty() : tensor<2x5x32xf32>
    %12 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%10 : tensor<2x5x32xf16>) outs(%11 : tensor<2x5x32xf32>) {
    ^bb0(%in: f16, %out: f32):
      %164 = arith.extf %in : f16 to f32
      linalg.yield %164 : f32
    } -> tensor<2x5x32xf32>
    %13 = tensor.empty() : tensor<2x5x32xf64>
    %14 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%12 : tensor<2x5x32xf32>) outs(%13 : tensor<2x5x32xf64>) {
    ^bb0(%in: f32, %out: f64):
      %164 = arith.extf %in : f32 to f64
      linalg.yield %164 : f64
    } -> tensor<2x5x32xf64>
    %15 = tensor.empty() : tensor<2x5x1xf64>
    %16 = linalg.fill ins(%cst : f64) outs(%15 : tensor<2x5x1xf64>) -> tensor<2x5x1xf64>
    %17 = linalg.generic {indexing_maps = [#map3, #map5], iterator_types = ["parallel", "parallel", "reduction"]} ins(%14 : tensor<2x5x32xf64>) outs(%16 : tensor<2x5x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %164 = arith.addf %in, %out : f64
      linalg.yield %164 : f64
    } -> tensor<2x5x1xf64>
    %18 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%17 : tensor<2x5x1xf64>) outs(%15 : tensor<2x5x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %164 = arith.divf %in, %cst_30 : f64
      linalg.yield %164 : f64
    } -> tensor<2x5x1xf64>
    %19 = linalg.generic {indexing_maps = [#map3, #map5, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%14, %18 : tensor<2x5x32xf64>, tensor<2x5x1xf64>) outs(%13 : tensor<2x5x32xf64>) {
    ^bb0(%in: f64, %in_62: f64, %out: f64):
      %164 = arith.subf %in, %in_62 : f64
      linalg.yield %164 : f64
    } -> tensor<2x5x32xf64>
    %20 = linalg.generic {indexing_maps = [#map3, #map3, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%19, %19 : tensor<2x5x32xf64>, tensor<2x5x32xf64>) outs(%13 : tensor<2x5x32xf64>) {
    ^bb0(%in: f64, %in_62: f64, %out: f64):
      %164 = arith.mulf %in, %in_62 : f64
      linalg.yield %164 : f64
    } -> tensor<2x5x32xf64>
    %21 = linalg.generic {indexing_maps = [#map3, #map5], iterator_types = ["parallel", "parallel", "reduction"]} ins(%20 : tensor<2x5x32xf64>) outs(%16 : tensor<2x5x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %164 = arith.addf %in, %out : f64
      linalg.yield %164 : f64
    } -> tensor<2x5x1xf64>
    %22 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%21 : tensor<2x5x1xf64>) outs(%15 : tensor<2x5x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %164 = arith.divf %in, %cst_30 : f64
      linalg.yield %164 : f64
    } -> tensor<2x5x1xf64>
    %23 = tensor.empty() : tensor<2x5x1xf32>
    %24 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%22 : tensor<2x5x1xf64>) outs(%23 : tensor<2x5x1xf32>) {
    ^bb0(%in: f64, %out: f32):
      %164 = arith.truncf %in : f64 to f32
      linalg.yield %164 : f32
    } -> tensor<2x5x1xf32>
    %25 = linalg.fill ins(%cst_0 : f32) outs(%23 : tensor<2x5x1xf32>) -> tensor<2x5x1xf32>
    %26 = linalg.generic {indexing_maps = [#map3, #map5], iterator_types = ["parallel", "parallel", "reduction"]} ins(%12 : tensor<2x5x32xf32>) outs(%25 : tensor<2x5x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %164 = arith.addf %in, %out : f32
      linalg.yield %164 : f32
    } -> tensor<2x5x1xf32>
    %27 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%26 : tensor<2x5x1xf32>) outs(%23 : tensor<2x5x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %164 = arith.divf %in, %cst_31 : f32
      linalg.yield %164 : f32
    } -> tensor<2x5x1xf32>
    %28 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%24 : tensor<2x5x1xf32>) outs(%23 : tensor<2x5x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %164 = arith.truncf %cst_25 : f64 to f32
      %165 = arith.addf %in, %164 : f32
      linalg.yield %165 : f32
    } -> tensor<2x5x1xf32>
    %29 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%28 : tensor<2x5x1xf32>) outs(%23 : tensor<2x5x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %164 = math.rsqrt %in : f32
      linalg.yield %164 : f32
    } -> tensor<2x5x1xf32>
    %30 = linalg.generic {indexing_maps = [#map3, #map5, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%12, %27 : tensor<2x5x32xf32>, tensor<2x5x1xf32>) outs(%11 : tensor<2x5x32xf32>) {
    ^bb0(%in: f32, %in_62: f32, %out: f32):
      %164 = arith.subf %in, %in_62 : f32
      linalg.yield %164 : f32
    } -> tensor<2x5x32xf32>
    %31 = linalg.generic {indexing_maps = [#map3, #map5, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%30, %29 : tensor<2x5x32xf32>, tensor<2x5x1xf32>) outs(%11 : tensor<2x5x32xf32>) {
    ^bb0(%in: f32, %in_62: f32, %out: f32):
      %164 = arith.mulf %in, %in_62 : f32
      linalg.yield %164 : f32
    } -> tensor<2x5x32xf32>
    %32 = linalg.generic {indexing_maps = [#map3, #map6, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%31, %cst_24 : tensor<2x5x32xf32>, tensor<32xf16>) outs(%11 : tensor<2x5x32xf32>) {
    ^bb0(%in: f32, %in_62: f16, %out: f32):
      %164 = arith.extf %in_62 : f16 to f32
      %165 = arith.mulf %in, %164 : f32
      linalg.yield %165 : f32
    } -> tensor<2x5x32xf32>
    %33 = linalg.generic {indexing_maps = [#map3, #map6, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%32, %cst_23 : tensor<2x5x32xf32>, tensor<32xf16>) outs(%11 : tensor<2x5x32xf32>) {
    ^bb0(%in: f32, %in_62: f16, %out: f32):
      %164 = arith.extf %in_62 : f16 to f32
      %165 = arith.addf %in, %164 : f32
      linalg.yield %165 : f32
    } -> tensor<2x5x32xf32>
    %34 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%33 : tensor<2x5x32xf32>) outs(%9 : tensor<2x5x32xf16>) {
    ^bb0(%in: f32, %out: f16):
      %164 = arith.truncf %in : f32 to f16
      linalg.yield %164 : f16
    } -> tensor<2x5x32xf16>
    %collapsed_34 = tensor.collapse_shape %34 [[0, 1], [2]] : tensor<2x5x32xf16> into tensor<10x32xf16>
    %35 = tensor.empty() : tensor<32x32xf16>
    %transposed_35 = linalg.transpose ins(%cst_22 : tensor<32x32xf16>) outs(%35 : tensor<32x32xf16>) permutation = [1, 0] 
    %36 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel"]} ins(%cst_21 : tensor<32xf16>) outs(%1 : tensor<32xf32>) {
    ^bb0(%in: f16, %out: f32):
      %164 = arith.extf %in : f16 to f32
      linalg.yield %164 : f32
    } -> tensor<32xf32>
    %37 = tensor.empty() : tensor<10x32xf32>
    %38 = linalg.generic {indexing_maps = [#map7, #map7], iterator_types = ["parallel", "parallel"]} ins(%collapsed_34 : tensor<10x32xf16>) outs(%37 : tensor<10x32xf32>) {
    ^bb0(%in: f16, %out: f32):
      %164 = arith.extf %in : f16 to f32
      linalg.yield %164 : f32
    } -> tensor<10x32xf32>
    %39 = tensor.empty() : tensor<32x32xf32>
    %40 = linalg.generic {indexing_maps = [#map7, #map7], iterator_types = ["parallel", "parallel"]} ins(%transposed_35 : tensor<32x32xf16>) outs(%39 : tensor<32x32xf32>) {
    ^bb0(%in: f16, %out: f32):
      %164 = arith.extf %in : f16 to f32
      linalg.yield %164 : f32
    } -> tensor<32x32xf32>
    %41 = linalg.fill ins(%cst_0 : f32) outs(%37 : tensor<10x32xf32>) -> tensor<10x32xf32>
    %42 = linalg.matmul ins(%38, %40 : tensor<10x32xf32>, tensor<32x32xf32>) outs(%41 : tensor<10x32xf32>) -> tensor<10x32xf32>
    %43 = linalg.generic {indexing_maps = [#map7, #map8, #map7], iterator_types = ["parallel", "parallel"]} ins(%42, %36 : tensor<10x32xf32>, tensor<32xf32>) outs(%37 : tensor<10x32xf32>) {
    ^bb0(%in: f32, %in_62: f32, %out: f32):
      %164 = arith.addf %in, %in_62 : f32
      linalg.yield %164 : f32
    } -> tensor<10x32xf32>
    %44 = tensor.empty() : tensor<10x32xf16>
    %45 = linalg.generic {indexing_maps = [#map7, #map7], iterator_types = ["parallel", "parallel"]} ins(%43 : tensor<10x32xf32>) outs(%44 : tensor<10x32xf16>) {
    ^bb0(%in: f32, %out: f16):
      %164 = arith.truncf %in : f32 to f16
      linalg.yield %164 : f16
    } -> tensor<10x32xf16>
    %expanded = tensor.expand_shape %45 [[0, 1], [2, 3]] output_shape [2, 5, 2, 16] : tensor<10x32xf16> into tensor<2x5x2x16xf16>
    %46 = tensor.empty() : tensor<2x2x5x16xf16>
    %transposed_36 = linalg.transpose ins(%expanded : tensor<2x5x2x16xf16>) outs(%46 : tensor<2x2x5x16xf16>) permutation = [0, 2, 1, 3] 
    %transposed_37 = linalg.transpose ins(%cst_20 : tensor<32x32xf16>) outs(%35 : tensor<32x32xf16>) permutation = [1, 0] 
    %47 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel"]} ins(%cst_19 : tensor<32xf16>) outs(%1 : tensor<32xf32>) {
    ^bb0(%in: f16, %out: f32):
      %164 = arith.extf %in : f16 to f32
      linalg.yield %164 : f32
    } -> tensor<32xf32>
    %48 = linalg.generic {indexing_maps = [#map7, #map7], iterator_types = ["parallel", "parallel"]} ins(%transposed_37 : tensor<32x32xf16>) outs(%39 : tensor<32x32xf32>) {
    ^bb0(%in: f16, %out: f32):
      %164 = arith.extf %in : f16 to f32
      linalg.yield %164 : f32
    } -> tensor<32x32xf32>
    %49 = linalg.matmul ins(%38, %48 : tensor<10x32xf32>, tensor<32x32xf32>) outs(%41 : tensor<10x32xf32>) -> tensor<10x32xf32>
    %50 = linalg.generic {indexing_maps = [#map7, #map8, #map7], iterator_types = ["parallel", "parallel"]} ins(%49, %47 : tensor<10x32xf32>, tensor<32xf32>) outs(%37 : tensor<10x32xf32>) {
    ^bb0(%in: f32, %in_62: f32, %out: f32):
      %164 = arith.addf %in, %in_62 : f32
      linalg.yield %164 : f32
    } -> tensor<10x32xf32>
    %51 = linalg.generic {indexing_maps = [#map7, #map7], iterator_types = ["parallel", "parallel"]} ins(%50 : tensor<10x32xf32>) outs(%44 : tensor<10x32xf16>) {
    ^bb0(%in: f32, %out: f16):
      %164 = arith.truncf %in : f32 to f16
      linalg.yield %164 : f16
    } -> tensor<10x32xf16>
    %expanded_38 = tensor.expand_shape %51 [[0, 1], [2, 3]] output_shape [2, 5, 2, 16] : tensor<10x32xf16> into tensor<2x5x2x16xf16>
    %transposed_39 = linalg.transpose ins(%cst_18 : tensor<32x32xf16>) outs(%35 : tensor<32x32xf16>) permutation = [1, 0] 
    %52 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel"]} ins(%cst_17 : tensor<32xf16>) outs(%1 : tensor<32xf32>) {
    ^bb0(%in: f16, %out: f32):
      %164 = arith.extf %in : f16 to f32
      linalg.yield %164 : f32
    } -> tensor<32xf32>
    %53 = linalg.generic {indexing_maps = [#map7, #map7], iterator_types = ["parallel", "parallel"]} ins(%transposed_39 : tensor<32x32xf16>) outs(%39 : tensor<32x32xf32>) {
    ^bb0(%in: f16, %out: f32):
      %164 = arith.extf %in : f16 to f32
      linalg.yield %164 : f32
    } -> tensor<32x32xf32>
    %54 = linalg.matmul ins(%38, %53 : tensor<10x32xf32>, tensor<32x32xf32>) outs(%41 : tensor<10x32xf32>) -> tensor<10x32xf32>
    %55 = linalg.generic {indexing_maps = [#map7, #map8, #map7], iterator_types = ["parallel", "parallel"]} ins(%54, %52 : tensor<10x32xf32>, tensor<32xf32>) outs(%37 : tensor<10x32xf32>) {
    ^bb0(%in: f32, %in_62: f32, %out: f32):
      %164 = arith.addf %in, %in_62 : f32
      linalg.yield %164 : f32
    } -> tensor<10x32xf32>
    %56 = linalg.generic {indexing_maps = [#map7, #map7], iterator_types = ["parallel", "parallel"]} ins(%55 : tensor<10x32xf32>) outs(%44 : tensor<10x32xf16>) {
    ^bb0(%in: f32, %out: f16):
      %164 = arith.truncf %in : f32 to f16
      linalg.yield %164 : f16
    } -> tensor<10x32xf16>
    %expanded_40 = tensor.expand_shape %56 [[0, 1], [2, 3]] output_shape [2, 5, 2, 16] : tensor<10x32xf16> into tensor<2x5x2x16xf16>
    %transposed_41 = linalg.transpose ins(%expanded_40 : tensor<2x5x2x16xf16>) outs(%46 : tensor<2x2x5x16xf16>) permutation = [0, 2, 1, 3] 
    %57 = tensor.empty() : tensor<2x2x16x5xf16>
    %transposed_42 = linalg.transpose ins(%expanded_38 : tensor<2x5x2x16xf16>) outs(%57 : tensor<2x2x16x5xf16>) permutation = [0, 2, 3, 1] 
    %collapsed_43 = tensor.collapse_shape %transposed_36 [[0, 1], [2], [3]] : tensor<2x2x5x16xf16> into tensor<4x5x16xf16>
    %collapsed_44 = tensor.collapse_shape %transposed_42 [[0, 1], [2], [3]] : tensor<2x2x16x5xf16> into tensor<4x16x5xf16>
    %58 = tensor.empty() : tensor<4x5x5xf32>
    %59 = linalg.fill ins(%cst_0 : f32) outs(%58 : tensor<4x5x5xf32>) -> tensor<4x5x5xf32>
    %60 = linalg.batch_matmul ins(%collapsed_43, %collapsed_44 : tensor<4x5x16xf16>, tensor<4x16x5xf16>) outs(%59 : tensor<4x5x5xf32>) -> tensor<4x5x5xf32>
    %61 = tensor.empty() : tensor<4x5x5xf16>
    %62 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%60 : tensor<4x5x5xf32>) outs(%61 : tensor<4x5x5xf16>) {
    ^bb0(%in: f32, %out: f16):
      %164 = arith.truncf %in : f32 to f16
      linalg.yield %164 : f16
    } -> tensor<4x5x5xf16>
    %expanded_45 = tensor.expand_shape %62 [[0, 1], [2], [3]] output_shape [2, 2, 5, 5] : tensor<4x5x5xf16> into tensor<2x2x5x5xf16>
    %63 = tensor.empty() : tensor<2x2x5x5xf16>
    %64 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_45 : tensor<2x2x5x5xf16>) outs(%63 : tensor<2x2x5x5xf16>) {
    ^bb0(%in: f16, %out: f16):
      %164 = arith.divf %in, %cst_32 : f16
      linalg.yield %164 : f16
    } -> tensor<2x2x5x5xf16>
    %65 = tensor.empty() : tensor<2x2x5x5xf32>
    %66 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%64 : tensor<2x2x5x5xf16>) outs(%65 : tensor<2x2x5x5xf32>) {
    ^bb0(%in: f16, %out: f32):
      %164 = arith.extf %in : f16 to f32
      linalg.yield %164 : f32
    } -> tensor<2x2x5x5xf32>
    %67 = tensor.empty() : tensor<2x2x5xi64>
    %68 = linalg.fill ins(%c0_i64 : i64) outs(%67 : tensor<2x2x5xi64>) -> tensor<2x2x5xi64>
    %69 = tensor.empty() : tensor<2x2x5xf32>
    %70 = linalg.fill ins(%cst_1 : f32) outs(%69 : tensor<2x2x5xf32>) -> tensor<2x2x5xf32>
    %71:2 = linalg.generic {indexing_maps = [#map1, #map9, #map9], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%66 : tensor<2x2x5x5xf32>) outs(%70, %68 : tensor<2x2x5xf32>, tensor<2x2x5xi64>) {
    ^bb0(%in: f32, %out: f32, %out_62: i64):
      %164 = linalg.index 3 : index
      %165 = arith.index_cast %164 : index to i64
      %166 = arith.maximumf %in, %out : f32
      %167 = arith.cmpf ogt, %in, %out : f32
      %168 = arith.select %167, %165, %out_62 : i64
      linalg.yield %166, %168 : f32, i64
    } -> (tensor<2x2x5xf32>, tensor<2x2x5xi64>)
    %expanded_46 = tensor.expand_shape %71#0 [[0], [1], [2, 3]] output_shape [2, 2, 5, 1] : tensor<2x2x5xf32> into tensor<2x2x5x1xf32>
    %72 = linalg.generic {indexing_maps = [#map1, #map10, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%66, %expanded_46 : tensor<2x2x5x5xf32>, tensor<2x2x5x1xf32>) outs(%65 : tensor<2x2x5x5xf32>) {
    ^bb0(%in: f32, %in_62: f32, %out: f32):
      %164 = arith.subf %in, %in_62 : f32
      linalg.yield %164 : f32
    } -> tensor<2x2x5x5xf32>
    %73 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%72 : tensor<2x2x5x5xf32>) outs(%65 : tensor<2x2x5x5xf32>) {
    ^bb0(%in: f32, %out: f32):
      %164 = math.exp %in : f32
      linalg.yield %164 : f32
    } -> tensor<2x2x5x5xf32>
    %74 = tensor.empty() : tensor<2x2x5x1xf32>
    %75 = linalg.fill ins(%cst_0 : f32) outs(%74 : tensor<2x2x5x1xf32>) -> tensor<2x2x5x1xf32>
    %76 = linalg.generic {indexing_maps = [#map1, #map10], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%73 : tensor<2x2x5x5xf32>) outs(%75 : tensor<2x2x5x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %164 = arith.addf %in, %out : f32
      linalg.yield %164 : f32
    } -> tensor<2x2x5x1xf32>
    %77 = linalg.generic {indexing_maps = [#map1, #map10, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%73, %76 : tensor<2x2x5x5xf32>, tensor<2x2x5x1xf32>) outs(%65 : tensor<2x2x5x5xf32>) {
    ^bb0(%in: f32, %in_62: f32, %out: f32):
      %164 = arith.divf %in, %in_62 : f32
      linalg.yield %164 : f32
    } -> tensor<2x2x5x5xf32>
    %78 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%77 : tensor<2x2x5x5xf32>) outs(%63 : tensor<2x2x5x5xf16>) {
    ^bb0(%in: f32, %out: f16):
      %164 = arith.truncf %in : f32 to f16
      linalg.yield %164 : f16
    } -> tensor<2x2x5x5xf16>
    %collapsed_47 = tensor.collapse_shape %78 [[0, 1], [2], [3]] : tensor<2x2x5x5xf16> into tensor<4x5x5xf16>
    %collapsed_48 = tensor.collapse_shape %transposed_41 [[0, 1], [2], [3]] : tensor<2x2x5x16xf16> into tensor<4x5x16xf16>
    %79 = tensor.empty() : tensor<4x5x16xf32>
    %80 = linalg.fill ins(%cst_0 : f32) outs(%79 : tensor<4x5x16xf32>) -> tensor<4x5x16xf32>
    %81 = linalg.batch_matmul ins(%collapsed_47, %collapsed_48 : tensor<4x5x5xf16>, tensor<4x5x16xf16>) outs(%80 : tensor<4x5x16xf32>) -> tensor<4x5x16xf32>
    %82 = tensor.empty() : tensor<4x5x16xf16>
    %83 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%81 : tensor<4x5x16xf32>) outs(%82 : tensor<4x5x16xf16>) {
    ^bb0(%in: f32, %out: f16):
      %164 = arith.truncf %in : f32 to f16
      linalg.yield %164 : f16
    } -> tensor<4x5x16xf16>
    %expanded_49 = tensor.expand_shape %83 [[0, 1], [2], [3]] output_shape [2, 2, 5, 16] : tensor<4x5x16xf16> into tensor<2x2x5x16xf16>
    %84 = tensor.empty() : tensor<2x5x2x16xf16>
    %transposed_50 = linalg.transpose ins(%expanded_49 : tensor<2x2x5x16xf16>) outs(%84 : tensor<2x5x2x16xf16>) permutation = [0, 2, 1, 3] 
    %collapsed_51 = tensor.collapse_shape %transposed_50 [[0, 1], [2, 3]] : tensor<2x5x2x16xf16> into tensor<10x32xf16>
    %transposed_52 = linalg.transpose ins(%cst_16 : tensor<32x32xf16>) outs(%35 : tensor<32x32xf16>) permutation = [1, 0] 
    %85 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel"]} ins(%cst_15 : tensor<32xf16>) outs(%1 : tensor<32xf32>) {
    ^bb0(%in: f16, %out: f32):
      %164 = arith.extf %in : f16 to f32
      linalg.yield %164 : f32
    } -> tensor<32xf32>
    %86 = linalg.generic {indexing_maps = [#map7, #map7], iterator_types = ["parallel", "parallel"]} ins(%collapsed_51 : tensor<10x32xf16>) outs(%37 : tensor<10x32xf32>) {
    ^bb0(%in: f16, %out: f32):
      %164 = arith.extf %in : f16 to f32
      linalg.yield %164 : f32
    } -> tensor<10x32xf32>
    %87 = linalg.generic {indexing_maps = [#map7, #map7], iterator_types = ["parallel", "parallel"]} ins(%transposed_52 : tensor<32x32xf16>) outs(%39 : tensor<32x32xf32>) {
    ^bb0(%in: f16, %out: f32):
      %164 = arith.extf %in : f16 to f32
      linalg.yield %164 : f32
    } -> tensor<32x32xf32>
    %88 = linalg.matmul ins(%86, %87 : tensor<10x32xf32>, tensor<32x32xf32>) outs(%41 : tensor<10x32xf32>) -> tensor<10x32xf32>
    %89 = linalg.generic {indexing_maps = [#map7, #map8, #map7], iterator_types = ["parallel", "parallel"]} ins(%88, %85 : tensor<10x32xf32>, tensor<32xf32>) outs(%37 : tensor<10x32xf32>) {
    ^bb0(%in: f32, %in_62: f32, %out: f32):
      %164 = arith.addf %in, %in_62 : f32
      linalg.yield %164 : f32
    } -> tensor<10x32xf32>
    %90 = linalg.generic {indexing_maps = [#map7, #map7], iterator_types = ["parallel", "parallel"]} ins(%89 : tensor<10x32xf32>) outs(%44 : tensor<10x32xf16>) {
    ^bb0(%in: f32, %out: f16):
      %164 = arith.truncf %in : f32 to f16
      linalg.yield %164 : f16
    } -> tensor<10x32xf16>
    %expanded_53 = tensor.expand_shape %90 [[0, 1], [2]] output_shape [2, 5, 32] : tensor<10x32xf16> into tensor<2x5x32xf16>
    %91 = linalg.generic {indexing_maps = [#map3, #map3, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%10, %expanded_53 : tensor<2x5x32xf16>, tensor<2x5x32xf16>) outs(%9 : tensor<2x5x32xf16>) {
    ^bb0(%in: f16, %in_62: f16, %out: f16):
      %164 = arith.addf %in, %in_62 : f16
      linalg.yield %164 : f16
    } -> tensor<2x5x32xf16>
    %92 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%91 : tensor<2x5x32xf16>) outs(%11 : tensor<2x5x32xf32>) {
    ^bb0(%in: f16, %out: f32):
      %164 = arith.extf %in : f16 to f32
      linalg.yield %164 : f32
    } -> tensor<2x5x32xf32>
    %93 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%92 : tensor<2x5x32xf32>) outs(%13 : tensor<2x5x32xf64>) {
    ^bb0(%in: f32, %out: f64):
      %164 = arith.extf %in : f32 to f64
      linalg.yield %164 : f64
    } -> tensor<2x5x32xf64>
    %94 = linalg.generic {indexing_maps = [#map3, #map5], iterator_types = ["parallel", "parallel", "reduction"]} ins(%93 : tensor<2x5x32xf64>) outs(%16 : tensor<2x5x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %164 = arith.addf %in, %out : f64
      linalg.yield %164 : f64
    } -> tensor<2x5x1xf64>
    %95 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%94 : tensor<2x5x1xf64>) outs(%15 : tensor<2x5x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %164 = arith.divf %in, %cst_30 : f64
      linalg.yield %164 : f64
    } -> tensor<2x5x1xf64>
    %96 = linalg.generic {indexing_maps = [#map3, #map5, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%93, %95 : tensor<2x5x32xf64>, tensor<2x5x1xf64>) outs(%13 : tensor<2x5x32xf64>) {
    ^bb0(%in: f64, %in_62: f64, %out: f64):
      %164 = arith.subf %in, %in_62 : f64
      linalg.yield %164 : f64
    } -> tensor<2x5x32xf64>
    %97 = linalg.generic {indexing_maps = [#map3, #map3, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%96, %96 : tensor<2x5x32xf64>, tensor<2x5x32xf64>) outs(%13 : tensor<2x5x32xf64>) {
    ^bb0(%in: f64, %in_62: f64, %out: f64):
      %164 = arith.mulf %in, %in_62 : f64
      linalg.yield %164 : f64
    } -> tensor<2x5x32xf64>
    %98 = linalg.generic {indexing_maps = [#map3, #map5], iterator_types = ["parallel", "parallel", "reduction"]} ins(%97 : tensor<2x5x32xf64>) outs(%16 : tensor<2x5x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %164 = arith.addf %in, %out : f64
      linalg.yield %164 : f64
    } -> tensor<2x5x1xf64>
    %99 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%98 : tensor<2x5x1xf64>) outs(%15 : tensor<2x5x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %164 = arith.divf %in, %cst_30 : f64
      linalg.yield %164 : f64
    } -> tensor<2x5x1xf64>
    %100 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%99 : tensor<2x5x1xf64>) outs(%23 : tensor<2x5x1xf32>) {
    ^bb0(%in: f64, %out: f32):
      %164 = arith.truncf %in : f64 to f32
      linalg.yield %164 : f32
    } -> tensor<2x5x1xf32>
    %101 = linalg.generic {indexing_maps = [#map3, #map5], iterator_types = ["parallel", "parallel", "reduction"]} ins(%92 : tensor<2x5x32xf32>) outs(%25 : tensor<2x5x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %164 = arith.addf %in, %out : f32
      linalg.yield %164 : f32
    } -> tensor<2x5x1xf32>
    %102 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%101 : tensor<2x5x1xf32>) outs(%23 : tensor<2x5x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %164 = arith.divf %in, %cst_31 : f32
      linalg.yield %164 : f32
    } -> tensor<2x5x1xf32>
    %103 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%100 : tensor<2x5x1xf32>) outs(%23 : tensor<2x5x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %164 = arith.truncf %cst_25 : f64 to f32
      %165 = arith.addf %in, %164 : f32
      linalg.yield %165 : f32
    } -> tensor<2x5x1xf32>
    %104 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%103 : tensor<2x5x1xf32>) outs(%23 : tensor<2x5x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %164 = math.rsqrt %in : f32
      linalg.yield %164 : f32
    } -> tensor<2x5x1xf32>
    %105 = linalg.generic {indexing_maps = [#map3, #map5, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%92, %102 : tensor<2x5x32xf32>, tensor<2x5x1xf32>) outs(%11 : tensor<2x5x32xf32>) {
    ^bb0(%in: f32, %in_62: f32, %out: f32):
      %164 = arith.subf %in, %in_62 : f32
      linalg.yield %164 : f32
    } -> tensor<2x5x32xf32>
    %106 = linalg.generic {indexing_maps = [#map3, #map5, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%105, %104 : tensor<2x5x32xf32>, tensor<2x5x1xf32>) outs(%11 : tensor<2x5x32xf32>) {
    ^bb0(%in: f32, %in_62: f32, %out: f32):
      %164 = arith.mulf %in, %in_62 : f32
      linalg.yield %164 : f32
    } -> tensor<2x5x32xf32>
    %107 = linalg.generic {indexing_maps = [#map3, #map6, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%106, %cst_14 : tensor<2x5x32xf32>, tensor<32xf16>) outs(%11 : tensor<2x5x32xf32>) {
    ^bb0(%in: f32, %in_62: f16, %out: f32):
      %164 = arith.extf %in_62 : f16 to f32
      %165 = arith.mulf %in, %164 : f32
      linalg.yield %165 : f32
    } -> tensor<2x5x32xf32>
    %108 = linalg.generic {indexing_maps = [#map3, #map6, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%107, %cst_13 : tensor<2x5x32xf32>, tensor<32xf16>) outs(%11 : tensor<2x5x32xf32>) {
    ^bb0(%in: f32, %in_62: f16, %out: f32):
      %164 = arith.extf %in_62 : f16 to f32
      %165 = arith.addf %in, %164 : f32
      linalg.yield %165 : f32
    } -> tensor<2x5x32xf32>
    %109 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%108 : tensor<2x5x32xf32>) outs(%9 : tensor<2x5x32xf16>) {
    ^bb0(%in: f32, %out: f16):
      %164 = arith.truncf %in : f32 to f16
      linalg.yield %164 : f16
    } -> tensor<2x5x32xf16>
    %collapsed_54 = tensor.collapse_shape %109 [[0, 1], [2]] : tensor<2x5x32xf16> into tensor<10x32xf16>
    %110 = tensor.empty() : tensor<32x64xf16>
    %transposed_55 = linalg.transpose ins(%cst_12 : tensor<64x32xf16>) outs(%110 : tensor<32x64xf16>) permutation = [1, 0] 
    %111 = tensor.empty() : tensor<64xf32>
    %112 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel"]} ins(%cst_11 : tensor<64xf16>) outs(%111 : tensor<64xf32>) {
    ^bb0(%in: f16, %out: f32):
      %164 = arith.extf %in : f16 to f32
      linalg.yield %164 : f32
    } -> tensor<64xf32>
    %113 = linalg.generic {indexing_maps = [#map7, #map7], iterator_types = ["parallel", "parallel"]} ins(%collapsed_54 : tensor<10x32xf16>) outs(%37 : tensor<10x32xf32>) {
    ^bb0(%in: f16, %out: f32):
      %164 = arith.extf %in : f16 to f32
      linalg.yield %164 : f32
    } -> tensor<10x32xf32>
    %114 = tensor.empty() : tensor<32x64xf32>
    %115 = linalg.generic {indexing_maps = [#map7, #map7], iterator_types = ["parallel", "parallel"]} ins(%transposed_55 : tensor<32x64xf16>) outs(%114 : tensor<32x64xf32>) {
    ^bb0(%in: f16, %out: f32):
      %164 = arith.extf %in : f16 to f32
      linalg.yield %164 : f32
    } -> tensor<32x64xf32>
    %116 = tensor.empty() : tensor<10x64xf32>
    %117 = linalg.fill ins(%cst_0 : f32) outs(%116 : tensor<10x64xf32>) -> tensor<10x64xf32>
    %118 = linalg.matmul ins(%113, %115 : tensor<10x32xf32>, tensor<32x64xf32>) outs(%117 : tensor<10x64xf32>) -> tensor<10x64xf32>
    %119 = linalg.generic {indexing_maps = [#map7, #map8, #map7], iterator_types = ["parallel", "parallel"]} ins(%118, %112 : tensor<10x64xf32>, tensor<64xf32>) outs(%116 : tensor<10x64xf32>) {
    ^bb0(%in: f32, %in_62: f32, %out: f32):
      %164 = arith.addf %in, %in_62 : f32
      linalg.yield %164 : f32
    } -> tensor<10x64xf32>
    %120 = tensor.empty() : tensor<10x64xf16>
    %121 = linalg.generic {indexing_maps = [#map7, #map7], iterator_types = ["parallel", "parallel"]} ins(%119 : tensor<10x64xf32>) outs(%120 : tensor<10x64xf16>) {
    ^bb0(%in: f32, %out: f16):
      %164 = arith.truncf %in : f32 to f16
      linalg.yield %164 : f16
    } -> tensor<10x64xf16>
    %expanded_56 = tensor.expand_shape %121 [[0, 1], [2]] output_shape [2, 5, 64] : tensor<10x64xf16> into tensor<2x5x64xf16>
    %122 = tensor.empty() : tensor<2x5x64xf16>
    %123 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%expanded_56 : tensor<2x5x64xf16>) outs(%122 : tensor<2x5x64xf16>) {
    ^bb0(%in: f16, %out: f16):
      %164 = math.sqrt %cst_3 : f16
      %165 = arith.divf %in, %164 : f16
      %166 = math.erf %165 : f16
      %167 = arith.addf %166, %cst_2 : f16
      %168 = arith.mulf %167, %cst_4 : f16
      %169 = arith.mulf %in, %168 : f16
      linalg.yield %169 : f16
    } -> tensor<2x5x64xf16>
    %collapsed_57 = tensor.collapse_shape %123 [[0, 1], [2]] : tensor<2x5x64xf16> into tensor<10x64xf16>
    %124 = tensor.empty() : tensor<64x32xf16>
    %transposed_58 = linalg.transpose ins(%cst_10 : tensor<32x64xf16>) outs(%124 : tensor<64x32xf16>) permutation = [1, 0] 
    %125 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel"]} ins(%cst_9 : tensor<32xf16>) outs(%1 : tensor<32xf32>) {
    ^bb0(%in: f16, %out: f32):
      %164 = arith.extf %in : f16 to f32
      linalg.yield %164 : f32
    } -> tensor<32xf32>
    %126 = linalg.generic {indexing_maps = [#map7, #map7], iterator_types = ["parallel", "parallel"]} ins(%collapsed_57 : tensor<10x64xf16>) outs(%116 : tensor<10x64xf32>) {
    ^bb0(%in: f16, %out: f32):
      %164 = arith.extf %in : f16 to f32
      linalg.yield %164 : f32
    } -> tensor<10x64xf32>
    %127 = tensor.empty() : tensor<64x32xf32>
    %128 = linalg.generic {indexing_maps = [#map7, #map7], iterator_types = ["parallel", "parallel"]} ins(%transposed_58 : tensor<64x32xf16>) outs(%127 : tensor<64x32xf32>) {
    ^bb0(%in: f16, %out: f32):
      %164 = arith.extf %in : f16 to f32
      linalg.yield %164 : f32
    } -> tensor<64x32xf32>
    %129 = linalg.matmul ins(%126, %128 : tensor<10x64xf32>, tensor<64x32xf32>) outs(%41 : tensor<10x32xf32>) -> tensor<10x32xf32>
    %130 = linalg.generic {indexing_maps = [#map7, #map8, #map7], iterator_types = ["parallel", "parallel"]} ins(%129, %125 : tensor<10x32xf32>, tensor<32xf32>) outs(%37 : tensor<10x32xf32>) {
    ^bb0(%in: f32, %in_62: f32, %out: f32):
      %164 = arith.addf %in, %in_62 : f32
      linalg.yield %164 : f32
    } -> tensor<10x32xf32>
    %131 = linalg.generic {indexing_maps = [#map7, #map7], iterator_types = ["parallel", "parallel"]} ins(%130 : tensor<10x32xf32>) outs(%44 : tensor<10x32xf16>) {
    ^bb0(%in: f32, %out: f16):
      %164 = arith.truncf %in : f32 to f16
      linalg.yield %164 : f16
    } -> tensor<10x32xf16>
    %expanded_59 = tensor.expand_shape %131 [[0, 1], [2]] output_shape [2, 5, 32] : tensor<10x32xf16> into tensor<2x5x32xf16>
    %132 = linalg.generic {indexing_maps = [#map3, #map3, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%91, %expanded_59 : tensor<2x5x32xf16>, tensor<2x5x32xf16>) outs(%9 : tensor<2x5x32xf16>) {
    ^bb0(%in: f16, %in_62: f16, %out: f16):
      %164 = arith.addf %in, %in_62 : f16
      linalg.yield %164 : f16
    } -> tensor<2x5x32xf16>
    %133 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%132 : tensor<2x5x32xf16>) outs(%11 : tensor<2x5x32xf32>) {
    ^bb0(%in: f16, %out: f32):
      %164 = arith.extf %in : f16 to f32
      linalg.yield %164 : f32
    } -> tensor<2x5x32xf32>
    %134 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%133 : tensor<2x5x32xf32>) outs(%13 : tensor<2x5x32xf64>) {
    ^bb0(%in: f32, %out: f64):
      %164 = arith.extf %in : f32 to f64
      linalg.yield %164 : f64
    } -> tensor<2x5x32xf64>
    %135 = linalg.generic {indexing_maps = [#map3, #map5], iterator_types = ["parallel", "parallel", "reduction"]} ins(%134 : tensor<2x5x32xf64>) outs(%16 : tensor<2x5x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %164 = arith.addf %in, %out : f64
      linalg.yield %164 : f64
    } -> tensor<2x5x1xf64>
    %136 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%135 : tensor<2x5x1xf64>) outs(%15 : tensor<2x5x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %164 = arith.divf %in, %cst_30 : f64
      linalg.yield %164 : f64
    } -> tensor<2x5x1xf64>
    %137 = linalg.generic {indexing_maps = [#map3, #map5, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%134, %136 : tensor<2x5x32xf64>, tensor<2x5x1xf64>) outs(%13 : tensor<2x5x32xf64>) {
    ^bb0(%in: f64, %in_62: f64, %out: f64):
      %164 = arith.subf %in, %in_62 : f64
      linalg.yield %164 : f64
    } -> tensor<2x5x32xf64>
    %138 = linalg.generic {indexing_maps = [#map3, #map3, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%137, %137 : tensor<2x5x32xf64>, tensor<2x5x32xf64>) outs(%13 : tensor<2x5x32xf64>) {
    ^bb0(%in: f64, %in_62: f64, %out: f64):
      %164 = arith.mulf %in, %in_62 : f64
      linalg.yield %164 : f64
    } -> tensor<2x5x32xf64>
    %139 = linalg.generic {indexing_maps = [#map3, #map5], iterator_types = ["parallel", "parallel", "reduction"]} ins(%138 : tensor<2x5x32xf64>) outs(%16 : tensor<2x5x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %164 = arith.addf %in, %out : f64
      linalg.yield %164 : f64
    } -> tensor<2x5x1xf64>
    %140 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%139 : tensor<2x5x1xf64>) outs(%15 : tensor<2x5x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %164 = arith.divf %in, %cst_30 : f64
      linalg.yield %164 : f64
    } -> tensor<2x5x1xf64>
    %141 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%140 : tensor<2x5x1xf64>) outs(%23 : tensor<2x5x1xf32>) {
    ^bb0(%in: f64, %out: f32):
      %164 = arith.truncf %in : f64 to f32
      linalg.yield %164 : f32
    } -> tensor<2x5x1xf32>
    %142 = linalg.generic {indexing_maps = [#map3, #map5], iterator_types = ["parallel", "parallel", "reduction"]} ins(%133 : tensor<2x5x32xf32>) outs(%25 : tensor<2x5x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %164 = arith.addf %in, %out : f32
      linalg.yield %164 : f32
    } -> tensor<2x5x1xf32>
    %143 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%142 : tensor<2x5x1xf32>) outs(%23 : tensor<2x5x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %164 = arith.divf %in, %cst_31 : f32
      linalg.yield %164 : f32
    } -> tensor<2x5x1xf32>
    %144 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%141 : tensor<2x5x1xf32>) outs(%23 : tensor<2x5x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %164 = arith.truncf %cst_25 : f64 to f32
      %165 = arith.addf %in, %164 : f32
      linalg.yield %165 : f32
    } -> tensor<2x5x1xf32>
    %145 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%144 : tensor<2x5x1xf32>) outs(%23 : tensor<2x5x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %164 = math.rsqrt %in : f32
      linalg.yield %164 : f32
    } -> tensor<2x5x1xf32>
    %146 = linalg.generic {indexing_maps = [#map3, #map5, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%133, %143 : tensor<2x5x32xf32>, tensor<2x5x1xf32>) outs(%11 : tensor<2x5x32xf32>) {
    ^bb0(%in: f32, %in_62: f32, %out: f32):
      %164 = arith.subf %in, %in_62 : f32
      linalg.yield %164 : f32
    } -> tensor<2x5x32xf32>
    %147 = linalg.generic {indexing_maps = [#map3, #map5, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%146, %145 : tensor<2x5x32xf32>, tensor<2x5x1xf32>) outs(%11 : tensor<2x5x32xf32>) {
    ^bb0(%in: f32, %in_62: f32, %out: f32):
      %164 = arith.mulf %in, %in_62 : f32
      linalg.yield %164 : f32
    } -> tensor<2x5x32xf32>
    %148 = linalg.generic {indexing_maps = [#map3, #map6, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%147, %cst_8 : tensor<2x5x32xf32>, tensor<32xf16>) outs(%11 : tensor<2x5x32xf32>) {
    ^bb0(%in: f32, %in_62: f16, %out: f32):
      %164 = arith.extf %in_62 : f16 to f32
      %165 = arith.mulf %in, %164 : f32
      linalg.yield %165 : f32
    } -> tensor<2x5x32xf32>
    %149 = linalg.generic {indexing_maps = [#map3, #map6, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%148, %cst_7 : tensor<2x5x32xf32>, tensor<32xf16>) outs(%11 : tensor<2x5x32xf32>) {
    ^bb0(%in: f32, %in_62: f16, %out: f32):
      %164 = arith.extf %in_62 : f16 to f32
      %165 = arith.addf %in, %164 : f32
      linalg.yield %165 : f32
    } -> tensor<2x5x32xf32>
    %150 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%149 : tensor<2x5x32xf32>) outs(%9 : tensor<2x5x32xf16>) {
    ^bb0(%in: f32, %out: f16):
      %164 = arith.truncf %in : f32 to f16
      linalg.yield %164 : f16
    } -> tensor<2x5x32xf16>
    %extracted_slice = tensor.extract_slice %150[0, 0, 0] [2, 1, 32] [1, 1, 1] : tensor<2x5x32xf16> to tensor<2x1x32xf16>
    %collapsed_60 = tensor.collapse_shape %extracted_slice [[0, 1], [2]] : tensor<2x1x32xf16> into tensor<2x32xf16>
    %151 = tensor.empty() : tensor<32x10xf16>
    %transposed_61 = linalg.transpose ins(%cst_6 : tensor<10x32xf16>) outs(%151 : tensor<32x10xf16>) permutation = [1, 0] 
    %152 = tensor.empty() : tensor<10xf32>
    %153 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel"]} ins(%cst_5 : tensor<10xf16>) outs(%152 : tensor<10xf32>) {
    ^bb0(%in: f16, %out: f32):
      %164 = arith.extf %in : f16 to f32
      linalg.yield %164 : f32
    } -> tensor<10xf32>
    %154 = tensor.empty() : tensor<2x32xf32>
    %155 = linalg.generic {indexing_maps = [#map7, #map7], iterator_types = ["parallel", "parallel"]} ins(%collapsed_60 : tensor<2x32xf16>) outs(%154 : tensor<2x32xf32>) {
    ^bb0(%in: f16, %out: f32):
      %164 = arith.extf %in : f16 to f32
      linalg.yield %164 : f32
    } -> tensor<2x32xf32>
    %156 = tensor.empty() : tensor<32x10xf32>
    %157 = linalg.generic {indexing_maps = [#map7, #map7], iterator_types = ["parallel", "parallel"]} ins(%transposed_61 : tensor<32x10xf16>) outs(%156 : tensor<32x10xf32>) {
    ^bb0(%in: f16, %out: f32):
      %164 = arith.extf %in : f16 to f32
      linalg.yield %164 : f32
    } -> tensor<32x10xf32>
    %158 = tensor.empty() : tensor<2x10xf32>
    %159 = linalg.fill ins(%cst_0 : f32) outs(%158 : tensor<2x10xf32>) -> tensor<2x10xf32>
    %160 = linalg.matmul ins(%155, %157 : tensor<2x32xf32>, tensor<32x10xf32>) outs(%159 : tensor<2x10xf32>) -> tensor<2x10xf32>
    %161 = linalg.generic {indexing_maps = [#map7, #map8, #map7], iterator_types = ["parallel", "parallel"]} ins(%160, %153 : tensor<2x10xf32>, tensor<10xf32>) outs(%158 : tensor<2x10xf32>) {
    ^bb0(%in: f32, %in_62: f32, %out: f32):
      %164 = arith.addf %in, %in_62 : f32
      linalg.yield %164 : f32
    } -> tensor<2x10xf32>
    %162 = tensor.empty() : tensor<2x10xf16>
    %163 = linalg.generic {indexing_maps = [#map7, #map7], iterator_types = ["parallel", "parallel"]} ins(%161 : tensor<2x10xf32>) outs(%162 : tensor<2x10xf16>) {
    ^bb0(%in: f32, %out: f16):
      %164 = arith.truncf %in : f32 to f16
      linalg.yield %164 : f16
    } -> tensor<2x10xf16>
    return %163 : tensor<2x10xf16>
  }
}

{-#
  dialect_resources: {
    builtin: {
      torch_tensor_10_torch.float16: "0x0200000009B00D2E0D305C2C969A102741B13CAB8524A72C",
      torch_tensor_10_32_torch.float16: "0x0200000036ADD12F7AA855AFD72662B1F82C9BAC8FA90AA88EAB7A2E4B310F2BB7A02AAFE22FD0AB83B0CB2FCAAF79157EA9A22D59B0CFAE8DB12CA976B1FB2D922E862DE82F44AF3E13F8A08FAE3FA46BA86FB14E25E0ABEBA045A437A5B9287A2E4F31DCB0B62EAE2CAC309030F12C1329F32B60ACE7AD23B086AC143134AF56B0FB2D692D282FC3AF842893AA47B0D42D0CACC1AE801FC8ADF4254D2F1D2CDFAA113067B04BAD7D2199316B2858AB9F2404A509A400B02E2E9AB1F92EDDAD10AE22A43DB189AE982C85B1503191281A3156A9F6AB55AECD1FE022152D39B1EF2BFB231C2CF1ACD8B08CB1122CC7ADEDAFD7AE7D27CAAA0F2B06ACE2B056B14C2D362CBC2C0DB061AA7FAF6BA005B18EB182B185B013B026AE0C3124989331CB219A21A62FD5B0982C9731A7AE0CB088AB0E317F31412E10AE14AD23B1CA274D293BA2712FD12D6AB1A6305530F530E830C0A6E630492E5C2B8FA913201CAA162D2CAF282DBD309B30F92FE3A1E52DD92EC3253BAFE7B05B2D7831CBA88A2D71A87D2BB22EFCAE10293AA61BAA321F582F352F49ADA630B0AD612C1C30AB9B3AA6362D4E318EABEB2C17ABFCB002286A2C86B1EAB0CEB0D0A0ADB0F3ACA5B1F62B372C35AE3B2F382AE2B04231B5309A27E2A66FB12E273D31DAB070AC90251FB12D2EA23005316C9F9CB1F4AA8DA5EE26E1305B9F9631853171B055B181AEA2B07AA96AB04CAC84B0402E46A5282E4427952D0925E5A524AD6AADD0A7B72EC62E2FB12DAB4D2C99AF6B30D52DDFA9C1B05429B33063308A319422323152AEA8AB39A53AAF24A986B0C930482BA2AB8DA37FAEA5B1C3ACFA2DF21240207E2E24A829AD3727BFA61AA983285D9D9AA1F72BB6A8852D9CA9F427FB301FAC6AAE0B296AA9",
      torch_tensor_32_torch.float16_11: "0x0200000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000",
      torch_tensor_32_torch.float16_10: "0x02000000003C003C003C003C003C003C003C003C003C003C003C003C003C003C003C003C003C003C003C003C003C003C003C003C003C003C003C003C003C003C003C003C",
      torch_tensor_32_torch.float16_9: "0x02000000B62ED72EA22DF029CBA877AF78A6C12E38AD4E2935AA171E96A5ADACCCAF13AC681605251828FA2DE528FCAF2EAE43AB27AE3D2947A5982FA3224B2D3DABEF2F",
      torch_tensor_32_64_torch.float16: "0x020000004F25A1A296AAE3A676A2FBAD8AAFEFAE4A2F142857AB712A94ADBBADCEAF8624B7295B2C6F2E91AAB596742B902CC42D16A3F12B7B2938AF582A8A2C7BA7F92C1125172F12A752AA77AFBEAED420A12E17A6FBA336AB9B2B41A9422D172B64AC60AE90245C2ADEAC6B2E0C2AB7A813294CAF5C2FBB296C2CF7AAA2A48E2C5EAA59ADD8AE6EA626240AA9A9AEE32E872889AC92A9FFAEF828CEAF98A90DAE3BAE95A84D2B482FE92C36224FA67A291614B8AD56AEF5262DAC9BAE852D85A726AE26A8DD2E3DAE612F7328C9AEF3AA9824A42CA8A66F2D382BD02CF4A122A71AAEEDAF22AD20AC4925792DFFA3FFA65FA8362F552DF2AE822C78A6C3AC4C2A822CBD2FAE156F2A0021162E8AADDDAFC428C424442A8A2CF9A656AE56A9FC9EE8ADAA25112D53A5392AA52BB62F2498E7A43C224CAA332E5A20ADAE1DADACAA50246AA35B2C232E8FA5999E4D2F58A5DB2C41AD151DC22C12AF77AD2DA852AE9C2FA21C1F2ADDAF51AD0BA946A39DAEA626AB2BBCAFDAAD7321891C37AD722D26A6962C08AE7DA644AD4CA44F2DC32989AFFD294CAE43AC792CF72C6B2CAF245D209EACDAAE80A94FAD592F5329EB263E2A452C8FA1AB2810AF262F312F1C2DB02B182C1129B22947A18F1FABAEB3A5282675AFEDAA19A1132FD12F372FFE2558AEB3ADE9262B25E429E9AFCBACF6ACA52EE3AF02AC632D90A50BAEDEAD6625792E482CE62A0AACC925BDADF2AC04AC3F2C95A9E5AECA2C19A371257D2BA9A25129812D72A83B2E31283D1D8BAE342ED726F62CAA232F2C5D2EE821F82249AF18A784ADB42ED72621AE4BA820A9872E7B2C6B2AAC2DDAACC82AA3ABD4A4A6A8D928EE2FEB2EDCAB7C2E78A94EA48BAB6CAE4AA958A65FAF832B1DA40A2897AE90245FA8D8AD4B23DAAECEAEA6A8852F77A78AA55126D42FB52F35A9A78439AF26AA232DD6AF43AE842A11AF8CAA62AE3DAFD3A74A2898AB59AB78A703AA3C2FA425B5AFB5AF972F3A2666A91A2F54A51123F7AF55AFDEAF9B29622D78AC102BE72FC2272F1D05A864251A2E1E2DCCAF222A20AC402E9FADAEAF1F2C41A9AB1455A34022B9A8702558AB2F2D642A9DAC8DA6D28AD998452E10AAB72BAFAD750D2CADA4A5A8293AA7A02EB3A6322CB5A1CDAD0828BFA91B2C2DA9EDAD272FEFAFE824BC2F32ADD2AF962D9F23602DCD26A819A529ECAFD82A78AAE9AC58283D1CD62E91ACB1AEED22C3213BACC7A9672E8C2E9EAB3AA8BAA858AAF49FBE2873ACC4A54DAF052D2DA830AD992F7429622C6F2D482945AC6CAF34AA8BA861A67D2C92AF142C652CF92166A67E2C41ADAAA010297827C31DD22771AEA12C37AE1D2A45A445AB6D1C5AA7432FA82E1E2A729D722EE4AE3A2FD92A6E2D5C2F43217F28182C6BADD62F7D9FC32934AD162F072635AE742D6729CA2B03A2B82571ADEB2EAE2D08A001AF64ADCFAB462D26ADB0ABA8AA58AE2D2A5A29EAAEDC2D0C1DC5AC0620FC26DB2899ACE22F482E1C2F389E2E972AAE6E2F08A515A82EA833ADA4AE4C9C96AE31AC242D382AE0AD60A5A6AA7A2972A1782A0028CC26472DE329DEAFEC2E65AEBC2CCEA1C52B45AA5CA33BA8632FB9ACF52CDBAE4029B6AE68AC4D2C182D7FA46FAE2EAE1726922C522ACEAF75AB6E2AA12D052C84A707A44BA9A0A9C3A53229F19C58274EA2492C36AA0F234A9E7AAD988CE22687251627FEAB0EAE89291D213BABF82F322AB22EBDAED02779AFA0ACF327882A132A012C6DACC4A9EFA46224EF24D6AB102EACAF6A2C93AFF5AFC593342F39A0AB9FEC2D8A29E72EFD2D53A9872982AD8C2E5AA9562E19AD3B280721E72E342E41AD35AD04AC4DADF8224EA94926922E1EADEBAE942A4FAE31AFEFAD7128D3AF3323E22F0A21772D0F2E72AE6D2BB92BC3265BAFA32EEAADF02D12AF5520A52E50A344AF1BAC912EE8A10E2DC623112E26A8CA2D1D10DF2C9E22CB2EAD2F76AF722ACB27BEA1342A392EE3A9CC2FD12C772B86AD952FC82D6A9A64AEDBA6612D96ADB62836ADDEA69829242C7AAC98ADD62169A10DAE45A94EAFAB1FD12C17A8E022552858AB5A2EB920992C2BAD17263EAFFAA52A287DADB8ADB1ADF1AA032D5F281EAC732419AEBDAD1DA777AA2C204B27E4AEABABABAAD6AD212A2C1EDBA460AAFC2FEFAE4CAC3CAF9929B9AD6C24FDABE6AE4AAF5CAA67295AADBDA0901E1C2729ACA3ADF82AC526E496302C892D392AF2283DAC592EBDA5B12E56ABA2AEC7AD8C11191AA51E972FDFAE2F21F12F319E7CAEE323EAAEB6AC4BAC992EDE2A42AB2C2CC9ADECAD5B1619A82A2C872CD02FA8A89D2E71A124AD82A764249D2C962E2AAE282F542CD51DB2AFFA219124C8AB4EAC5BAE799D5723F22EA32D18A9F0244B2F992C09212B2D2CADAD24C91CDB2D1EA661AF29A5C3A0AD26DBAF69AD3B2C2E2E22259C21C92F59AF2FA1A32F522F65A76A1F5CAE6020B82A102526AAB0AF122056AE09289BAE342D31AFFF25692ADC2E4A2FA99A4C2DCAA5262D782EE6AAF92AC3A8C62B302FC2AF4FAD09AFEAAD7B2D5A2BCEAC9529412E42ADC92A55AB6F2637AF5EAB2B27ECADA8AB072C6EAC1E2EFF274D2A2F2B99A997AE99AE7CAED1ABC5280BAE6AAD6729A1A5592B6925959873AE202A63285DAC0329822EBD1BB024949B032670AC612857AD36AED02E0F2E6E2FB1ACE32ED8AE1DACAD25CA2CCEAFD02D2A22C9297A9AAB2F6D1B0D244AA92AAC472D18A9F1A7D428E5AE202C492DB72E231EAAACBC2DC22C822F70AEBFACA8AF91AD7F2EB9AF612A3DA53A2FB02F642741AA642CD32BB8A8F1AEE7232FA935ACC324F52DBDAF6C2C76A3E6A0502FB81C14ABF5A7A1A7EEADAAADB92AF0AE12A8932DE6A184A806A9BBA7BAAD27AFE1A3B026812DA0A319AD242B7DAFF627282CE8A4292CC3AE35AA9A2BCB2FDD2D212805AF8FA732AEDBADB6A994A8AC2EF9AEF02C172A8FADE6A345ADD825522833AC4C2E72AC3BA5639C92AD0BA610ADBD20C4202CAF682EA31E872FEB2289AACAA9AAA3C2A6F22732A51DAC6F29EB2F67A413298FAD49ADEFAF08AC202CF22EE62F5E2311AC949F572A3B2CD5A774A5F9AEAE29E42397ADAF2464259AADCB2F75ACC42B34A900ADBFA8778B4EA6342C1EAF98AC27A72CAE10ACFAAEE22BF7ABAB2CDA2E39AD5B2ED3A0B82F712A4D2C64A65E2792A09C280525C9AD382F1BAE422F6CADF526E12D6FAE9FACB72EC4ACED2CE62C4CADE2AC78AF89A84FAAE02C36AEE4AF9B24CEA8A42E002F3527AF2AA92FFD25842DD62EB9AF412D012C469CF7298F2EBBA835AE7D21C92E062C1AA8AFA5B726639C6C273E297A25DEA989ADF6A8F42F3620A7A836A9B7ABE72A23ADC0264E2D75ADFF2F89AECF2EB82C3D2048AE24A576A89124D22FF02FAC2D0FAD342FBF2CF1AB312957AD40ADB4171D2C05AE8C97862524A7842C43AA3E2D25A9F81C4C28F224C12AACAC612CE4AE3BA46DAA61290FA86729A32CA429172F9929D22C342EB1251A2661A0332F7426EE25542F8BAA2AAD08AE9720C82F83A4D9A16229B222A62C5BAAA0AEB625DCACF9231CA7F92E4027242F7925EFA666AD2E28A1ADCAA3709A2AAE95A23EAC332C85AEDF2FA02C32A759268A2878AB8A2E962D65A1282C732E7E9FED2AEF2CA1A2C2AD9CAD700FB5ADC22D27ABB92ED7AD60AA7F2DBBA3042DFD2AC82C92AA312CBDAE84AD4DA8E7AACE2DDAAD49AC7D1FE3AFF0AFB82CD2A285AF15AFE72FD3AAEA2C0DACE5AE2FAA4D2CEDAC392C961B522EA3259322259DC9AC8AAE412D1E2D1C2CC32EF8A9C52C9DAC812BE22942AED828029DA42D272B8B2200305EABF628BBAEE41C72191A2D81AEB2AA4CAE8FAC082D6DA737AF402EF42FC62BA1A9A5288624ACA8E729332D3D29D6AA0D2FF42BF7AC10A8712E1EAA702C58AB2515DEAEAAAC6698CB28AF2823AD5D28E1250911EF9018AF3A2B37248B2AAE1E252AF2AC792BF5A32AAF1B2E72A3B7AF5325B1A46D2C12AACBAF8D2DDF2DCBAF6D2DC7A75426B82F4E24822860AEB2A2A62E8CA6C92F3392712C78291BAD0F2C1EAC352F69ACE52AF328982E472CE6A4FEABDF258C2F0FA8AB2B84A76326FA2CD42D251F0223F023872DC52F50A84D2D272F48AEC1AF25276AA8D41D3A29F52709ADCBAC7024AB2CB62CBA2C4F29B1A9F52B8C2DB02B8B2775AFE220A9AD2D2F062DA69FCA2C61AE5EAF42AC142CC32C18A815A0B629F6240C28AA2EF7ABBBAF552C692FB02E03A8DFA73DA38FACCFAE2D1DA5A461A3CCAA0BAEAD2C632028A58E2E6B1B91290B2FE72AF498A12B5B2BCB26D2AFE92B72ACEA2AFBA4112AA7269CAAD32CCBAD72AE7327142F00A26D2E80A9FB29FDAB091C23ABC0ACD0AC782B48ADB4A2522CDA2EFD1C29AF902D822E792CBCAB20AA522CAAA5FEAE09964AA03116F390E7AFE7AFFFAB72ADBFAA29AF2A2494AC62ADE9A94C2BBF2D3421C32F9DAB3C29482C2427902B399C7FA4BA28382FD726D7A518A29BAD49A9B2AF6FA80D2C5F2FC11E6125149E14AF762E59185CAD11AA99A7A5166A248296EC2E23AE00AF74AF9926532EC22E491E0C0EB92C0F2CE7AD9DA86AAF942F3A2D86A974A5F01A742EB62C6EAEB5A61C29DF2E6AA9F52BE12194AA4829A82453ACFE20971EC2A4C8279CABE9AA44A860298CA08CAFE8A68D1CA8AC6FA79627302E8E2C22ABA6AD562BAB21AEAB942B0CAFBB2A2528172F56A738ADED2FC2A6D9AFDEA9672E57AD0027DFAFD4A839AABBA816ACD0AD0129492B8B25982815AD872A3C28342E122CFD2F2B2BECAEBD2C91A40D1FDA2AFD1D1EA9A528412A292A9DAA31ADA6AE4CAE68A812AC532E73AADEAA35AD7EAC9A2CBF2E192E97AD6CA9E9AE282CEF2EAEAED12DCEABD4AF012958AF49ACCC2FDDAE1FAD8CA84B2E5A2D852D0EAC03ACA02C2A2FD82D052A56A8E92626AE87A4F42FAA20312E562DF22F4F2C74AFE6AA0D93FA2E85241328E723EEABF5AF282051A96329722CB4AE9F29082A1B29682CA4AC17AB9CAC4A2F6B2B0A20D229FBAE0A2F33AE52A622AD72A019AD27AB76A2CA2DF52E1BABEB2ABF2D762FC02C082D2F2FD02764AEC52DD12EBB2F2CAE6C29672E7F17AD2AFAAA5F2FD7AF4A181FAF462A25A86F233E2DAFA99F2D972C7FAC5EA8DE2D1BAFBE287EAE6F17D62EB5A4E4AC08AF90A53B90AD275A24C92F7B1C3C98CC2E4DA9772B022EA5ABEEACD22C1C2DA92F6CAFC32FB4246EADE9A9F927C82C0D2EA31867AD5BABEAAADC2894ABEA2F0522CAA644AF7C2CE32A3EA6E6A73A2810A9912761A50E2DB0AB52AD992983AC90AD352E6728B92820AAE6A82A2C0AAC3426B8AFD22DA7AFAAAF1CAB7A2EB1ADC0A2712FE92CFCAA36A9CE218EAFD9AF062D6B2ED8A4B4AE8D2C2F2CA72B5828C52A00ACBA2FF0A00020C5A78D2AC0ACC52C42ACB6AFA3A91F2C572E50AFCC2FC5AFED2DCFA5FCAD4EAE242B9627222C79AF7DA9C92E702D652728AD6CAEBCAB052BF02FBF2295A57B2ACAAF212D45AF76ADBAAA05A3F32A9A2FC7AF0528DAAE2625B72C7F2971AC5CAAB22ACF2A7CAD282E25AB8EA0E72B7C2E6CAE5DAEDA2B699E7E2CE5A78629C02D152E272CF01F722B881A25AEA328F624FB26C7A81A2AC3AF8CAD70ACFFAF7CA8962C262EBC2AEF22ADA8242B3FA699AF73A4DB2E272C472881A8272D832F9428B62EB722312CF7A504ACFF2A712CAAAEB4A6EB280D20D32F53A045AD0D2EBD2F7BA22525D32F451926A5802E932EF91E24AD6BAEA0ABE5AE39AEFB9D9295C82B9AA7E9A01C2E10280B9D8D28842E09AF",
      torch_tensor_64_torch.float16: "0x0200000037AEE22489A846ACE4B0E72A21B15AABC9AE32AC913122A85C2887B0F324A69971B073B1C42C73AF26AC4E2C982DC82F2FADE6AD1330EC3005B1182FBF29852024A62BA8F1AF9DAF8AAED9B02DADA2318BA0B3A67728B82E4B955AAFE4ACD7B0AA2E882B37AB33AF3FA397A804B0AE2E7EB1DCAA9FB1BD3087B12C2EE82F27AD",
      torch_tensor_64_32_torch.float16: "0x02000000E1209BAFC2B09031B42CC0B0F7B0D5A0472F4B2EF81FDF252FB0E62EDCA48EB02AB0A9A820AF4BAB8531C81F24AE6930403166248A9C5D2590A833280D2B4530532D7228D1A25230972C2C2BC02FAC2853AAC7299FADEF2E37AB2929582A3CB0B9B0C72F96B1ECAB762EA0296C318DB1DD2B4BACB92C2430AA2F9CB101ACEC2F3C2C99B0F52EDE2F7EADC1AA13B048B03AAD4BA95C1CE02E1231F424B62EBF2E6E285BAD8B2C0F277DB01EAB6FACED2B3CADBF2C05A1BBA75E2CE92EF62ABB278EA10AA8872D9FA84A30252F78B13E2888A7372B6A301D20B1AD63A7DEAC392E1B2EDD1DB8B02D11843160A0212B46B0A329D82F8F2174A6852A0EB1F789B3AA63315DA770302CAB75AD952CFE2A3DB19DAD39A86B2E502E0CAE1AB1F83032AC332DEBB0DFA4AB296A3007AF1BB0D0ACDA2F9FAD86B15DACF2305EB10C2AB430E22E183110ABAF2FCFB0CB2DF62CB02E4D2F0D300430B9B0BD28FBB0512B97AC50ADE996272610AF2DB1E430B7297631462A202F00B16B105731299A91AC0F280BB047AF4CAEDE28C0B0F12D87ADD6B08DAF3122BE2D37A770B136923D312DAEA926382AB5AE42B0742DD0AD4623E230AF2C5A2E28306AAD172B66301DB08C2A1AACCCB097B07926D7AF222E1AA50EA960B0FC2C79AE1130119E13B050305230ECB088AEF3ACDAAFB22422B0F22DA8B010B1C11C829ADD28A9B0073195B04B302731E42921292EAEFF2AAD30D8B0D73034AD3F298C2D6920B6AEB7AE882039AE4EB052B1923128B1DCAFA32C4D2F6F31892C0A3154AEE62B9B2621B10331942BA52D362E362BE2ADE62EC92297AD712E6F9E08287A2F533001A3E21D0322732D472C222FD5AA49AD43A9962E9630D3ACCD2D76310330C3233DA88931A22B3CAC022953AE17AECC300A2EE2AFD9A79FA49EAD3EAEB82E5D2FFEAB73B1303001AFAAA2C7AD7BAC692F9B3078AD3B30C8AEA8B00C2AE9A1D62D123033AC8B28052CE61EF9A63D2AC1B0C0A2FCAE57B1B63070AFA9ACC230E1AE93A6B530FC2CFA2D452B88A45E30CB307EA492ABD5ACDF245DB0F4B08EB1252D4B28EB2CACA0BCAE822551A5C3AA122F6AAC36258EAD0B9D5D20BCAE152D37A8FDAF832F44AD3431C0A81131D2AF24AB5D31BBA6DEAC202CE1AFEB2ED0ABD430DC2FD2301AA873A704A4802DA5B1312EA430FFAC243033306C2DD9215D30A82CDFA57830B7B06CAC41B1D12E8D2F6E3189B1662AC6AD96AD25AF8BB1C4AA3C2E571942AD14A720AE97ACC73050B0722CFBB00E14982B20A18B30812946A8E1B050AFA62D6C2FF22F90A9ECAF0C31C5B0412CD72D792CBD30DE2090B0B3A5FA2257A8652C8C2DE8AC6EA9FFAA9EACDBB021ACD2A597B06FB0C430682F88B03DAF302CC12986AF83A534B0FF9EC7AFDBA6DCA0BFAEAF3045A8CF2D8D26FBAC2C2E13A43CADBFA574B0F3A79A29B92F2BAD51B1F0AD75AD8B1C3AACF73035AB29A9D0B06630DB2F1EB119A2302DA52D3DAE5C1CD4265CB051B15A2B8AB0652A62A9561E782555A409AA98A65EA9CD243F313630E1A79B2F662D342EF8A832AE7F2EA92B1BB1122D64AC32A66828712DF6296DAE6CAA47A45830D22A7131C62F50AB6FAAF7AAD830322143316C2DA32E2F2D5AAD162C2DAD65AEAA3083B0EA2DFD2D9DA54B9CDA2BA9A620B1422F4629BB2C4F2EE02FD229CFAF8F314CB09026F2AA8130002FFEACCF30452F67B1712EEEA721AF90318D319A1D0EB1B418002EA1277BB15831212447AAD5B0012EEE2CDA2E842F692A74B0EBAF54317F2C10B1A2AFA3306FADE42B15A9892C12A9642AAAAEEE2F29AD94B18729182C6CAEF6AA9D3012A87E2E3431522DE92E22B0F4AE5CA8B8A9FCA00F2F7DB1172F1D31202F0B30A530B6A71AAB9AB01130F128311534AE28262AAF85B1E7ABBF29EAB01231222A5EADB91EA2ABF22F52B0BD3016AEEF3051AF70B0A5AC36A354AC1EB1C6B0363157B1972701B1273144AF2A315B3007B132AD95AC332E2DA8D52556ADD6A910309AB08920D12C2CA5002C49ADDCAD0A30F71D6B2D9AAFA0B1CFAC3F310F30C7306BB1222FE4AEA22FECA82931C2AE61AFCFAC571D0FA60230EB2F07AA3C2B3C2DF12B7CA19BAE8F2F4A31D1ADB93034A362272EA85F1CB52533AED52AD12C3D30B42E65ACA7B1D5265AA7DA3012314B302D31B728642546B058A6792A81B17C2EE02D98B01828CF2D3831672AA3AC7C2F2DB064ADFA287BADDD2EEF2C6CAC37B1BAB0892264235F26D1B0982C81B030286CA807AE79ACC5A9FCA8B5AD1BB170AF2C2C002F20B0FEAE02AC5AABC21E942BA22FC2A66BAF75AFAF298E2742AD9194B7301731F5A5DC2F349C05B03628ED9B41268DAFDD1C83AF693103B0F9B0692C581FC4A8DE2D6630E4307FA007A0FF2E9E310BA862A8ECA1A127FAAE5E313CA4BB2C1F310D2DC2ABC430C42978ACCD3008B1CF2DF2AF8230EEB085AB3B30B1298EB12BB144B0792E99B0ED9F83AE6830DB2E45AC50AC0FAE66ADF4AC55A6A62FC1B0C02B98B124AC81ADFE2D832B2CABCCB0F0AE9EB13F1E7C2E4EA61E2EBAABDF2957AEFAAAD22FCA30CF2A12A709A6CDB0C0A507ACE92D98B0572C48277DB167AC542F44A9472EF130A4AFB22BFF2E83AD09AF3C2DC4A946A522AA38B1BD2889281C2F25A93D3167B03D2C3B31FB2C1F2778AAADA06331CEA902302FB06B2B34AE75B00931BAA914A788A00330ABAE25AC361E282474B00F2D15B185311C30DC27693053B10F2EF1B0E230FCACDA2E5D2436AEEEAB033186ADBB2B6D30D4A777A0642A542F5E2A752140B039B098AA6BAFE2A8AA2E89AD912FA1B0322F49AD593128B069B0CD30712DEFB071B084318B2DA4B1C1AA33A5DCAD482578AD92A7AF271831AAAD0E273DB1F7A8AA2577ACFB20A12F742FBAAB75AEE72F892025B114AE192CD82D999C932E2C31C3232B305531D6309A312FB0DCADB0AC612A15206C9B9C2A13AEA43155B1952E4430762BF130AA308F242D2D3BAB972C542E7F2FC7AF02303DA5FE2FCD30A49DD0ADC3A73D2D582F53AFE9B0B2B0632CD52ED13033A6882BC42633A754B003252AAC91304C30E22F2C30BCA3A7A03B2FC5B0762D882F51A18C296CB0EC3010A863B086AF32A803A199AEC3AC672FC1AB84B0702D8D1C3E2731B0C1B0671808988EB04BAFA22574295023982A88B175A56C3017AE1429242A06AF4D2FDD2E84319C30051D4C316428F5AE77AD1CAD3AA58DB196AC99B1262D65B13B246CADE2A03C2E002A9FB108B056AE792A8DA2B99E2130B5AE37AEA62F85305030FA30A7ADE6A27A31303016AE5AB0002F5F2E7EB087AF302F57B1F3260C2E5421981ABB2D8E2CDCA37BAC93AD472D4E2D162F9D2A05AF2D2C38A906ACE22F741D6E11C92C73B0482B36ADE72DC2306E20BFAFE5A41DB0E62BAE2D352A60B15CAD9BA4B12F0A89092D3DA417A7F0AACE2D15B1D51AE93028B1ED2EDAB036308CB042307630D8B07DB14F2CBBACF92D01AEB228F627CFAC088FC42E1A2A76AE8CB10F283D30BF2D77B05BA818AFEAA14A2E1FB01FA0C1A14F2A92A78DAC6F301DAD46AEA1A7942D54AEC230E3A82E2D743002B17B30BDA9E22E792A6DA845AE3027F92D8C2F67303E305DB16D31F22822AFCDB09E316BADF629EAAD9BB1722E73B05A25A231C030FC2949AD0EB14EADCBAC6C310EAC90B13C9E81B051A464AE633076ACA1AC84310D307D9AD4B0DE2A613007302DAE51B161AEF9B01C2FD1AED425EA301D2B99B00F9B3731DD2688A5933004B146AD59265D3098ABBDAE5CB135B1D92D7CAEA825542B552C85B11D2D60AB0BAC41A858B1DAA6FF2981B181ADFCAF5DAF4BAE5830052A1D2DA3B060AD7AB0D72E8CB129B121A17729562B52A78825BC26462994AA942F881FCE2D052A8BAE5CADEBAEBCA69222A09FB430F4302229F41B02AF402F4EADB0B07C2DD02E742DA824B8AD122F37312B2D652E26AD862CE6AC01AA6F2CFA2B892EC6A4B3A93229CB2D2C2827B02531102DE12BADA82B31B71A169CE52C1AA2FE279D0F5C29C11B2FAFA2AAF030652FBBA4382361AF22306EB1A12D12301129162D28B157AB4FADB62CF6B00DAF6C2C902957B12030EF2E0D28042288B096B158B010B064AFECAD543194B1E230D93097266D208A2B352566B090B05A31F9AB012E362CB3ADC3A348A850311F243D2BDFAEC7AD3DB0292DA1B0772DAC2DA02714ABB22E3DB0AC2F001E8EB08A2B80AD81309EB0852FA128A1B1B82B9CABE52B4B2408AE00294BAE93A8499C6A2D8D2571B1872CBFA6F5AE50310B2A642D8E9615B1952FF12AC9ACF030B6B02A30A12D902FBF2120AF842538AFBFA876AC35B0A530ECB0D22FC4AA79AFF12B62AD60309E2EE6302C1C9CB15228CFA8402B0E28EDB0FD2E12B016B1E9A8783152AF7697E2AEAB2E15AB96B09F2C30B07F305A2D4924252C71AEF130801F70B0472843B06BA627B09BB1F529A3B0042F5A30682BBCA59BAAFDAB6C99F12E522FCF2AD83018B18A12063154A727AAA722DCAA0B316FB146AFA2AB11A63EAED23052993931CCAE25ACB4B07C2C6D2CC2B0A7B19C2F5E27A52A91A17BB0CFAA61ADA49E792C562DEAA18DB185A2882F202B032D0CB139B123AE78A974B0852832A839192E9C7B23D8AA71B12029459BEBADECB04014EAB077A6E82CC121042FE330B6A773AF46B1E624FAAA1F316AA886165F2D1B2A23A9DC2D77AE6DB0A82F33A8B2A3A0A929ACEDAE112B2A2BD5B06F31D8ADF9B0A4286AAAB0B049B093B0B7A4BBB08E29E4AF1331F730BEA56E3047308A30B2B05D2E5F9889AF89260E2FA7316EAC3B31A2A68A2A32AC29AD242E412F5EB05EAE6BABECAD782DBCA7BCACF3280DB1CC300DB166B085A853B16528139F7E23BDA84730182BB62B84B13B30A7A8AFAEB5AA8B2883302FB092A9503020B01A2C5E29A2A743B1F72A4E2FF32FF130A32C3D2B362F78B0832CA9265C3000AFD7AE252B38AD97311B2BF6A2C1AEB7ADA1AB6D2FE2AAA830DEB054B18731482FFEB085AF70314DAFCF24C02AF4A004A21E22A4A9E02E29A13231FC30BB27752DCE246E24EB2F74AE2F311B2333B1202E2F2EADAAA0AC88B1583058AD43AFB3AC1DAB05A8FAB018AD66A8CAB06629D1A486269DAA21AE282D7730682E4DAC80ABD6AE0A29CFAF4E29D9A310A5D7AA39B064B0E72EECAB0CAA2BB0C38216B0511A34B1F526DC3006B1C22CC6AEE62DB8B0DE2E5F2D4D315828BB24E5AFDB30721F6230A52DF3B00931CC196529CBAF652C88AABCAA989F282D832A8E21A62E6B31F2A6432E132DB1ACD8B07F1EAAAD05AFAEAF65B151AFC7ABE3A2A72E142B9E2D64AABB269631882DD82E0FA9B63056ACBF9DFDAD78B1062F3330A52C4C2670B117B0141C0E2EFCA82EB09323A32DE6A9CA2ED7AC6DAEFD2BD0B0932BB9241C315AAEE7A842AE5428C4B016B09FA7A23157A64FA358B110B17C1C53A9672D6FAE771CEF9F06AFFE9F72AE632AE32910B0DBAF71B0562C053052AFB3ADA4B1ACB0E52CC82A9C31DB2E22AFD528A330C494D0A93B1D99A9082E85AE5CADCAA8AEA9DF2D7CAEE6B0601F8EA9E0A7A02F33B0A4ACAEA70FAAB230E330EBACAFA4269EF6B0A331743195AA3931ACAD61B11730052D44A9B5AF562FECADD9B0D1AAD4AD6FAD921F802F23B18328EA2C19A6C72ECE2E73B0E7A76B2E582EDE2A2030352D52AAF3AF1FB187AD3B2D45A07A2CA229F2AC143139B02AB1902BC52960317EB1C7A00830DD2EE4AD7CAE6DAAC5ADC52CD7AF9BB1D43015AF2CA52BAF",
      torch_tensor_32_torch.float16_8: "0x0200000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000",
      torch_tensor_32_torch.float16_7: "0x02000000003C003C003C003C003C003C003C003C003C003C003C003C003C003C003C003C003C003C003C003C003C003C003C003C003C003C003C003C003C003C003C003C",
      torch_tensor_32_torch.float16_6: "0x0200000083298630B5300D2B182DBCA99BAFBDAD08ACF12571187D2FF630FCAFC32C09AC7E2D56B1EFAA582EF1A8B2AD293020AF9CAF50A1E22D66AFA22F7AB15E3034B0",
      torch_tensor_32_32_torch.float16_3: "0x020000003F31FA2C7BAB03B1AB25848FE22CC62C2CB1ACB02FAADBB07820BE2E7331C7A056B0BE2FB7AFEC2F03AC66AD232F7B2A47AAE82EFBB055AA2AAE2BB0F7B01BAFC82B27AE1E316FA8542923302E2952AF78A68EA71DADC8264DB0BA28BBAF743050A502B148B005B19723F720B4AD7FAD49B0A0AE3EACBAAECD2B662C13ADA41CE6AA77AA17A5BEA9B4301A21D62DA530EA21D525102B093189B0E627DC29CB2CAD23B13007311AB198AFC82D082C472E33307531082D49250E3175A455A8DCAF36318FAE7BA77E3100B1A42D07983F2C1F306230C52E4E8648ADFD2F7D2D8B180827A12B04B05DB0CFB066257FAE4C226FB0B62F362F78A90B28C6A25DA841301B31193096B02130DF2E91A85F2D0725CBAF04AF79AA512ED39F00AD4231B12FD62B1CB1942C88316FAA4EAD258527A96A304E31B63075AC16B0341F4FB042A1CAAD332D2A31902E7031E92E6FB16E288B30302E73B092B1351B7331FA9B84AC44B0D6299C30D5AC1F31D22E82316D2E4EA8C130D6AF1D30B829C2302FAE88B057A78BA4DEAF96B162AE5E317B3170B13AADDE2CCE2F5F30DCB0BF2E31ADDCADEF30302D4C3108142B28F3ADC1A89B31CEA8CF2B64A8C1B092B0A13171ACECAF91B04E301122F8236BB098AE9CB0C029ACACF1A8BC1B249EEF26D2AB86AE39AA3A2B3BB065A8CDADEF29DDAF8330B4309EB0A8287FB1782A49303FA4A62E05AC6CAD372AB1AF64AC1530612D203022A72031D32F9F2D832ED8B01EAECD131D288431F130E7AC532F552C97AD9DB1AE2CE1267929EF2F2EAB68AC802763ACA9AEA5B1B6B037A3883022AF6428DD2DCB26AA9D1D3062B1B630AE30E1303430FDA184B024AFD7B004AF0AB1CF2FEF2CE7ACB4946D24B61AE42FF42C57B05A3179ACBDACA83107AF9BA9FE2319B12730703067B1DCA60328CC2EAA2C2EA4F330DBA8AF203AAF81AE8CAA2CB10DA6C228CDAFBAB00431EFAC2BB0AFA952AD66B10AA626ADFDAA0B2D4B20BA30A3B1F430362E3BAAD32F4C317D24492A65AAB7A256A0BBADD327D3ACC62DF22662B01331C52A642D9AB1DB30D72A1AA367AF6A28512CDD2A1C3028B168B07831C7300FA4472E0B30153061AD2CACEAAD32AA5231599B85B04730742C5427EFAD17309BB09E2D72A51FAC18B1332654AD7CAC642E42AF5A3196301E30B22454B036A977AD5CA646B115ADD4A7A400D6A9BF282BAEB5AF1FB03C31B62EFEB0C8B0329F11AEAC2B08AC5F24BBA965B03FA427316730B7AFB82AEA305E2162A4D630381918A83931C32C2DAF2C30AB3087305AAD46AC412F3830A4B0B730A42DC72A8EAAEBA5E62E65277C3001AFFBAB37A5952CE22B012E45AE05A8672C00AD0B30F92F452E092ED42ECBB0E8AA3D30B2AC9523B2AB2E9FC9A77FAA04283231EC1A80AAA0302AADDD29AF1AA62A9F2EFE2969A2DA2C9026CAA7E228BDAD0E24B7AE182D7E315FAB10B1A930D6AD7E2FD72FF7AB961CCBACBB3013B00A255DAE75307F2DE33031ADA72BD3B0B92E83AB8B2B7F2D18AF5B2EA0AC5D2CBAABFE1F9A24E030772ADF272EA8A3B107ADB3AB3D2C90A2172BDEADA1B1252C1B2EFA2DB13084B1BB2A7E30C8AD4F2ED92DD12869B14E2D143135A6832C4F3039B043B1692C989F52AD49B105AF1D2A2AA8EAB094A494A047B1C82EA731043016B1F6AE6CB0C4305DAD3730B5AC722CFF2F84ADFA2C8A2D312946AC5AB0B8281EB176AB5227FB2E5230BFB003AD11A4139B6DA92CAF06A9B6A8DDAE542B0FB0D9B01A289AADFB3069AFB4AF473121286B31FE309D315830AB2ED5AE63AAB4A465896C30DB2A41B1B8292F211E2DD6ACBF30FEAF6D30153197B0A5AF702F82B09FA17CAEF12D5D319D30E130302ED9B0222A2D315F2E14AFDD2C0B290EAFF6B05EAE67B08AAB4424B8AD0CAAA4AB1C2D7CB063318731D430543025A5BAAD533171B16AB1A23064AC7E2F80AEAFAF08B0619D38992CACA328AC2E2DAD822E41ACB92A6CAB0BAE79316AAF6F295FB1022E7E2F61B179AF70B1912929B18B2C603173A58C2D7EB01F2B7EA5892EA3311BB09DA6D2AE912C1331DDA61131C92F04A62C2EC1306C22C2B0252A10B1052190AF41318DAE43AD722F52AF89313227F02DC0AE839E342DAE2D10A3F630EA2C72AA7FB196303D3027AE5120482D4A306CAC052D71AEA823C4A89428602E989C513061AC71AEA930901C50AAB0296B291AA7DCADBFAD31A82F2537B162300C8A0088372907277A29059037A589AF552D35315F2F4BB1A32F7A2B1EB1443197300831FAB0ABAAED2224AE919E57A82F2B77AF8CA4BC30762F372903AEA7AE01310B2581A2B1B090AB6EB1202DF42477A8542BB827F228503037AEE7A3CB306AA3DE1CFA2E082401A3132EE72B7FB1612C4AA8DE27DF217F2FEBB0B22CF72D2AB0EEA4F92D1927702F8F30DE309431733178A6E8A819B0F4A8702AD82DAC22EF2E0131732FE32820A079AF962EE2AC979B64309D31FEA40430933022AF7AA6BE2B562F35B02EAC28306030DBACBB2EDD2305AD292D623022B08EAF42307D20E52D94B075B00A30391CB82194ACBC2E67297CB1AF2D7F2578AC14304A2CB22C47B03A2ECFB093ACE92AEFAD9D2E562E11281730449F2FAB982FE08CAEAEABAC022B27A434A8182C55B120AC69B13D20912AC027A5242D2A112847291FACE93051AB7B2D67313D2649AE82A91DB1D0AFA824C430B2A7F6A0A622F1AD79AD44B066A1802A0A3092B1C22DB0B0762DDCAF40AFADB0CA30B2B0B62FDF305CAF1B30313173B156AF4730E2AE702F8CAEFFA643AFDE26E4AE55AE2D28509ED2A184AD902E3031BF2E69B0A5B034AFB020F3A16526622BD32E9D2DCF2921AB14A457AB17B084A544B13E30FC2F682186AFC4AA",
      torch_tensor_32_torch.float16_5: "0x020000005EAB952F7E1D122DD2A8A72B7C296730EBB013A90B2E32AD21B04C2FCB2D3A31622C11AA64B04EAFB22A50A85831792FDC2377310125DA288A3189A5FD2A83A1",
      torch_tensor_32_32_torch.float16_2: "0x02000000E0A1C3A4D8AC6CAFD4255A21FDB0EA301F2DF52EAD2A12AAB92B402D712C56ABEBAD939E78302DAE8DAC98ADBBB05D2C82A6842484312E2769304F27D1A4E52EEA2A48A5131E81AD3AA3822FCB30353121B0D09C8A2CAF2F3EAE83B0AE2B82AEA63114AF922DF8AAA6B084B1EA2CE6AA48AF9531A32E732F15AD80A0022935A5702D81A90EA9BCA474ACC2AF14A50CAC27ABF2AC3D2D5BA75B30A22A88ABA13112ABC5B09A2F72AEBA2F563041AB7AACEC2BA82D6A30CB29F422F3303B2997B0EFA94FA1B22B6EB1A0B172AECB25AD2FB6B0B02CBA20FE3051AE0DAB562B63B12E2F9FAC6F280FAF8A30E82A9E257BAD1CB02E23CBAF969FED305D2A3AAA1BACAB2C89B088B063A3A02E5BAECDA620ADFF2E8AAD80A6442DB5AC6C3117AEC3AB272253AD8CB14AB018B110311F2294AD3D2CA82089AD692F5BAFEDAF01309B2D4F2D872BC1AC73B1CA1A112E672FCBA79CACB99C6F30A9A0033106AC512941AFE41F5230B1B0F430483053309DACC22F96261FAF6A31A4B10231992A622F322B33B1A32C11B05DAC4DA93AAE75A7DB2FD82D9EAF5D2F9D285F25D42398ADB1B03029E530A5B00831E52D702FE92E4630CA2571AD87AE98B04220EA255F2865AFD82F2AAEF6B090314B298D30E0212D319F9D80AC7B2D462858AC17A9222DC82F6BB0CCAF262F11302DA630ACCC2B94306AAF6429482E572A4D3144B17D2E2CA496AD58292BA9FB30FBAF09262AAC242E4B30B32F4A2B37B11F2662AE0F2B5626C3B008B0B7AD02B166AC47AC592E6C2D3FB022A66129C6A97729FCA300B1B33013B005ADD524EA2A582B232A8BB09BB0C830B4B0BBAAAB2E4E30BF2F24AC722CDC2CC4AFBAAFBE22053170AB0E2B3430772E802CECAA8E2E63B17222022635A9403158B12DAFC1303DAAD5278224A430E418DAAA39AC48ABE7AFF52BA2A12AAF21AAC4A8932BC8AF7B3138B1803129164B2CA92BDAB016B1292715A911ADEAAC8FAFDB2C97B0ADADF52DC72C1EAC69B1782DA73074ADF630A7ADD92FFC2C84B0D629D1AD34AAD01D14B0502CF42FCBA8302DFBB06724E9AD671D73AB26AEA5A934B113AD31AD7C31A9ADAE9C78AA74B06C2A2AB04E2C97ACFF2C702F59305231D7A89BB15DAB75B184271CB15FA7A930539E341A40319CAD3FB1012EB12F96A379B0E028EE2AD9AF1DAD1914B42E27935A315031B829EAAE7AADF4A9F123F3AE63B1C0AA1AB0822B04AECFAACF2CB3280118702E04B0EA29B22268B1AC2A97AFD5A952AD4FB1512FB12E53255AAF12310AACCDAF25B0622685AE80A67FB1EFA94CB10AB09DB032AF91300CAB99AF6331CF23A0B065B0E824FCAFA42CD3B011B1632EE49C352B53AAEEAF852F9DA73C3031AACAA829A97FAE6C28B32988ACEEAE783014A0222797AE0B30A930E6280631962E8F30BBAD1AAC4BA7B6ADD32D3DAEB42B2E2E30A826314FADF82CAD2FD5AE9798623080B0DCAD93B1E02FA42F9227082873B1202D72AD112E47AFACAFF22F662A93AA50AFF5B0F72FB8ABE628BC2E97A951AD4EAEBC23D7A4A614D22912B1B82D24A7E1B018ACE019F03080313FACB6AF693095308E2E3AB19F271E29C72ACDAF762377AC142F70AFC9305D2A7D2923AD4FA1A2294BB018261C2E852CBD30B8ADA2B16DAC69AE792EEA2A63B1FCAF17B1692BB229D82268AAF13056301DB123AF092AB5AFC326EC2824B0D52F64AF10AF7AA714AD5C230DAF1F2F59B13DABDB29D62AA12D22AA2A28B3B068AB501E19B13FAE072AF5B022306FAD7DACB22E88AAF129F53058309530E8B04931A22B422BEFA987AE17B0EA215DB06FB1113037ACE1B077B1BE2869AFD1AA2BAF4FAD332EA831EF2DB7210E2468B0B4AA5D2EB0AF332EA8AE28B1EF2B52314831A0AFC6B08F2FB3B0952FA4311197F5309AB0633062308D31F829E42E0CAF6526962B9425FA2B4D2CA2307FB0002B19B01429EE2F05AFC8AC98AFE230F5A441ACC8A4D71A23AED8A9FFAE4731A430252EFCA9C6AD8B3110AFEBB0D62D073025309228A3A3A0B1B5A8732DCDAC0FACFC2D4BAB9E1E78B123A8C92A202E1A28D92C7530062E802D9431F2292930C72EB0B075AF04306B3170AC592CA33094B01CACF130CCA7842B7B2BF1284531F230B5B0EC294E2A682669ABA72CE3AA852DDA29412F3BA308AA5D30332F042C6DB1A82C852399B18BB1A32644A85330582283B05FA7272E522912313630262B3131D9AE73238CAB95A91B26BB2F7DA87D2C61304926CFA52AB04AAE871D81282DA618B1B6AEA02EB4A09DB12CB13FAD19B13E304730ECA48C2F0A2865ACA6A1D7AB4DABFC2E639F182DE32DE52EC321D720902E18AE59184C2A58A20FA8992DC22C09B070A9CCAEF02D4427D3247D2D7EA2812F9EA7422EF92CF430A2A617268AB1B7301F239E2B1DB10BA7BF306EAD5A2A9F2E2B2E3F31A8ADF2AF7F2AD2A601B048B19E301CAEE930E7AFB32D50AC14307231C830BEAD48AA31AF7DA7DD2AC52F67AD482FB0A80F1C6EAF5129B0255D2F0F309D30972E9E9BC22E383004303A2F63AB811F98ACB52D3EA996B1E8AC55B0CC28183073A096AC0DAB87B0132DA92E04B00E30C12BF8B0E12E33A2E6AD872DEBAD58286F31502E4D2F2BAE99AE6D2B84182530FB308230AE2A64AF9122D925E7AE8CA5DF25F5AF192517B1E62DFFAD2E2C2FA6C6AECA293BB0022F4922E528262F912F8C308A2FC5A61596D7B01629BD1B20301B30EEA6D8ADA52FD328E9AD58AF95B1252D3C2C5F2AE12D89AE6A31A32D4F2B90A8F0B0EF2874285727852D54AD4B31791D28B123AD8829DD2FCEAC28AD889F62B114AC0CAFE3301EAFA4A34B3061A8AD30D9ADD6A36D20F1AFB52E269D9FB19A2C7CAC0FAE702CB629EEAE172CAE25",
      torch_tensor_32_torch.float16_4: "0x0200000044B0DAA8762C99B13FAE86B0AFA844AD202EDC0FE0A5F2B0361D7CB112B1A02CA0B14020702980A1992FEFA8DE2F6CAE7DB072AF2D2E172485A5EFA497AC9A28",
      torch_tensor_32_32_torch.float16_1: "0x020000006A2EE42B6EAB952D3B308AAB4C2E0E2F4E3127B086309B050B220D904EAF22AC9BB0E3A5A22905B05D2C8DB1762D8EB1BF9D2B3022B175B075AD82AC23AEF53012B01F2D0FB052AB88B069B122AE101E182E6D2C842CCB30A49F8931EFB04CAD8CB0CCAF36B05CB151315628B22D55AB2A2911AE9AB12024F02E32A7272BC32C1D3058B1ADAC022272317731ABAF75AF5E31B9A296AECDAD942E072FC33098A8CEAA3EA0F83008B1BA2DE1AFDAA4C4300AACABAC6C9EFC2C8F3066B17430BAAB67263FAEB72985B140AF23AD1D2FEE29FEAF8C26803177B1F0306930FA20BEAD252D5B2D67AC68AE7AAF4DACB728DB2C3E9BE3307E2AA22A9DAD9BAA8C2FCA2D53A598AF4DB1C0203EAF20A78AA74DB1D42F32A892B12AB182B070AC9FA1AA2C109E6AB184B0C9AD713022A03AB1BDAC20B03226B5A325A76330D8AEC8241CACE9277DB062AC592D8CAF2BADF8A56CB04AAF56AB50A5DDA81C212FB152A7F8B0F32D273178B013B07C316530342D26AF162BBF9D42300A2F1FA5692CF2B0C927E4AE7E301BB0EBB0D1B076AAEC202FA5A52C06B1A6AE45A6C39DE8A8312DDB2D11A86AA010A76D24BEAC0EA727B0BB30BC2FB0AFB422A6AE90A804B104A226AD15B18E31C629C32F7127AA202BAD842C422F46A1D4AD8830F0A36FAF6E2E8F315431A63022319AB1C52BE83055AF002A27AB8DA23F2DB5220CAC43A8492CB9AD852F41B1BAAF432A741C6E2ED72C6D20E826223052B1BEAB4D2F6CB0682D852F452B69AF56AE3B290CAD732C7F2A19281F3175B16EB18A2F99AB65B18FAB4E3061A6862D982EF0AAE02DFC2A3BAF90A8DD2E662C4C268EA5F8AF17AC562FE7A0C8AE0226AAB096A56A9F59B19CAFABAFDEAF9D30682C00B0D3AC2830F0306C24D5184EB0B42E5BAA44249CA8D42B472937A943A74B907CB05FA13CB06130C12DCBA4CF2FFE232B318B28552DEC2669AE4EB17FAC6D30C92D64AB0AAF9231E824E0B001AC392254A460ACB42AAEAFBD2CA3AF90308A309B318CB126AC89A83AB1152D96ACA89A6A2D6BB03B26F5ACF02FF2304FA94AAF9E2E06B05F318530DA2C55AD3430493056A8BCAE311D6C30EE303CB1163150AF2E2809AD60AE0CA7051E97B0DAAB1230829FDCADD9304AB1E8A9AF30732419AC1EAEACA943AE39A247312E2E50AB082F42B16C17C8301B2999B01228F92E1CA3A92EC9B0B82F84B1F32CDAB0E5AA46A4D9A60BA553B00CB0242F6729B924DBA7E029EE28E1A88F220A23FC302CB16FAF15ADEA2CB3AF79ADF9ACC1A34AB113284530142F6AB0D3AAEA2D0D2C0C2DBC2C74A97B2F4C312F2C76A7EB2CDA2F79B03E2A66AD992081AF30A8911103AF17B0472D8EADD42F4AADBB30FC1D95AE16A0C4AB0C28C12C2EB1E526022E1EADF01A112E65B03530BDB0D9AA262B82A781B1B6AFAEA037AC03A88D2FFCAC4224E1B0D9AC9130B62C599A94AC58B0AE2D00AD1A9EC6AE20AC441FD9A674A25AA8692C60281531452217B19CA09D3061AC8A1DDF20E2AF633174A933B005B0D2AE74B158300F31A9B060AE7D2D0DAA8231C5AD68ACA5B007ABAB2F38A731B1402E51AEB82A8631382DB8303DB042B083B1922F1DA8572C4EAFB5223B319F1FC630B4AF732406A928B1C5AD6BA46CB1063061AECFA0C89771B11EAD47277BAAAB2E752A442C612E9F27F9B0EE2C58AAA528A22B782A19303F3128B045ADD32CCE9B1F290CB19AACE0999E3028B02B299B25E7ACE42CFD30B23027A923A08A9FA12E1BAEA229822E772E8DAC762ECEB0FBAA8F3042ADBC1E593183256B947D2907B094B1592DDAA4222DA0A01930FEAFCDAD02B1ABB06030D7A8B2AD33AB89A3DFAA61B1B82F17A113B0792A16AB1CAA7FB088B1C52A0CB1572F21B1CCA564B0E1AFB4B065AEB92146252CADC72E48AC0CA4F02D3331CE3051B1EEAFB92705985130332E20B03A31BF2AC92D2AA82230B5AFFE2C9B31952AE2ABF81D1B3091AEA6AD3A27EAAC2CAA0FAC312EDEB0DAB0693055A6F8B0682D38AF0EA1DF2E60AE5AB055268EAD4AA91F30C128792A1CB1FFAED5AF843140AC73319231ECAED32C7BAC70311530622AE42D35A6D4A519A632ADC1B0F9A5DBAA9F302B310CB17DB090AD86B199A2F129CFA47C29A5A77AB166AE7CB16DAE98AE2230DCAB97A862B075AB1526F7282131AF2CB8A32D3069AE5DA48C286A2A8FAB1425952C73A15CAB25B1D6AEA3B156A880B015AD74304EB1862FB19C1AAE4831B63058AE361FABAC44B1DE2D272ED430D4AE14AAF62D52AEF0306E1BF527192CC62ED929A4AE133100ADA025A1B1D8AC1F306D25162458AC99B03D30BBAF18307EAEA430BB1E3BAF90318E3006AE92AE56AAE19ACF2FEAAE7C2D0631D12B41AC583136AC6927D5AFA32C8CB1132C19B05CB154AC27303F2DA7B0F32DC1A95AAD5FB19EAD5131FBAEE32FE6AB3AB1B7AEDB2B0D2DB428462A9DAB6F9EE729DDA57B30ED30083119317DB117AB792F692F6424022B0D26F026DAAB4CA4C32D573143A97F2F76317F29A530E62DF1B0E4AE6E2C72ACEAAA5AAAA1B0AEA00C285CA753AFC6AFB930DC306FADBEAFCAA88BAE86B126B0DA30A7A94B307C2C86A225ACC12F9EA981AF5D2C37AD5F2D0B2AEDB06FAD7027B61D3A282AA129A9D5A6722D85AC89AB273143312230DE306FAF25AA26B0E1ACE72D483161B1D12F83AC8530D0282BAF732F03AFB1ACB6AD082D332CF9ADC0AE8927322D782D99B0B12B1CB17EA82AA321B1982E23B04028B7AD722D6D2A3F2D99A412AD63AC1C305D292AADB8AD05A94EAC3EAC4B31ECAD9D31B130B9AE042D23B1A02467AF59AFAD2ADA2CBDA9A4A5062C6BB1191F78B18FABEB300AACFDAC4AB17E310E2C5EB049A9903070B10A242BB0",
      torch_tensor_32_torch.float16_3: "0x02000000BE30132471B048B0322FE92B5728A5ADA2B0DE3051B1A3AD6C2CE430D3AB7EB14429149CE8A609B1F02F95268D2ACD2EEA30BAA9F62324AF45B0B4ADC42629AF",
      torch_tensor_32_32_torch.float16: "0x02000000B730B0AC4BAF7A3109AE82B01BB0DD2765284E2F8E30D32C76261C31ABACF0A7CA309EAB112EDA28FD2B2CA9D1B00E30A8307EB04CADAD1F9B2D68A6F6AC6730AEAD2431281AF02D5229F7272A3089A0FC2F782B51AE6A2F05B0E42DD9A8052B6AA57928D6AAB02C482D2DB1FD3090B00DAD742C37315C2B50AEF727CAAE532DA0206A2457B00A2E6031D9AFB22BFDAC11AA02314BB146A8122C232D6CAC2DAE902826B1022628AF22A81831B3B099AD5AB0BE2EAC3051AF232F3F2FDCB0B92B242D0AA89C2F9FA1E0A5592E2CB18EB13428FD246922EFAE8230FFAE01ADC6B0A2B179298FACED2E7631592BF230E0AFF62D262E87AC6DA2CAAE5C2467B1C1AEE0B0B6A59D248CB028ACCB2E6220EE27FFACA8AA04B145312525362D9D2EF630CEAF512AE7B0362CCEAD682C2AB0FD2D0D30382EC0B0132F2EAF4AB15D2FB527E1ABF2B0D129E4AC7CB0AEA5D1B0932D74AFB4AB99B14BA6FDAA3E2E1FA99E2FF0309E28C1ABA9B0EAAF9FAB17AFFE2D4EABA09E881FE3B0B83053AC94B0BA99F9B0A62552AFF6A8A8AA18305E309C31FC24372FA4B097AF172EF828432A782E2C2F512D31AC2BABC428A830DCA2BCAA402E802FB89AB1AAA3B19021F02A27B033B0A8B16C304E3199310D31C5A4082DB22E0BAA85AEB530BEA42C2C4AADD6AD31A8FD1DB12E592FB0A5903106AE152217AF69272831AEB0532933B110A951ADE20CDAAFBF2956B1F6285DACC5AECC30E3247DAF61AE0CADB2AE99251919EE30491D09AEDD30B129E2A8F12FA330C3B0AAB071AFDDB0CAAA242C29B187B1DFB0E7AD182F04319F31E317CBB084319BAF462CA82DFF2A782B47B1A0AB47AFD02F6EAE559C07314A3012B0B8B07A30832A56B0E43015B0E6300F30083057A8DE23B9B0602E38213030C5AC77318B2F57AA2E2A20B088AFC0AF80AE4A2AE0ACD1ABEA2F7A2784AD24AAF3A9482DF72F8230B3AFD6A450296CAC702F08A5D424D6B016307FAF5A9C9DB04E303B21182D72B0B223A32CFD2F28300AA899A4852B11AC9BAC35B18CB1F5ADA6254C234323C7262EA897B10D3124B03D987F2CCD29EAACEAB08830291D2931472DD52CE5281AA9A1AE7F257031C82E24314E316C305AAE29AE369EDAAD24AAC0ABF33016A27A3163B094B17826822891ACBAAD722A892010A6BE2DD0AC7330B7AFE3ADD62BF42E6F9871B03B9FA4AB3BAB2FA8722944A9EFAFA6ADBDB0A6B1782D522E46302A23A7ACCEAEA32DD6AE3A3023AE47B113B09B3045308629301CDA30D42EB32EB3AF3E272031F8AFA33169AFA6AA45A0E329F42A79AE2E2DFD290AA5A1B199312FAC08AE9A31BCAD8F2FE72E5DAF90B027AE152B563106A1C2AA82AAE1AFA731DA977AB0BBAF0A2F792D4D2FC5A479A86A2B179749AB652973AED5AF00A908B0991C1F278A31852A3D941CB08CAC61A713B068281230792EB1AC88A9A4313FA715B15C969A2034ACEAA49DB0F82ADAAFCA2B43304EAF6EAC5A24FC0EA22E6DA1512741AA772BD62A8EB0022EA3A811319DB17EA41D2DCD2FB5181DAE5FB049B08E30EDB07AACEE2D302EF3B07C28792531316C9ECE2CD3A30D319FA4A6AE2C28FDADA829DD2F66B01EB0F0184BA10BABBC30122D81AB8F26CFA63EAFA12C77AF7A25AE2F32B1EF1F39311C2D76AC1F2750B14427EB30EA30C8991A2C83A75AAAF71A97AE8E2C8C2D22AA26A9E2AFC925802C5F3154B1C5B01E1D3A31D321482A6D2669A50A30273086AEC7AE66B081A9149CBC307AB1043052AE65233BA0642EBBB0E7AF271CB52D71AD032BFBA946B12A25D3A8B12E742F672F162F60B06DB10F25922A5AB0A030CBA4A1AEC32FF430F42637ABE9242CB0F92E1A2F3DA87CB03330A1B0F1ADC02E9FAD4F28A630B9A51EA93E31BB27E42B6FABE1B01627B0AEDAADA4B0D93098AF8C2AA828D02F2E2EECAF042DBFADA51E19ACD8B0C62A8DAF89318F2CD4ABA0AE37B1B4AD62AFDE246B29E830152699A80BAD5EA6FB2D74B12EB1772CFBAAB2AA4AAF89AF3CB0E3AE2CB151AD8A3043AE4D30C3B03F2580A346B0671CB6301DAD3231C3A428AB962D6C30E230B22E0EB19CA8EC2428AD492DFBA8E0B001AD4CAF552C1EB0B4A9A824E12C5AB0CE2F43AF56B09F2CA3AE1B30E02C7EADF8A82CAD4CA4FB8E669C65AFB8B03CAFA427A424B2AD56A78D9C0C3015B10AAD6EA66FA7FAADA22D41ACA72470AE9B31AEAEBFA88830252E19B1312F0AAE8EA59F2CD7215A3044ACE7AFBE21C92B4230C0AD11A58AAE1BB06CB001B0D4AE722B37A61C2F563062B06028302E94B088AA1C302EB00E31C8231E28B93049B1D3300DB1602DF59F703092988DB1DA258F2F7AA858B163A6242395293E2B05A6BDA0C1A8572C2D29952C22A437A42930AC252CB193283C3163A8CE2E12B0ECA6912FA8ADC5A92C16D7A65CAACE2F22A820AA3E300A2959ADCA2E8DADA331B2305124432A91AC5FB006B02F2B892D6B9867AB5DAB43AED5AE772FE2B021303F2E2CAADDA598ABC1B0492354B0301DE0AB60B03BB10A3165302D313A2C0C2D812D2A301327AB242030172DE0AE9C2F76314AAC5FB1E7A764AF9D31CBA8C4AD3B2F552CAA2A163195B1782D4FADA02B10AC2B3158A8632473B0DE2E99B1392EFF2F8030E52E36ABA228BB2968B11C2E90B0132C76314AAA30263E31AA30B830D4AF7528BAB026285AB13825BB2D0AB1E3A6AEACA6307CA4092F2CB051261A300521EEABA1ACB92F772C1222B02EE3AD4CB01CA9253079B19EAD7D29432CA92DD92AFEB05DABF52ECC27362E3D30782EB4AC6CADEBA7919DE0A355A811261F2FC7AFBF2D98B1202227B17631CFB052AE792FFC2D7330332A16B1EFAFBF2F82B11831AAA72328C39FB4A98DA9BF2AF3A7A727",
      torch_tensor_32_torch.float16_2: "0x0200000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000",
      torch_tensor_32_torch.float16_1: "0x02000000003C003C003C003C003C003C003C003C003C003C003C003C003C003C003C003C003C003C003C003C003C003C003C003C003C003C003C003C003C003C003C003C",
      torch_tensor_1_5_32_torch.float16: "0x020000009C34B9BC6139883BDBBE6536183E8CC0103C1C306B9F703F5A3BD3384BBF14BDE3A22EB9A93683A256BB18B250B1303C473E7B3FABBB0EA46EBA62BC03BEFA3C53A992350B300DBD722941BF332DE9C0FB3CD8BC56B02638A93C2B3C5B3204BC8DB7C13AF438DDBE72404AB69E3E53BB01BE443CE534E930CC3CB2BA62B53039F13B0ABD2ABAAEB4DA37C83CA8B034BC3039C135182C623C47BD3ABF5636E0378A39B2B97D34ABBE63B3043EC829C5AEE1B8BB3BCF3DC6BFA8318E365139CF36513887B6B03187BE05B613AF40C0BFB9C73B44B7D0ACB738842C48BC0FBBE5B7F83806B86338503AC9BE29BBBBBC47B455BE20BEC7AC043532BBADBBC1399441CCBCD036B231BE3F60BA813BCB3D533AC5B801126DBA9939ACB5F025883975B87B377AB7DCBA453FBB3C52BDA738383850B832BCE5BA163FF63AD4BBA338C3B9",
      torch_tensor_1_1_32_torch.float16: "0x0200000035C079B9D6324E37C33811B877BD77405AB45A3907A9DDB731BCE8AF52B29A3F34BC1EC177B5C6B4C73DA0C06A40CD38A2B9B4BDB23CB6308DBB25BA73B63D3C",
      torch_tensor_32_3_4_4_torch.float16: "0x02000000C32C14AC2AA7562C59B08A2D9AA7B32C232586A420294B1FBF2A33AB63A1A7A25B25B9900A30C029E1AA94AD32A6F8ABECA9141F822D052D84B0BA2D29296230192E35B064B075AC0E3028A6E82B4BAC8830D1ABED2E0017DEACC02CE7AC6F2956A90DA471B068AC032D7EA89A30682FEC9E2AAEA02DBC29F9AD002E9C2D19302EAD15A6BA99662503AF8EAE062D55A8832C3720112A1028B82A942C47B0A62C7FAEF8AE7F204CA66D2D5AAD1BB0B92E7BA5322DF129EDAE6C2770282FAE62AC4D2A9E26DCAB98A93B30D6A6352D002CF9ADDBAF6F30B81F552EA827F129E62E613021AE9F24E52EB12EBD2DAFAEA7AE96ADA4249A30D6ADEC2C1DAD58B0DAA7532D4A30BDAD0228F92F1F2EC22D912ED82DC62851AEC2AF3CAC4DA4AAADC22AB8292FA81A2BF929A42D392E42AA833046A4149D5CB0F2AD66ADE7AB912E0AAAE7AE1C2BEA29FC2DC8AC0128BAAA27A85DAF36ACA8A9E72BC02690289C3080304D2EB51C64AE382F9FA8F9A1F5AF4CA7F5AD3F30FCAF33AF059DFFAC9C2A1DAB57AC3020B02E7FAE572CEF2D853077AE7928D5AEE32F2BAB902D661CC1A1B79C48265B2CED25A32928B0BB2E0730A32FD42EABAED9AA133009AF313044AF82AE842CA3AE3CA8B82E512F5E307FA72EAF8C30DFA79AAB812876AE122ECA2D54AF96AF79A2C32B489CAFACC21A57B087AE26AE9C2F123047AAA11E1F2C6D24A0AC542DAE2D48A08CA433300A303DAD8530922823AE0F2DE6AE4430F0AD3A29A0296528A92FACABCDAB01B0119E60ACEC1D93A7212AFE2F7429F4A988AC07B0C62F00A77527781DE3AD342D2D2D711F40ADDAAB121847AD27AD83A552A98928DBA8E6A40DAB39B007300D272130F4A5A5A858B003AB0F2E86B076AAA12D532DD22A50A798A104A7D0AAB62B4BAA31AD3128ADAEE3A7B82CE82ADD2F4DAE241575A92BAD32ADA828BB23B7AC83AEA7AF87304CA646A8CBAA9FAC39B06CADA52D0D2884AAFBAAE72DA92E73306429762CF0A167AD86B0A02D5FA5972B461F50B088AC33297BA776B07A2AAB1DF0A9772BCD27D0AA2630A22CA42419A7D3AF222FC4A8F8ADEC2D902A922854A7C4A94526262F4B255EAC9730521A4D2F81282430542DB6AC7D2E9B136AAFBEA72BB0C9AC8BAE512EC3A762A66D2C852B19AECF2AD92B58AF04309FAD3AAB9CAF39300927C72FD320052DE6A95FAFEE2597A276A389AC1F1A4E29AA2A71AF762C99235F2E872E46AF6F308BB04F2D34215F2CFFAC8E2D92AC15B0312A0E2D9430B9A37130EF2D95AC20AF2E2D10AD3D2CE9AFBD2E8A293FA43D2C94AE0AA8CC1556ADB9A8F8AB6730D92FF82F8D2F6CB02E2ACF2AC7AE7D2B03ADE0251F2AF92FD9AC45AF4630C12B7D2CA72A8AAA8F2D08B024252D2C502E9DAC3EAEED2A56AFADAF27B07BAC0EA778ADD0AB17B0AE2D3BA8D4ADCF28E8AE772E502D8AB040AF17AE00AD9D2491B0D9AE382C0DAA5AABA4AF7D2B382124ABA8ADDC2707291A2C7E29A3A527AFE12D119524AEF72F272D43AF9DAC4AAA55AD502C97AE4B30A3AB742D091D10AC2B2E0CAFE3AC6E24542FEAABA0ADE6AD13AC62AA4EA841ADC629CD1409AE46ADD32739988A2E9AA57CAFD5AE6CA918A8382425A8D12A25AAC82E3E28AEA91E30B72847AE24ADCB2D382C362FADA1762E982CB72947A874307A27C4A834988A30342E7AA187300E2CEBAC34B05E2D553062AD972B4B1EE7A706A9242913283D2EC32A342C1330C1297C25BAAAC62E7525F42D763022A8812E81A72B30452F9FAA4D1D09AC79AB7BA7089471AA5CB096AD51A2E6A9DC2E822FE32D172C53AF5D3012B013AA80AEA52AB0AF8EACDEADAEAD50AC8A3009A2A22996B01B3006A83DB05E2EFFA8323046AE4AB0F1AE002C25A447B0DA26B6A0AD2AB3AC98AE4C2E72AC802E7D2F76AE42AC73245BB0AD29B3AB19AC24AF522CE3AD62AFDCA825AD7EB0722B07AB782E812EE4AD63AD8FAA692D169D9AAAB92D6130D42E10AFADA716A7E22FC7AC4BADA0184BA8FE2A7E2484ADB82EC02D0C282EB0572C232E252924ABF52019AB593076304EA437AE6F2DB72CE62CF3AE442AE2AB0FB073AED52BEB2A0EB03D2D142F032F372DCDA5312E3B2FD12CA5AE73AA512F0B2FE52DB9AB51A7E2AE44AD172F95AF91A8D8278BAD4E28F1A5642B17AF192536B0BB2D7D3098AA7725C2ACE9ADAEAC67AC04273CA42F2114AFCEADFFAFA4AEBC2FDD2A68B02BA6EE21EF2C49307628822E93AAD49C94AD42284330CD2D99302AACA0A49F276D2F3FB089AC5C2557ADE72A0AA1CAA8F42C9A2E7E302F2C0B9C8D2F5A2FA1AC352C5424FCAB66A85DA877AEA3A9382AC82E9D2179B0E42C97A9203077B053A82A2FFE2B9CAC00B05A96232BABAFBBAF719794A7F02D7AB0E1A529AF62A5B8ACD129BAAF44AF3EAD0CB0D52D4AA522AD792E31A8C72CBAA9BBAF0F28C12D81B0B1235D273E24519BBEA92CAF072634AEA2AFEEA953AEAA29942E2E2FBAAD092D902EA216CB2B3A2D112FF12CE32B03AB26AD61AC9A2F7AA8491D4FB0919E36A9F6AD272F7BAF48A53DA12EB0962DE1A9262C282D13309228EF2E4430532787A70FA9FC25A62A5BB0EC2ED4254DB0EB29DD2DE72A8A2F1C1AAAAF5D8DB72E71ACE12B4228FFA53414DC2B52AED52D412E2F2D9E30749E86AEC01E5CA9862AD02F0EAD301E7E3060AF60A67C30742E5D29F8ABE4A224B059B054B070304E2F542BA4A8F42FE1A86A2ECF9C58AC28A9E4A73AB08629A1A93E2CE42DE0A57B2C6227342EF5AD7DA228AA0C3025B031AD2C241A30402E52B07FAE7A306325E9AFD2A90A2CBAA718AFB4ADC9ACCA9D3E2B6F2C7DAC33A622AFFC2E9C307D308D2BE1A75E9BAA2A01B0962082AF9EB0F19CE2A9DAAD2026051EA3252CAD86B0781A89AB3BAACD2E0926382C2AA954AF5E271EAE942436AFF72E4BAE0330872EFC2E8B2D4728349FB89859AB3FB03630A81F582C6D1D4F29B1AD2EAF0C2F022B902C96B0FF204FB03AA4D09F80AE93B0C81327302A30A0AD90A6BAAF37AF11A97C30D2A8472058309626742F232E5530562678AFF2AFC6ACA02F502D682909AFCEAE892FACA399B091A46FA87518BB2B1C2B12AF7B9694AC402E932C122D33308A2C9EB0A92857AEEF245216953050AE86B0F4A8F425C42E7D2F1D2FD52948A9D0A70DAD3A276DAE5A2AF72DD72F8DB0942FCEAD09A23730022DDCA9742D7EB0392F7C30B69E152656A8D9AD2EACE8A08FAF77AF0E2403AE06AD1D95DEAC4630ABAA23ADECA889AFC22CF02F54ADDEAA5030AFAE012987AF1CB0280B46AD012DB7A9D315D3AC982B48308EA5B4AD81B06D30C92BA12B4A26A32C902A832CC72D3D25F52FBE2D869C20ACE620322FDA2D7DABB7A7562BF62A66307C2CE329452857B0CEAAD2236DAE0CB03C2E492A74AF6320712D522D38304EAB1D2C7EAF8FA4E0AD09A7422D9B2CDCAC95A864A707AB0FADC82E632EB62F13ADC42E9AA957A8F9A8309F0CAC0E25F4AD992BBFAFB3AA74AE3B2E592E59AF0AAD223062295C2E15AF2B2CE12D49A8D09EBC2E0A294D29310FB7ABA7AD9C30D7A119308F2FD5AC0621BAA85E99172E162D3FAD92AC90AED8AFED2DB5ADBA176D8A522653A0CB2C1325A02EFA2760973C25282E9425822E02A32015C32F5CB05F233830A3ACD1A674A0162AFC2A2F284A2BEDABC62BDCA9CE2D6CA9DEAF4721CF2CCB9DAD173110E72CC82120B097AE5E20EFA16A3058A8122FCAAF64B0CCA2D9AD63A9292402B0592E9BAD162F0A2AEEA60BB01E2629ADFC2FC5AFE1A817ADF1ADD1AC54A300214226B82C8CABBBADC9A75A3084A4C7AF402F7F286A265826722E35ACBC2E7130C4A8D52D192D53304DA87FADDCAA49AE121D74307B30FA2E50236B1A1E2E7C2D55A3ACA84E2B219D7DAE58AC7E2FB12F33ABEEA794AC08AA36301CB0682C27B068AC86A71F2100A639AC1FAC9EAD73AEC1AD6E305AACAFAF592E2B2B5B2E98B066B08EAEDEAC358DFE2B692DF2AF5E2B58AD3F28CD29EA25892A619F192EB5270C300128E4ACEF2D0120773016A4923064ADA52CE4AE582EB5263F2DF5AF98B0732C9AAB512B7BADB6A94C11902D372D9AA23AA92099C32CD4AFA5A974B055255FA43C2D612FE6AF17ACF1A5E59538A8CFAD24AB9D9B6E2FB5A81A2E78AF9C1E35AF56B053233BACCD2E4C2F99B026A150A644AD73AED1AB142C65288F2D68A0CC2C252707A852A033B0CA9A12AA2FAA6CAB0AA8D2AE5620029EDEA80230332E3829CEAAB6245BAE702E503084A5202F563071A0DCAA761F1B2647B09CA0AEAA2A2E3E9C142E1C30CAA9F42752A207AC20ADD71A9D29",
      torch_tensor_32_torch.float16: "0x0200000080A64626C62DB42B9E2B31291AAF97ADDAAE122E11B0E6AE152E762D5EB0562D37A8F627C9AD9CA51B280B2F9A2D06AD0FAE7FA0CC29112D9AB00AA23A1D50AC"
    }
  }
#-}
