// RUN: mmtune-opt %s --mmtune-host-to-llvm | FileCheck %s

// Public functions have entries for callers outside; a private one is nobody else's, and none can take its place.
// CHECK-NOT:   @_mlir_ciface_round
// CHECK:       llvm.func internal @round(
// CHECK-NOT:   @_mlir_ciface_round
// CHECK-NOT:   @_mlir_packed_round
// CHECK:       llvm.func @quantize(
// CHECK:         llvm.call @round(
// CHECK:       llvm.func @_mlir_ciface_quantize(
func.func private @round(%x: memref<8xf32>) attributes {no_inline} {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f32
  memref.store %zero, %x[%c0] : memref<8xf32>
  return
}
func.func @quantize(%x: memref<8xf32>) {
  call @round(%x) : (memref<8xf32>) -> ()
  return
}

// What is elsewhere is called by its C interface.
// CHECK:       llvm.call @_mlir_ciface_elsewhere(
func.func private @elsewhere(memref<8xf32>)
func.func @calls_elsewhere(%x: memref<8xf32>) {
  call @elsewhere(%x) : (memref<8xf32>) -> ()
  return
}

// One without memrefs is called by its own name.
// CHECK-NOT:   @_mlir_ciface_beep
// CHECK:       llvm.call @beep(
// CHECK-NOT:   @_mlir_ciface_beep
func.func private @beep(i64)
func.func @calls_beep(%x: i64) {
  call @beep(%x) : (i64) -> ()
  return
}

// A linkage that the author gave stays.
// CHECK:       llvm.func weak @replaceable(
func.func private @replaceable() attributes {llvm.linkage = #llvm.linkage<weak>} {
  return
}

// CHECK-NOT:   @_mlir_packed_round
// CHECK:       llvm.func @_mlir_packed_quantize(
// CHECK-NOT:   @_mlir_packed_round
