// How much memory a bare pointer points to is known to its launcher only.
gpu.module @kernels {
  llvm.func @fill(%out: !llvm.ptr) attributes {gpu.kernel, nvvm.kernel} {
    llvm.return
  }
}
