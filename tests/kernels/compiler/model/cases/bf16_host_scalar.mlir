func.func @f(%a: memref<8xbf16>, %s: f32) {
  %c0 = arith.constant 0 : index
  %t = arith.truncf %s : f32 to bf16
  memref.store %t, %a[%c0] : memref<8xbf16>
  return
}
