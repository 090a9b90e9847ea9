// The math of f32 matmuls.
// RUN: mmtune-opt %s --schedule-matmul="math=tf32x3" | FileCheck %s --check-prefixes=ALL,PLANES
// RUN: mmtune-opt %s --schedule-matmul="math=tf32" | FileCheck %s --check-prefixes=ALL,TF32
// RUN: mmtune-opt %s --schedule-matmul="math=tf32 arch=sm_75" 2>&1 | FileCheck %s --check-prefix=OLD
// RUN: not mmtune-opt %s --schedule-matmul="math=tf16" 2>&1 | FileCheck %s --check-prefix=UNKNOWN

// UNKNOWN: error: {{.*}}tf16

// OLD: remark: the matmul is computed in f32 (math ieee): this device has no kernel for it in math tf32
// OLD: mmtune.problem = "96x80x64 epilogue=relu", mmtune.schedule = "fma

// ALL-LABEL: func.func @product
// ALL-NOT: linalg
#id = affine_map<(m, n) -> (m, n)>
func.func @product(%a: memref<96x64xf32>, %b: memref<64x80xf32>, %c: memref<96x80xf32>) {
  %zero = arith.constant 0.0 : f32
  linalg.fill ins(%zero : f32) outs(%c : memref<96x80xf32>)
  linalg.matmul ins(%a, %b : memref<96x64xf32>, memref<64x80xf32>) outs(%c : memref<96x80xf32>)
  linalg.generic {indexing_maps = [#id], iterator_types = ["parallel", "parallel"]} outs(%c : memref<96x80xf32>) {
  ^bb0(%x: f32):
    %r = arith.maximumf %x, %zero : f32
    linalg.yield %r : f32
  }
  return
}

// What was extended from 16 bits is multiplied as what it was.
// ALL-LABEL: func.func @extended
func.func @extended(%a: memref<96x64xbf16>, %b: memref<64x80xbf16>, %c: memref<96x80xf32>) {
  %zero = arith.constant 0.0 : f32
  linalg.fill ins(%zero : f32) outs(%c : memref<96x80xf32>)
  linalg.matmul ins(%a, %b : memref<96x64xbf16>, memref<64x80xbf16>) outs(%c : memref<96x80xf32>)
  return
}

// PLANES-DAG: mmtune.problem = "96x80x64 tf32x3 epilogue=relu", mmtune.schedule = "mma
// TF32-DAG: mmtune.problem = "96x80x64 tf32 epilogue=relu", mmtune.schedule = "mma
// ALL-DAG: mmtune.problem = "96x80x64 bf16 out=f32", mmtune.schedule = "mma
