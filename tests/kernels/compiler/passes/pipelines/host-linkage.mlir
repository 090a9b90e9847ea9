// RUN: mmtune-opt %s --mmtune-host-to-llvm | FileCheck %s

// Public functions have entries for callers outside; the functions are nobody else's, and none can take their place.
// CHECK-NOT:   @_mlir_ciface_round
// CHECK:       llvm.func internal @mmtune.round(
// CHECK-NOT:   @_mlir_ciface_round
// CHECK-NOT:   @_mlir_packed_round
// CHECK:       llvm.func internal @mmtune.quantize(
// CHECK:         llvm.call @mmtune.round(
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

// So are globals; a function of C that is called by such a name is C's.
// CHECK:       llvm.mlir.global private @mmtune.malloc(
memref.global @malloc : memref<8xf32> = dense<1.0>
// CHECK:       llvm.func internal @mmtune.erff(
// CHECK:         llvm.call @erff(
// CHECK:         llvm.call @malloc(
func.func @erff(%x: f32) -> memref<8xf32> {
  %c0 = arith.constant 0 : index
  %g = memref.get_global @malloc : memref<8xf32>
  %y = math.erf %x : f32
  %m = memref.alloc() : memref<8xf32>
  memref.copy %g, %m : memref<8xf32> to memref<8xf32>
  memref.store %y, %m[%c0] : memref<8xf32>
  return %m : memref<8xf32>
}

// A linkage that the author gave stays.
// CHECK:       llvm.func weak @replaceable(
func.func private @replaceable() attributes {llvm.linkage = #llvm.linkage<weak>} {
  return
}

// CHECK-NOT:   @_mlir_packed_round
// CHECK:       llvm.func @_mlir_packed_quantize(
// CHECK-NOT:   @_mlir_packed_round
