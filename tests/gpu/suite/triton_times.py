# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Times the autotuned matmul of Triton's tutorial (03-matrix-multiplication). A program of its own, as it needs the Python
that has Triton and PyTorch.

    python3 triton_times.py time SECONDS PROBLEM...       one JSON line for each problem, as records have it
    python3 triton_times.py compile sm_90 PROBLEM...      compiles every configuration into Triton's cache, on all cores,
                                                          and touches no device

The kernel, its configurations and the autotuner's timing are Triton's; the time of the best configuration is taken warm, in a
CUDA graph, as mmtune's times are warm and without the host's share. Exit code 77: no Triton, no PyTorch or no device.
"""

import json
import os
import sys

SKIPPED = 77
PRECISION = {"tf32": "tf32", "tf32x3": "tf32x3", "bf16x6": "bf16x6"}

try:
    import triton
    import triton.language as tl
except ImportError as error:
    print(f"triton_times: {error}", file=sys.stderr)
    sys.exit(SKIPPED)


# BLOCK_M, BLOCK_N, BLOCK_K, stages, warps: those of the tutorial, for 16 and for 8 bits.
TENSOR_CORE_TILES = [(128, 256, 64, 3, 8), (64, 256, 32, 4, 4), (128, 128, 32, 4, 4), (128, 64, 32, 4, 4),
                     (64, 128, 32, 4, 4), (128, 32, 32, 4, 4), (64, 32, 32, 5, 2), (32, 64, 32, 5, 2),
                     (128, 256, 128, 3, 8), (256, 128, 128, 3, 8), (256, 64, 128, 4, 4), (64, 256, 128, 4, 4),
                     (128, 128, 128, 4, 4), (128, 64, 64, 4, 4), (64, 128, 64, 4, 4), (128, 32, 64, 4, 4)]
# IEEE f32 is computed by FMAs, which Triton unrolls over the whole tile: larger ones take minutes to compile.
FMA_TILES = [(64, 64, 16, 3, 4), (128, 64, 16, 3, 8), (64, 128, 16, 3, 8), (32, 64, 16, 3, 4), (64, 32, 16, 3, 4),
             (32, 32, 32, 3, 4)]


def configurations(tiles):
    return [triton.Config({"BLOCK_M": m, "BLOCK_N": n, "BLOCK_K": k, "GROUP_M": 8}, num_stages=stages, num_warps=warps)
            for m, n, k, stages, warps in tiles]


def matmul_kernel(a_ptr, b_ptr, c_ptr, M, N, K, stride_am, stride_ak, stride_bk, stride_bn, stride_cm, stride_cn,
                  PRECISION: tl.constexpr, INTEGER: tl.constexpr, BLOCK_M: tl.constexpr, BLOCK_N: tl.constexpr,
                  BLOCK_K: tl.constexpr, GROUP_M: tl.constexpr):
    pid = tl.program_id(axis=0)
    blocks_m = tl.cdiv(M, BLOCK_M)
    blocks_n = tl.cdiv(N, BLOCK_N)
    in_group = GROUP_M * blocks_n
    group = pid // in_group
    first_m = group * GROUP_M
    group_m = min(blocks_m - first_m, GROUP_M)
    pid_m = first_m + ((pid % in_group) % group_m)
    pid_n = (pid % in_group) // group_m
    offs_am = (pid_m * BLOCK_M + tl.arange(0, BLOCK_M)) % M
    offs_bn = (pid_n * BLOCK_N + tl.arange(0, BLOCK_N)) % N
    offs_k = tl.arange(0, BLOCK_K)
    a_ptrs = a_ptr + (offs_am[:, None] * stride_am + offs_k[None, :] * stride_ak)
    b_ptrs = b_ptr + (offs_k[:, None] * stride_bk + offs_bn[None, :] * stride_bn)
    accumulator = tl.zeros((BLOCK_M, BLOCK_N), dtype=tl.int32 if INTEGER else tl.float32)
    for k in range(0, tl.cdiv(K, BLOCK_K)):
        a = tl.load(a_ptrs, mask=offs_k[None, :] < K - k * BLOCK_K, other=0)
        b = tl.load(b_ptrs, mask=offs_k[:, None] < K - k * BLOCK_K, other=0)
        if INTEGER:
            accumulator = tl.dot(a, b, accumulator, out_dtype=tl.int32)
        else:
            accumulator = tl.dot(a, b, accumulator, input_precision=PRECISION)
        a_ptrs += BLOCK_K * stride_ak
        b_ptrs += BLOCK_K * stride_bk
    offs_cm = pid_m * BLOCK_M + tl.arange(0, BLOCK_M)
    offs_cn = pid_n * BLOCK_N + tl.arange(0, BLOCK_N)
    c_ptrs = c_ptr + stride_cm * offs_cm[:, None] + stride_cn * offs_cn[None, :]
    tl.store(c_ptrs, accumulator.to(c_ptr.dtype.element_ty), mask=(offs_cm[:, None] < M) & (offs_cn[None, :] < N))


def is_fma(problem):
    return problem["dtype"] == "f32" and problem.get("math", "ieee") == "ieee"


def why_not(problem):
    if problem["dtype"] == "f64" or problem.get("batch", 1) != 1 or problem.get("epilogue"):
        return "the tutorial's kernel has neither f64 nor batches nor epilogues"
    return ""


def options(problem):
    """The arguments behind the pointers: sizes, strides, and what is known at compile time."""
    m, n, k = problem["m"], problem["n"], problem["k"]
    strides = ((1, m) if problem.get("transpose_a") else (k, 1)) + ((1, k) if problem.get("transpose_b") else (n, 1))
    constants = {"PRECISION": PRECISION.get(problem.get("math"), "ieee" if problem["dtype"] == "f32" else None),
                 "INTEGER": problem["dtype"] == "s8"}
    return (m, n, k, *strides, n, 1), constants


def grid(problem):
    return lambda meta: (triton.cdiv(problem["m"], meta["BLOCK_M"]) * triton.cdiv(problem["n"], meta["BLOCK_N"]),)


def types(problem):
    """The names of PyTorch's types of A and B, and of C."""
    names = {"f16": "float16", "bf16": "bfloat16", "f32": "float32", "s8": "int8"}
    operand = names[problem["dtype"]]
    return operand, "int32" if operand == "int8" else "float32" if problem.get("out") == "f32" else operand


