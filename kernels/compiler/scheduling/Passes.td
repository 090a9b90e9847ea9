// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
include "mlir/Pass/PassBase.td"

def WidenAccumulatorsPass : Pass<"widen-accumulators", "::mlir::ModuleOp"> {
  let summary = "Accumulate f16 and bf16 in f32 and round once";
  let description = [{
    A matmul (of any shape, as `schedule-matmul` recognises it) or a convolution whose operands, output and accumulators
    are f16 or bf16 rounds at every step of k as written. This pass gives it a buffer of f32 accumulators, from which
    the output is rounded, as kernels compute it. Other reductions that add to an f16 or bf16 output get one, too, with
    terms that round as before: row kernels sum in another order, which in 16 bits would be another sum. The buffer
    starts as zeros if the output was filled with zeros just before, and otherwise as its contents. Operations inside
    kernels, on tensors, and those whose output may be one of their inputs stay as they are.
  }];
  let options = [
    Option<"remarks", "remarks", "bool", "true", "Emit a remark for each operation">,
  ];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::linalg::LinalgDialect",
    "::mlir::memref::MemRefDialect"];
}

def ZeroActivationLimitsPass : Pass<"zero-activation-limits", "::mlir::ModuleOp"> {
  let summary = "Make gelu and silu 0 at minus infinity";
  let description = [{
    The formulas are NaN there, infinity times 0, while matmul kernels compute the limit, 0. Changes f32 bodies of
    linalg operations in which `schedule-matmul` recognises the formulas: for the reference of `--check`.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect"];
}

def ScheduleMatmulPass : Pass<"schedule-matmul", "::mlir::ModuleOp"> {
  let summary = "Replace matmuls by launches of tuned kernels";
  let description = [{
    Works on linalg operations on buffers. A matmul is recognised by its indexing maps and body, not its name: `C[b,m,n]
    += A[b,m,k] * B[b,k,n]`, or `A[b,k,m]`, or `B[b,n,k]`, with f32 accumulators, on dense memrefs. Each of b (or none),
    m, n, k may be several adjacent dimensions; n and k are static, and so is m with `A[b,k,m]`. With static sizes,
    dimensions may come in any order and memrefs be parts of dense ones at static strides, contiguous along rows or k in
    A, along k or columns in B, and along columns in C. A and B are f32, or both f16 or bf16, extended in the body or by
    elementwise operations before the matmul. f32 matmuls use `math` where a family for it supports the target,
    otherwise f32, with a remark. If only the last-resort family multiplies a narrow type on the target, and no schedule
    of the spec is for it, a matmul of extended operands is one of f32. Other matmuls (dynamic n or k, dynamic strides,
    other element types, 16-bit accumulators), and those that no family supports on the target, are left to
    `map-linalg-to-gpu`, with a remark that says why.

    Kernels overwrite C. A `linalg.fill` with zeros just before the matmul is dropped; otherwise the old contents of C
    are added at the end, from a copy, with a remark; C is dense then.

    Elementwise operations behind the matmul become its epilogue while they are bias (an operand that varies along
    columns only), add and sub (an operand of C's shape), relu (`arith.maximumf` with +0, or a compare and select that
    keep NaN), scale (by a constant), clamp, gelu, silu (by their formulas) or tanh, in f32, with a rounding to the type
    of A and B at the end or before a relu, and bias and addend of the stored type. Nothing else may use the
    intermediate buffer, and nothing in between may write an operand or observe the result. The launch replaces the last
    of them.

    The matmul becomes the launches of a family's schedule, in a `gpu.module` for each problem, layout and schedule,
    `@matmul_MxNxK_i`, with the attributes `mmtune.problem`, `mmtune.tuned_as` (the problem of dense operands, as JSON),
    `mmtune.schedule`, `mmtune.source` and `mmtune.code_digest`. Operands are host memrefs, which
    `convert-memcpy-to-gpu` moves. The schedule is the problem's own in the tuning spec, else that of the nearest
    problem, else a default one; a remark names a schedule that is not the problem's own, and the expected loss. With dynamic m or b, the kernel gets the sizes at run time:
    `@matmul_MxNxK_i` has the letter M if m is dynamic, and the kernel an additional i32.
    `kernels/compiler/scheduling/README.md` states the rule.
  }];
  let options = [
    Option<"spec", "spec", "std::string", "",
           "Tuning spec (JSON file, or its text); empty: default schedules">,
    Option<"device", "device", "std::string", "\"simt\"", "Kind of device: simt or cuda">,
    Option<"arch", "arch", "std::string", "\"sm_80\"", "Architecture to generate for">,
    Option<"math", "math", "std::string", "\"ieee\"",
           "How f32 matmuls are multiplied: ieee; tf32, tf32x3 or bf16x6 where a kernel supports it">,
    Option<"portable", "portable", "bool", "false",
           "Code must also run on newer devices: families that need the features of one chip are left out">,
  ];
  let dependentDialects = [
    "::mlir::gpu::GPUDialect", "::mlir::memref::MemRefDialect", "::mlir::arith::ArithDialect",
    "::mlir::LLVM::LLVMDialect", "::mlir::scf::SCFDialect", "::mlir::vector::VectorDialect",
    "::mlir::NVVM::NVVMDialect"
  ];
}
