#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compiles matmuls with Triton, which needs no GPU, and asks `tune verify` about each. Prints a table in Markdown.

    python3 -m venv venv && venv/bin/pip install triton==3.4.0 setuptools
    venv/bin/python tests/worker/kernel_verify/triton/sweep.py --bin build/release/bin [--only fp8]

The exit code is 1 if a kernel is not verified.
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time

import triton
import triton.language as tl
from triton.backends.compiler import GPUTarget
from triton.compiler import ASTSource

# Architecture, types of A and B and of C, tile, stages, warps, and words: "column": B is column-major; "convert": the
# operands are converted to f16 first; "ragged": Triton may assume nothing of sizes and strides.
KERNELS = [
    (80, "fp16", "fp32", (32, 32, 32), 3, 4, ""), (80, "fp16", "fp16", (16, 16, 64), 5, 1, ""),
    (80, "fp16", "fp16", (128, 64, 32), 4, 8, "column"), (80, "fp16", "fp32", (64, 64, 32), 3, 4, "ragged"),
    (80, "bf16", "bf16", (64, 32, 64), 4, 2, ""), (80, "bf16", "fp32", (128, 32, 32), 2, 4, "column"),
    (80, "fp32", "fp32", (32, 64, 32), 2, 4, ""), (80, "fp32", "fp32", (64, 64, 16), 4, 4, "column"),
    (80, "fp8e5", "fp32", (64, 64, 32), 3, 4, ""), (80, "fp8e5", "fp16", (32, 64, 64), 3, 4, "convert"),
    (89, "fp8e5", "fp32", (32, 32, 32), 3, 4, ""), (89, "fp8e4nv", "fp32", (64, 64, 64), 3, 4, "column"),
    (89, "fp8e4nv", "bf16", (32, 64, 32), 2, 4, ""), (89, "fp8e4nv", "fp16", (64, 32, 32), 3, 4, "convert"),
    (90, "fp16", "fp16", (128, 64, 32), 3, 8, ""), (90, "fp16", "fp32", (64, 64, 64), 3, 4, ""),
    (90, "fp16", "fp32", (128, 128, 64), 4, 4, "column"), (90, "bf16", "bf16", (64, 128, 32), 4, 4, ""),
    (90, "bf16", "fp32", (64, 64, 32), 2, 4, "column ragged"), (90, "fp32", "fp32", (64, 64, 32), 3, 4, ""),
    (90, "fp32", "fp32", (64, 32, 32), 3, 4, "column"), (90, "fp8e4nv", "fp32", (64, 64, 64), 3, 4, "column"),
    (90, "fp8e5", "fp16", (64, 64, 64), 3, 4, "column"), (90, "fp8e4nv", "bf16", (128, 64, 128), 3, 8, "column"),
    (90, "fp8e5", "fp32", (64, 64, 32), 3, 4, ""),
]  # fmt: skip
TYPES = {"fp16": "f16", "bf16": "bf16", "fp32": "tf32", "fp8e4nv": "e4m3", "fp8e5": "e5m2"}


@triton.jit
def matmul(a_ptr, b_ptr, c_ptr, M, N, K, stride_a, stride_b, stride_c, BM: tl.constexpr, BN: tl.constexpr,
           BK: tl.constexpr, COLUMN: tl.constexpr, CONVERT: tl.constexpr):
    rows = tl.program_id(0) * BM + tl.arange(0, BM)
    columns = tl.program_id(1) * BN + tl.arange(0, BN)
    steps = tl.arange(0, BK)
    sums = tl.zeros((BM, BN), dtype=tl.float32)
    for first in range(0, K, BK):
        k = first + steps
        a_at = a_ptr + rows[:, None] * stride_a + k[None, :]
        if COLUMN:
            b_at = b_ptr + k[:, None] + columns[None, :] * stride_b
        else:
            b_at = b_ptr + k[:, None] * stride_b + columns[None, :]
        a = tl.load(a_at, mask=(rows[:, None] < M) & (k[None, :] < K), other=0.0)
        b = tl.load(b_at, mask=(k[:, None] < K) & (columns[None, :] < N), other=0.0)
        if CONVERT:
            a = a.to(tl.float16)
            b = b.to(tl.float16)
        sums = tl.dot(a, b, sums)
    tl.store(c_ptr + rows[:, None] * stride_c + columns[None, :], sums.to(c_ptr.dtype.element_ty),
             mask=(rows[:, None] < M) & (columns[None, :] < N))


