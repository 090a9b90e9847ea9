func.func @f(%a: memref<8xf32>) {
  %t = async.execute {
    async.yield
  }
  async.await %t : !async.token
  return
}
