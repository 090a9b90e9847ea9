// Rows of a buffer on the device, in an order that only the caller knows: more copies than the stack has room for descriptors.
func.func @f(%x: memref<?x3xi32>, %out: memref<?x3xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = memref.dim %x, %c0 : memref<?x3xi32>
  %dev = gpu.alloc (%n) : memref<?x3xi32>
  scf.for %i = %c0 to %n step %c1 {
    %last = arith.subi %n, %i : index
    %at = arith.subi %last, %c1 : index
    %from = memref.subview %x[%i, 0] [1, 3] [1, 1] : memref<?x3xi32> to memref<3xi32, strided<[1], offset: ?>>
    %to = memref.subview %dev[%at, 0] [1, 3] [1, 1] : memref<?x3xi32> to memref<3xi32, strided<[1], offset: ?>>
    gpu.memcpy %to, %from : memref<3xi32, strided<[1], offset: ?>>, memref<3xi32, strided<[1], offset: ?>>
  }
  gpu.memcpy %out, %dev : memref<?x3xi32>, memref<?x3xi32>
  gpu.dealloc %dev : memref<?x3xi32>
  return
}
