// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
include "mlir/Pass/PassBase.td"

def WidenAccumulatorsPass : Pass<"widen-accumulators", "::mlir::ModuleOp"> {
  let summary = "Sum f16 and bf16 in f32, and round once";
  let description = [{
    A matrix matmul (as `schedule-matmul` recognises it, whatever its shape) or a convolution of which operands,
    output and sums are f16 or bf16 rounds at every step of k as it is written. This pass gives its sums a buffer of
    f32, which the output is rounded from: less error, and what kernels compute. So do other reductions that add to an
    output of f16 or bf16, whose terms are rounded as they were: kernels of rows sum in another order, which in 16 bits
    would be another sum. The buffer starts as zeros where the output was filled with zeros just before, else as what
    the output held. Operations inside kernels, on tensors, and matmuls whose output may be one of their inputs stay
    as they are.
  }];
  let options = [
    Option<"remarks", "remarks", "bool", "true", "Say so at each matmul">,
  ];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::linalg::LinalgDialect",
    "::mlir::memref::MemRefDialect"];
}

def ZeroActivationLimitsPass : Pass<"zero-activation-limits", "::mlir::ModuleOp"> {
  let summary = "Make gelu and silu 0 at minus infinity";
  let description = [{
    The formulas have NaN there, infinity times 0; kernels of matmuls compute the curve, which is 0. In bodies of linalg
    operations, of f32, where the formulas are recognised as `schedule-matmul` does: for the reference of `--check`.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect"];
}

def ScheduleMatmulPass : Pass<"schedule-matmul", "::mlir::ModuleOp"> {
  let summary = "Replace matrix multiplications by launches of tuned kernels";
  let description = [{
    Works on linalg operations on buffers. A matmul is recognised by its indexing maps and body, not
    its name: `C[b,m,n] += A[b,m,k] * B[b,k,n]`, or `A[b,k,m]`, or `B[b,n,k]`, summed in f32, on dense memrefs, where
    each of b (or none), m, n, k may be several neighbouring dimensions; n and k are static, and so is m where A is
    `A[b,k,m]`. Of static sizes, dimensions may come in any order, and memrefs be parts of
    dense ones at static strides, where elements are neighbours along rows or k in A, along k or columns in B and along
    columns in C. A and B are of f32, or both of f16
    or bf16, extended in the body or by elementwise operations before the matmul. Products of f32 are multiplied in `math`
    where a family that is meant for it does so on the target; else as f32, with a remark. Where only the last-resort family
    multiplies the narrow type on the target, and no schedule of the spec is for it, a matmul whose operands were
    extended before it is one of f32. Other matmuls (dynamic n or k,
    strides at run time, other element types, sums of 16 bits) keep their place for `map-linalg-to-gpu`, with a remark that
    says why; so do those that no family multiplies on the target.

    Kernels overwrite C. A `linalg.fill` with zeros just before the matmul is dropped; otherwise
    what C held is added at the end, from a copy of it, with a remark; C is dense then.

    Elementwise linalg operations behind the matmul become its epilogue while they are bias (an
    operand that varies along columns only), add and sub (an operand of C's shape), relu
    (`arith.maximumf` with +0, or a compare and select that keep NaN), scale (by a constant), clamp, gelu, silu (by their
    formulas) or tanh, in f32, with a rounding to
    the type of A and B at the end or before a relu, bias and addend of the type that is stored; the
    buffer in between is used by nobody else, and nothing between matmul and consumer writes an
    operand or sees the result. The launch then stands where the last of them stood.

    The matmul becomes the launches of a kernel family's schedule, in a `gpu.module` for each
    problem, layout and schedule, `@matmul_MxNxK_i`, with the attributes `mmtune.problem`,
    `mmtune.schedule`, `mmtune.source` and `mmtune.code_digest`. Operands are host memrefs, which
    `convert-memcpy-to-gpu` moves. The schedule is the problem's own in the tuning spec, else that
    of the nearest problem, else a default one; a remark names a schedule that is not the problem's
    own, and the loss to expect. Dynamic m and b are the kernel's at run time: `@matmul_MxNxK_i` has the letter M where
    m is dynamic, its kernel an i32 more. `kernels/compiler/scheduling/README.md` states the rule.
  }];
  let options = [
    Option<"spec", "spec", "std::string", "",
           "Tuning spec (JSON file, or its text); empty: default schedules">,
    Option<"device", "device", "std::string", "\"simt\"", "Kind of device: simt or cuda">,
    Option<"arch", "arch", "std::string", "\"sm_80\"", "Architecture to generate for">,
    Option<"math", "math", "std::string", "\"ieee\"",
           "How matmuls of f32 are multiplied: ieee; tf32, tf32x3 or bf16x6 where a kernel does">,
  ];
  let dependentDialects = [
    "::mlir::gpu::GPUDialect", "::mlir::memref::MemRefDialect", "::mlir::arith::ArithDialect",
    "::mlir::LLVM::LLVMDialect", "::mlir::scf::SCFDialect", "::mlir::vector::VectorDialect",
    "::mlir::NVVM::NVVMDialect"
  ];
}