# Compiling.

class OfflineDriver:
    """Stands in for the driver of a device of this architecture while nothing is launched."""

    def __init__(self, arch):
        from triton.backends.compiler import GPUTarget
        self.target = GPUTarget("cuda", int(arch[3:].rstrip("af")), 32)

    def get_current_target(self):
        return self.target

    def get_current_device(self):
        return 0

    def get_current_stream(self, device):
        return 0


def compile_one(job):
    """A configuration that cannot be compiled is the autotuner's business, later."""
    arch, problem, tile = job
    from triton.runtime.jit import MockTensor
    triton.runtime.driver.set_active(OfflineDriver(arch))
    operand, result = types(problem)
    arguments, constants = options(problem)
    as_triton = {"float16": tl.float16, "bfloat16": tl.bfloat16, "float32": tl.float32, "int8": tl.int8, "int32": tl.int32}
    pointers = [MockTensor(as_triton[name]) for name in (operand, operand, result)]
    config, = configurations([tile])
    try:
        triton.jit(matmul_kernel).warmup(*pointers, *arguments, **constants, **config.all_kwargs(), grid=(1,))
    except Exception as error:  # pylint: disable=broad-except
        return f"{tile}: {type(error).__name__}: {error}"[:200]
    return ""


def compile_all(arch, problems):
    import multiprocessing
    jobs = [(arch, problem, tile) for problem in problems if not why_not(problem)
            for tile in (FMA_TILES if is_fma(problem) else TENSOR_CORE_TILES)]
    with multiprocessing.get_context("spawn").Pool(min(len(jobs) or 1, os.cpu_count() or 1)) as pool:
        failures = [text for text in pool.imap_unordered(compile_one, jobs) if text]
    print(json.dumps({"compiled": len(jobs) - len(failures), "failures": failures}))


# Timing.

def time_one(torch, problem, seconds):
    operand, result = types(problem)
    shape_a = (problem["k"], problem["m"]) if problem.get("transpose_a") else (problem["m"], problem["k"])
    shape_b = (problem["n"], problem["k"]) if problem.get("transpose_b") else (problem["k"], problem["n"])
    if operand == "int8":
        a, b = (torch.randint(-64, 64, shape, dtype=torch.int8, device="cuda") for shape in (shape_a, shape_b))
    else:
        a, b = (torch.randn(shape, device="cuda").to(getattr(torch, operand)) for shape in (shape_a, shape_b))
    c = torch.empty((problem["m"], problem["n"]), dtype=getattr(torch, result), device="cuda")
    arguments, constants = options(problem)
    tiles = FMA_TILES if is_fma(problem) else TENSOR_CORE_TILES
    kernel = triton.autotune(configs=configurations(tiles), key=["M", "N", "K"])(triton.jit(matmul_kernel))

    def run():
        kernel[grid(problem)](a, b, c, *arguments, **constants)

    run()
    median_ms = triton.testing.do_bench_cudagraph(run, rep=max(20, int(1e3 * seconds)), return_mode="median")
    flops = 2.0 * problem["m"] * problem["n"] * problem["k"]
    return {"median_ns": median_ms * 1e6, "gflops": flops / (median_ms * 1e6), "wrong": wrong(torch, problem, a, b, c),
            "config": str(kernel.best_config)}


def wrong(torch, problem, a, b, c):
    """Some rows against double: an empty text, or by how much the worst element is off. It shows a kernel that computes
    something else, not one that rounds badly."""
    rows = torch.linspace(0, problem["m"] - 1, min(16, problem["m"]), device="cuda").long()
    a = (a.t() if problem.get("transpose_a") else a)[rows].double()
    b = (b.t() if problem.get("transpose_b") else b).double()
    expected = a @ b
    off = ((c[rows].double() - expected).abs() / (a.abs() @ b.abs() + 1e-30)).max().item()
    return "" if off < 1e-2 else f"off by {off:.3g} of the sum of magnitudes"


def time_all(problems, seconds):
    try:
        import torch
        if not torch.cuda.is_available():
            raise RuntimeError("PyTorch finds no CUDA device")
    except (ImportError, RuntimeError) as error:
        print(f"triton_times: {error}", file=sys.stderr)
        return SKIPPED
    for problem in problems:
        line = {"problem": problem, "way": "Triton", "library": f"Triton {triton.__version__}"}
        try:
            line.update({"reason": why_not(problem)} if why_not(problem) else time_one(torch, problem, seconds))
        except Exception as error:  # pylint: disable=broad-except
            line["reason"] = f"{type(error).__name__}: {error}"[:300]
        print(json.dumps(line), flush=True)
    return 0


def main(arguments):
    command, how, problems = arguments[0], arguments[1], [json.loads(text) for text in arguments[2:]]
    if command == "compile":
        compile_all(how, problems)
        return 0
    return time_all(problems, float(how))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
