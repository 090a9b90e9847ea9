// RUN: mmtune-opt %s --mmtune-to-gpu="device=cuda arch=sm_80" | FileCheck %s

// An exponent is a constant in the kernel, not an argument: how a power is lowered depends on its value.
// CHECK-LABEL: gpu.func @f_kernel
// CHECK-SAME:    (%{{[^,]*}}: memref<64xf32>, %{{[^,]*}}: memref<64xf32>) kernel
// CHECK:         %[[EXPONENT:.*]] = arith.constant 4.000000e+00 : f32
// CHECK:         math.powf %{{.*}}, %[[EXPONENT]] : f32
func.func @f(%x: tensor<64xf32>) -> tensor<64xf32> {
  %k = arith.constant 4.0 : f32
  %e = tensor.empty() : tensor<64xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]} ins(%x : tensor<64xf32>) outs(%e : tensor<64xf32>) {
  ^bb0(%a: f32, %o: f32):
    %z = math.powf %a, %k : f32
    linalg.yield %z : f32
  } -> tensor<64xf32>
  return %r : tensor<64xf32>
}
