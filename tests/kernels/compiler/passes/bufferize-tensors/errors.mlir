// RUN: mmtune-opt %s --bufferize-tensors --split-input-file --verify-diagnostics

module attributes {gpu.container_module} {
  gpu.module @kernels {
    gpu.func @k(%i: index, %m: memref<4xf32>, %v: f32) kernel {
      // expected-error @below {{a tensor in a kernel of a gpu.module: compute on memrefs, or write a gpu.launch}}
      %e = tensor.empty() : tensor<4xf32>
      %t = tensor.insert %v into %e[%i] : tensor<4xf32>
      gpu.return
    }
  }
}

// -----

gpu.module @kernels {
  // expected-error @below {{a tensor in a kernel of a gpu.module}}
  gpu.func @k(%t: tensor<4xf32>) kernel {
    gpu.return
  }
}

// -----

module attributes {gpu.container_module} {
  gpu.binary @kernels [#gpu.object<#nvvm.target, "">]
  func.func @f(%t: tensor<4xf32>, %n: index) {
    // expected-error @below {{a kernel of a gpu.module takes no tensors: pass a memref}}
    gpu.launch_func @kernels::@k blocks in (%n, %n, %n) threads in (%n, %n, %n) args(%t : tensor<4xf32>)
    return
  }
}
