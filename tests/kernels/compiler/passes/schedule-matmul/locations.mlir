// RUN: mmtune-opt %s --pass-pipeline='builtin.module(mmtune-to-gpu{device=cuda arch=sm_90 spec=%S/Inputs/sm_90.json},gpu.module(expand-kernel-ops,convert-scf-to-cf,convert-gpu-to-nvvm,repair-dynamic-shared-linkage,reconcile-unrealized-casts,convert-nvvm-to-simt{race-detection=1}))' 2>/dev/null | FileCheck %s

// Every access, copy and barrier of a family's kernel has a name: only site 0 has an unknown operation, location and name.
// CHECK-LABEL: gpu.module @matmul_1024x1024x512_0
// CHECK-DAG:   @[[UNKNOWN:mmtune_simt_text[_0-9]*]]("unknown\00")
// CHECK-DAG:   ("copy the A tile to shared memory\00")
// CHECK-DAG:   ("copy the B tile to shared memory\00")
// CHECK-DAG:   ("wait for the tiles\00")
// CHECK-DAG:   ("read the A tile from shared memory\00")
// CHECK-DAG:   ("read the B tile from shared memory\00")
// CHECK-DAG:   ("load the bias\00")
// CHECK-DAG:   ("write C\00")
// CHECK:       llvm.mlir.global external constant @mmtune_simt_sites
// CHECK-COUNT-3: llvm.mlir.addressof @[[UNKNOWN]] :
// CHECK-NOT:   llvm.mlir.addressof @[[UNKNOWN]] :
// CHECK:       llvm.mlir.global external constant @mmtune_simt_red_zones
#row = affine_map<(i, j) -> (j)>
#id = affine_map<(i, j) -> (i, j)>
func.func @tuned(%a: memref<1024x512xf32>, %b: memref<512x1024xf32>, %bias: memref<1024xf32>, %out: memref<1024x1024xf32>) {
  %c = memref.alloc() : memref<1024x1024xf32>
  %zero = arith.constant 0.0 : f32
  linalg.fill ins(%zero : f32) outs(%c : memref<1024x1024xf32>)
  linalg.matmul ins(%a, %b : memref<1024x512xf32>, memref<512x1024xf32>) outs(%c : memref<1024x1024xf32>)
  linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel"]}
      ins(%c, %bias : memref<1024x1024xf32>, memref<1024xf32>) outs(%out : memref<1024x1024xf32>) {
    ^bb0(%x: f32, %y: f32, %o: f32):
      %sum = arith.addf %x, %y : f32
      linalg.yield %sum : f32
  }
  memref.dealloc %c : memref<1024x1024xf32>
  return
}
