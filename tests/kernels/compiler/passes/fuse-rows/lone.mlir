// RUN: mmtune-opt %s --fuse-rows --split-input-file | FileCheck %s

// Reductions that share their kernel with no other operation.

// 64 blocks would leave half of a large device idle: 4 for each row, then a warp that adds up the 4 parts.
#id = affine_map<(m, n) -> (m, n)>
#row = affine_map<(m, n) -> (m)>
// CHECK-LABEL: func.func @parts
// CHECK: %[[PARTS:.*]] = memref.alloc() : memref<64x4xf32>
// CHECK: gpu.launch blocks(%{{.*}}, %{{.*}}, %{{.*}}) in (%{{.*}} = %c256
// CHECK: memref.store %{{.*}}, %[[PARTS]]
// CHECK: gpu.launch blocks
// CHECK: memref.load %[[PARTS]]
// CHECK: memref.dealloc %[[PARTS]]
// CHECK-NOT: linalg
// CHECK: return
func.func @parts(%x: memref<64x40960xf32>, %sum: memref<64xf32>) {
  %zero = arith.constant 0.0 : f32
  linalg.fill ins(%zero : f32) outs(%sum : memref<64xf32>)
  linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]} ins(%x : memref<64x40960xf32>) outs(%sum : memref<64xf32>) {
  ^bb0(%in: f32, %out: f32):
    %r = arith.addf %in, %out : f32
    linalg.yield %r : f32
  }
  return
}

// -----

// A sum of 63 elements is one thread's.
#id = affine_map<(m, n) -> (m, n)>
#row = affine_map<(m, n) -> (m)>
// CHECK-LABEL: func.func @short
// CHECK-NOT: gpu.launch
// CHECK: linalg.generic
// CHECK: return
func.func @short(%x: memref<64x63xf32>, %sum: memref<64xf32>) {
  %zero = arith.constant 0.0 : f32
  linalg.fill ins(%zero : f32) outs(%sum : memref<64xf32>)
  linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]} ins(%x : memref<64x63xf32>) outs(%sum : memref<64xf32>) {
  ^bb0(%in: f32, %out: f32):
    %r = arith.addf %in, %out : f32
    linalg.yield %r : f32
  }
  return
}
