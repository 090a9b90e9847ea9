// A group norm that also returns the scale and the shift of each channel: dimensions are images, groups, channels, pixels.
#all = affine_map<(b, g, c, p) -> (b, g, c, p)>
#group = affine_map<(b, g, c, p) -> (b, g)>
#channel = affine_map<(b, g, c, p) -> (b, g, c)>
#groupOfChannel = affine_map<(b, g, c) -> (b, g)>
#weight = affine_map<(b, g, c) -> (g, c)>
#channels = affine_map<(b, g, c) -> (b, g, c)>
func.func @f(%x: tensor<2x3x5x9xf32>, %gamma: tensor<3x5xf32>, %beta: tensor<3x5xf32>) -> (tensor<2x3x5xf32>, tensor<2x3x5xf32>, tensor<2x3x5x9xf32>) {
  %zero = arith.constant 0.0 : f32
  %count = arith.constant 45.0 : f32
  %epsilon = arith.constant 1.0e-2 : f32
  %groups = tensor.empty() : tensor<2x3xf32>
  %scales = tensor.empty() : tensor<2x3x5xf32>
  %like = tensor.empty() : tensor<2x3x5x9xf32>
  %zeros = linalg.fill ins(%zero : f32) outs(%groups : tensor<2x3xf32>) -> tensor<2x3xf32>
  %sum = linalg.generic {indexing_maps = [#all, #group], iterator_types = ["parallel", "parallel", "reduction", "reduction"]} ins(%x : tensor<2x3x5x9xf32>) outs(%zeros : tensor<2x3xf32>) {
  ^bb0(%in: f32, %out: f32):
    %r = arith.addf %in, %out : f32
    linalg.yield %r : f32
  } -> tensor<2x3xf32>
  %squares = linalg.generic {indexing_maps = [#all, #group, #group], iterator_types = ["parallel", "parallel", "reduction", "reduction"]} ins(%x, %sum : tensor<2x3x5x9xf32>, tensor<2x3xf32>) outs(%zeros : tensor<2x3xf32>) {
  ^bb0(%in: f32, %s: f32, %out: f32):
    %m = arith.divf %s, %count : f32
    %d = arith.subf %in, %m : f32
    %q = arith.mulf %d, %d : f32
    %r = arith.addf %q, %out : f32
    linalg.yield %r : f32
  } -> tensor<2x3xf32>
  %scale = linalg.generic {indexing_maps = [#groupOfChannel, #weight, #channels], iterator_types = ["parallel", "parallel", "parallel"]} ins(%squares, %gamma : tensor<2x3xf32>, tensor<3x5xf32>) outs(%scales : tensor<2x3x5xf32>) {
  ^bb0(%q: f32, %g: f32, %out: f32):
    %v = arith.divf %q, %count : f32
    %e = arith.addf %v, %epsilon : f32
    %i = math.rsqrt %e : f32
    %r = arith.mulf %i, %g : f32
    linalg.yield %r : f32
  } -> tensor<2x3x5xf32>
  %shift = linalg.generic {indexing_maps = [#groupOfChannel, #channels, #weight, #channels], iterator_types = ["parallel", "parallel", "parallel"]} ins(%sum, %scale, %beta : tensor<2x3xf32>, tensor<2x3x5xf32>, tensor<3x5xf32>) outs(%scales : tensor<2x3x5xf32>) {
  ^bb0(%s: f32, %k: f32, %b: f32, %out: f32):
    %m = arith.divf %s, %count : f32
    %d = arith.mulf %m, %k : f32
    %r = arith.subf %b, %d : f32
    linalg.yield %r : f32
  } -> tensor<2x3x5xf32>
  %y = linalg.generic {indexing_maps = [#all, #channel, #channel, #all], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%x, %scale, %shift : tensor<2x3x5x9xf32>, tensor<2x3x5xf32>, tensor<2x3x5xf32>) outs(%like : tensor<2x3x5x9xf32>) {
  ^bb0(%in: f32, %k: f32, %b: f32, %out: f32):
    %s = arith.mulf %in, %k : f32
    %r = arith.addf %s, %b : f32
    linalg.yield %r : f32
  } -> tensor<2x3x5x9xf32>
  return %scale, %shift, %y : tensor<2x3x5xf32>, tensor<2x3x5xf32>, tensor<2x3x5x9xf32>
}