def compile_kernel(arch, operands, result, tile, stages, warps, words, folder):
    """Writes the files that Triton's cache would have."""
    constants = dict(zip(["BM", "BN", "BK"], tile), COLUMN="column" in words, CONVERT="convert" in words)
    signature = {"a_ptr": f"*{operands}", "b_ptr": f"*{operands}", "c_ptr": f"*{result}"}
    signature |= {name: "i32" for name in ["M", "N", "K", "stride_a", "stride_b", "stride_c"]}
    signature |= {name: "constexpr" for name in constants}
    aligned = [] if "ragged" in words else [0, 1, 2, 5, 6, 7, 8]
    source = ASTSource(fn=matmul, signature=signature, constexprs=constants,
                       attrs={(i,): [["tt.divisibility", 16]] for i in aligned})
    kernel = triton.compile(source, target=GPUTarget("cuda", arch, 32),
                            options={"num_stages": stages, "num_warps": warps})
    with open(os.path.join(folder, "matmul.ptx"), "w", encoding="utf-8") as file:
        file.write(kernel.asm["ptx"])
    launch = {"name": "matmul", "num_warps": warps, "shared": kernel.metadata.shared, "cluster_dims": [1, 1, 1]}
    with open(os.path.join(folder, "matmul.json"), "w", encoding="utf-8") as file:
        json.dump(launch, file)


def verify(tune, operands, result, tile, words, folder):
    """Returns what tune verify says: a verdict, or an error."""
    column = "column" in words
    c = "f32" if result == "fp32" else TYPES[result]
    arguments = [f"A=buffer:{TYPES[operands]}[M,K]", f"B=buffer:{TYPES[operands]}[{'N,K' if column else 'K,N'}]",
                 f"C=buffer:{c}[M,N]", "i32=M", "i32=N", "i32=K", "i32=K", "i32=K" if column else "i32=N", "i32=N",
                 "u64=0"]
    command = [tune, "verify", folder, "--grid", f"cdiv(M,{tile[0]}),cdiv(N,{tile[1]})", "--stress", "1", "--json",
               "--shapes", "96x80x112,57x39x45" if "ragged" in words else "96x80x112",
               "--gemm", "A,B:t,C" if column else "A,B,C"]  # fmt: skip
    for argument in arguments:
        command += ["--arg", argument]
    answer = subprocess.run(command, capture_output=True, text=True, check=False)
    if not answer.stdout:
        return False, answer.stderr.strip()
    verdict = json.loads(answer.stdout)
    return verdict["verified"], verdict["verification"]["finding"]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--bin", required=True, help="the folder of tune")
    parser.add_argument("--only", default="", help="only kernels of a type with this in its name")
    options = parser.parse_args()
    failed = 0
    print("| architecture | A and B | C | tile, stages, warps | | verdict | time [s] |\n|---|---|---|---|---|---|---:|")
    for arch, operands, result, tile, stages, warps, words in KERNELS:
        if options.only not in operands:
            continue
        with tempfile.TemporaryDirectory() as folder:
            compile_kernel(arch, operands, result, tile, stages, warps, words, folder)
            begin = time.monotonic()
            verified, why = verify(os.path.join(options.bin, "tune"), operands, result, tile, words, folder)
            seconds = time.monotonic() - begin
        failed += not verified
        size = "x".join(map(str, tile))
        print(f"| sm_{arch} | {TYPES[operands]} | {TYPES[result].replace('tf32', 'f32')} | {size}, {stages}, {warps} | "
              f"{words} | {'verified' if verified else why} | {seconds:.1f} |", flush=True)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
