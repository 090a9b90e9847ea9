// RUN: mmtune-opt %s --narrow-f64=only-tell --verify-diagnostics | FileCheck %s
// Nothing changes, and only the first chain of a module is told.
// CHECK-COUNT-2: arith.truncf {{.*}} : f64 to f32
func.func @first(%x: f32) -> f32 {
  %e = arith.extf %x : f32 to f64
  %s = arith.addf %e, %e : f64
  // expected-remark@below {{f64 arithmetic on f32 values, whose result becomes f32 here; --narrow-f64 computes it in f32}}
  %t = arith.truncf %s : f64 to f32
  return %t : f32
}

func.func @second(%x: f32) -> f32 {
  %e = arith.extf %x : f32 to f64
  %s = arith.addf %e, %e : f64
  %t = arith.truncf %s : f64 to f32
  return %t : f32
}
