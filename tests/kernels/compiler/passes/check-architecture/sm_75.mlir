// What an architecture lacks is refused by name, at its line; LLVM aborted the process, or ptxas refused the code.
// RUN: mmtune-opt %s --split-input-file --mmtune-to-gpu="device=cuda arch=sm_75" --mmtune-gpu-to-binary="device=cuda arch=sm_75 assemble=0" --verify-diagnostics
// RUN: sed -e '/expected-error/d' %s | mmtune-opt --split-input-file --mmtune-to-gpu="device=cuda arch=sm_90a" --mmtune-gpu-to-binary="device=cuda arch=sm_90a assemble=0" | FileCheck %s
// CHECK-COUNT-11: gpu.binary

// async_copy
func.func @main(%x: memref<128xf32>, %y: memref<128xf32>) {
  %c1 = arith.constant 1 : index
  %c32 = arith.constant 32 : index
  %c4 = arith.constant 4 : index
  gpu.launch blocks(%bx,%by,%bz) in (%gx=%c1,%gy=%c1,%gz=%c1) threads(%tx,%ty,%tz) in (%sx=%c32,%sy=%c1,%sz=%c1)
      workgroup(%s: memref<128xf32, #gpu.address_space<workgroup>>) {
    %i = arith.muli %tx, %c4 : index
    // expected-error @below {{'nvvm.cp.async.shared.global' is an instruction of sm_80 and newer, and this is compiled for sm_75}}
    %t = nvgpu.device_async_copy %x[%i], %s[%i], 4 : memref<128xf32> to memref<128xf32, #gpu.address_space<workgroup>>
    // expected-error @below {{'nvvm.cp.async.commit.group' is an instruction of sm_80 and newer, and this is compiled for sm_75}}
    %g = nvgpu.device_async_create_group %t
    // expected-error @below {{'nvvm.cp.async.wait.group' is an instruction of sm_80 and newer, and this is compiled for sm_75}}
    nvgpu.device_async_wait %g {numGroups = 0 : i32}
    %v = memref.load %s[%i] : memref<128xf32, #gpu.address_space<workgroup>>
    memref.store %v, %y[%i] : memref<128xf32>
    gpu.terminator
  }
  return
}

// -----

// cluster_arrive
func.func @main(%y: memref<32xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c32 = arith.constant 32 : index
  gpu.launch blocks(%bx,%by,%bz) in (%gx=%c1,%gy=%c1,%gz=%c1) threads(%tx,%ty,%tz) in (%sx=%c32,%sy=%c1,%sz=%c1) {
    // expected-error @below {{'nvvm.cluster.arrive' is an instruction of sm_90 and newer, and this is compiled for sm_75}}
    nvvm.cluster.arrive
    // expected-error @below {{'nvvm.cluster.wait' is an instruction of sm_90 and newer, and this is compiled for sm_75}}
 nvvm.cluster.wait
    %f = arith.constant 1.0 : f32
    memref.store %f, %y[%tx] : memref<32xf32>
    gpu.terminator
  }
  return
}

// -----

// elect
func.func @main(%y: memref<32xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c32 = arith.constant 32 : index
  gpu.launch blocks(%bx,%by,%bz) in (%gx=%c1,%gy=%c1,%gz=%c1) threads(%tx,%ty,%tz) in (%sx=%c32,%sy=%c1,%sz=%c1) {
    // expected-error @below {{'nvvm.elect.sync' is an instruction of sm_90 and newer, and this is compiled for sm_75}}
    %p = nvvm.elect.sync -> i1
    %f = arith.constant 1.0 : f32
    scf.if %p { memref.store %f, %y[%tx] : memref<32xf32> }
    gpu.terminator
  }
  return
}

// -----

// griddep
func.func @main(%y: memref<32xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c32 = arith.constant 32 : index
  gpu.launch blocks(%bx,%by,%bz) in (%gx=%c1,%gy=%c1,%gz=%c1) threads(%tx,%ty,%tz) in (%sx=%c32,%sy=%c1,%sz=%c1) {
    // expected-error @below {{'nvvm.griddepcontrol' is an instruction of sm_90 and newer, and this is compiled for sm_75}}
    nvvm.griddepcontrol wait
    %f = arith.constant 1.0 : f32
    memref.store %f, %y[%tx] : memref<32xf32>
    gpu.terminator
  }
  return
}

// -----

// mbarrier
func.func @main(%y: memref<32xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c32 = arith.constant 32 : index
  gpu.launch blocks(%bx,%by,%bz) in (%gx=%c1,%gy=%c1,%gz=%c1) threads(%tx,%ty,%tz) in (%sx=%c32,%sy=%c1,%sz=%c1) {
    %bar = nvgpu.mbarrier.create -> !nvgpu.mbarrier.group<memorySpace = #gpu.address_space<workgroup>>
    // expected-error @below {{'nvvm.mbarrier.init' is an instruction of sm_80 and newer, and this is compiled for sm_75}}
    nvgpu.mbarrier.init %bar[%c0], %c32 : !nvgpu.mbarrier.group<memorySpace = #gpu.address_space<workgroup>>
    gpu.barrier
    // expected-error @below {{'nvvm.mbarrier.arrive' is an instruction of sm_80 and newer, and this is compiled for sm_75}}
    %t = nvgpu.mbarrier.arrive %bar[%c0] : !nvgpu.mbarrier.group<memorySpace = #gpu.address_space<workgroup>> -> !nvgpu.mbarrier.token
    %f = arith.constant 1.0 : f32
    memref.store %f, %y[%tx] : memref<32xf32>
    gpu.terminator
  }
  return
}

