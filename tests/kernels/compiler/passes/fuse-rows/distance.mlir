// Operations far apart stay kernels of their own, so that the time to look at what is between them grows with the module alone.
// RUN: mmtune-opt %s --fuse-rows | FileCheck %s --check-prefix=NEAR
// RUN: awk '{print} /^  .. Here/ {for (i = 0; i < 300; ++i) print "arith.constant " i " : index"}' %s | mmtune-opt --fuse-rows | FileCheck %s --check-prefix=FAR

#map = affine_map<(i, j) -> (i, j)>
// NEAR-LABEL: func.func @apart
// NEAR: gpu.launch
// NEAR-NOT: linalg.generic
// FAR-LABEL: func.func @apart
// FAR-NOT: gpu.launch
func.func @apart(%a: memref<8x16xf32>, %m: memref<8x16xf32>, %r: memref<8x16xf32>) {
  linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%a : memref<8x16xf32>) outs(%m : memref<8x16xf32>) {
  ^bb0(%x: f32, %o: f32):
    %v = math.exp %x : f32
    linalg.yield %v : f32
  }
  // Here.
  linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%m : memref<8x16xf32>) outs(%r : memref<8x16xf32>) {
  ^bb0(%x: f32, %o: f32):
    %v = math.sin %x : f32
    linalg.yield %v : f32
  }
  return
}
