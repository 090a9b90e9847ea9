func.func @main() -> i32 {
  %c0 = arith.constant 0 : index
  %v = arith.constant 1000 : i32
  %m = gpu.alloc host_shared () : memref<1xi32>
  memref.store %v, %m[%c0] : memref<1xi32>
  %r = memref.load %m[%c0] : memref<1xi32>
  gpu.dealloc %m : memref<1xi32>
  return %r : i32
}