// -----

// mma_f16
func.func @main(%y: memref<32xf16>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c32 = arith.constant 32 : index
  gpu.launch blocks(%bx,%by,%bz) in (%gx=%c1,%gy=%c1,%gz=%c1) threads(%tx,%ty,%tz) in (%sx=%c32,%sy=%c1,%sz=%c1) {
    %a = arith.constant dense<1.0> : vector<4x2xf16>
    %b = arith.constant dense<2.0> : vector<2x2xf16>
    %z = arith.constant dense<0.0> : vector<2x2xf16>
    // expected-error @below {{'nvvm.mma.sync' is an instruction of sm_80 and newer, and this is compiled for sm_75}}
    %d = nvgpu.mma.sync (%a, %b, %z) {mmaShape = [16, 8, 16]} : (vector<4x2xf16>, vector<2x2xf16>, vector<2x2xf16>) -> vector<2x2xf16>
    %e = vector.extract %d[0, 0] : f16 from vector<2x2xf16>
    memref.store %e, %y[%tx] : memref<32xf16>
    gpu.terminator
  }
  return
}

// -----

// mma_i8
func.func @main(%y: memref<32xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c32 = arith.constant 32 : index
  gpu.launch blocks(%bx,%by,%bz) in (%gx=%c1,%gy=%c1,%gz=%c1) threads(%tx,%ty,%tz) in (%sx=%c32,%sy=%c1,%sz=%c1) {
    %a = arith.constant dense<1> : vector<4x4xi8>
    %b = arith.constant dense<2> : vector<2x4xi8>
    %z = arith.constant dense<0> : vector<2x2xi32>
    // expected-error @below {{'nvvm.mma.sync' is an instruction of sm_80 and newer, and this is compiled for sm_75}}
    %d = nvgpu.mma.sync (%a, %b, %z) {mmaShape = [16, 8, 32]} : (vector<4x4xi8>, vector<2x4xi8>, vector<2x2xi32>) -> vector<2x2xi32>
    %e = vector.extract %d[0, 0] : i32 from vector<2x2xi32>
    memref.store %e, %y[%tx] : memref<32xi32>
    gpu.terminator
  }
  return
}

// -----

// mma_tf32
func.func @main(%y: memref<32x2x2xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c32 = arith.constant 32 : index
  %a = arith.constant dense<1.0> : vector<4x1xf32>
  gpu.launch blocks(%bx,%by,%bz) in (%gx=%c1,%gy=%c1,%gz=%c1) threads(%tx,%ty,%tz) in (%sx=%c32,%sy=%c1,%sz=%c1) {
    %b = arith.constant dense<2.0> : vector<2x1xf32>
    %z = arith.constant dense<0.0> : vector<2x2xf32>
    // expected-error @below {{'nvvm.mma.sync' is an instruction of sm_80 and newer, and this is compiled for sm_75}}
    %d = nvgpu.mma.sync (%a, %b, %z) {mmaShape = [16, 8, 8], tf32Enabled} : (vector<4x1xf32>, vector<2x1xf32>, vector<2x2xf32>) -> vector<2x2xf32>
    vector.transfer_write %d, %y[%tx, %c0, %c0] {in_bounds = [true, true]} : vector<2x2xf32>, memref<32x2x2xf32>
    gpu.terminator
  }
  return
}

// -----

// redux
func.func @main(%y: memref<32xi32>) {
  %c1 = arith.constant 1 : index
  %c32 = arith.constant 32 : index
  gpu.launch blocks(%bx,%by,%bz) in (%gx=%c1,%gy=%c1,%gz=%c1) threads(%tx,%ty,%tz) in (%sx=%c32,%sy=%c1,%sz=%c1) {
    %f = arith.index_cast %tx : index to i32
    %s = gpu.subgroup_reduce add %f uniform : (i32) -> i32
    memref.store %s, %y[%tx] : memref<32xi32>
    gpu.terminator
  }
  return
}

// -----

// setmax
func.func @main(%y: memref<32xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c32 = arith.constant 32 : index
  gpu.launch blocks(%bx,%by,%bz) in (%gx=%c1,%gy=%c1,%gz=%c1) threads(%tx,%ty,%tz) in (%sx=%c32,%sy=%c1,%sz=%c1) {
    // expected-error @below {{'nvvm.setmaxregister' is an instruction of sm_90a, sm_100a, sm_120a alone, and this is compiled for sm_75}}
    nvvm.setmaxregister increase 232
    %f = arith.constant 1.0 : f32
    memref.store %f, %y[%tx] : memref<32xf32>
    gpu.terminator
  }
  return
}

// -----

// wgmma
func.func @main(%y: memref<32xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c32 = arith.constant 32 : index
  gpu.launch blocks(%bx,%by,%bz) in (%gx=%c1,%gy=%c1,%gz=%c1) threads(%tx,%ty,%tz) in (%sx=%c32,%sy=%c1,%sz=%c1) {
    // expected-error @below {{'nvvm.wgmma.fence.aligned' is an instruction of sm_90a alone, and this is compiled for sm_75}}
    nvvm.wgmma.fence.aligned
    %f = arith.constant 1.0 : f32
    memref.store %f, %y[%tx] : memref<32xf32>
    gpu.terminator
  }
  return
}

