// RUN: mmtune-opt %s --pass-pipeline='builtin.module(gpu.module(lower-reductions))' --split-input-file --verify-diagnostics

gpu.module @kernels {
  gpu.func @part_of_a_warp(%out: memref<1xi32>, %v: i32) kernel attributes {known_block_size = array<i32: 24, 3, 1>} {
    // expected-error @below {{a reduction over 32 lanes, which do not divide a block of 72 threads: use gpu.all_reduce, or clusters of another size}}
    %sum = gpu.subgroup_reduce add %v uniform : (i32) -> i32
    gpu.return
  }
}

// -----

gpu.module @kernels {
  gpu.func @too_wide(%v: i128) kernel {
    // expected-error @below {{a reduction over a warp of values of type 'i128' is not supported}}
    %sum = gpu.subgroup_reduce add %v : (i128) -> i128
    gpu.return
  }
}

// -----

gpu.module @kernels {
  gpu.func @past_the_warp(%v: i32) kernel {
    // expected-error @below {{a reduction over 16 lanes 4 apart does not fit a warp of 32}}
    %sum = gpu.subgroup_reduce add %v cluster(size = 16, stride = 4) : (i32) -> i32
    gpu.return
  }
}

// -----

gpu.module @kernels {
  gpu.func @blocks(%v: i32) kernel {
    // expected-error @below {{the body of gpu.all_reduce has several basic blocks, which is not supported: use arith.select in place of branches}}
    %sum = gpu.all_reduce %v {
    ^first(%a: i32, %b: i32):
      cf.br ^second
    ^second:
      gpu.yield %a : i32
    } : (i32) -> (i32)
    gpu.return
  }
}

// -----

gpu.module @kernels {
  func.func @helper(%v: i32) -> i32 {
    // expected-error @below {{a reduction over a block in a function that is not a kernel, which has no shared memory of its own: inline it first}}
    %sum = gpu.all_reduce add %v uniform {} : (i32) -> (i32)
    return %sum : i32
  }
}
