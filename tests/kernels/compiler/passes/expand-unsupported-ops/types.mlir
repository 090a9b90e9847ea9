// RUN: mmtune-opt %s --expand-unsupported-ops | FileCheck %s

// Numbers of f16 are compared with infinity; f8E4M3FN has none.
// CHECK-LABEL: func.func @infinity
// CHECK-NOT: math.is
// CHECK: arith.cmpf oeq
// CHECK-NOT: math.is
// CHECK: return
func.func @infinity(%x: f16) -> (i1, i1) {
  %a = math.isinf %x : f16
  %b = math.isnormal %x : f16
  return %a, %b : i1, i1
}

// CHECK-LABEL: func.func @no_infinity
// CHECK-NOT: arith
// CHECK: math.isinf
// CHECK: math.isnormal
func.func @no_infinity(%x: f8E4M3FN, %y: f4E2M1FN) -> (i1, i1) {
  %a = math.isinf %x : f8E4M3FN
  %b = math.isnormal %y : f4E2M1FN
  return %a, %b : i1, i1
}
