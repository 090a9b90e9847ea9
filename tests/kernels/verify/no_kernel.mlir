// Nothing to verify.
func.func @nothing(%a: memref<4xf32>) {
  return
}
