# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Reads the seeds of `tune records export --format` by the rules of the programs that they are for, which the tests do not
need: each reader raises where its program would refuse the file."""

import csv
import io
import json
import re

# Kernel Tuner's kernel_tuner/schema/T4/1.0.0/results-schema.json.
T4_REQUIRED = {"configuration": dict, "times": dict, "invalidity": str, "correctness": (int, float)}
T4_OPTIONAL = {"timestamp": str, "objectives": list, "measurements": list}
T4_INVALIDITY = {"timeout", "compile", "runtime", "correctness", "constraints", "correct"}
T4_TIMES = {"compilation_time": (int, float), "runtimes": list, "framework": (int, float),
            "search_algorithm": (int, float), "validation": (int, float)}

# The columns of CUTLASS 3's tools/profiler for a GEMM, in its order.
CUTLASS_COLUMNS = """Problem Provider OperationKind Operation Disposition Status gemm_kind m n k A B C D alpha beta
  split_k_mode split_k_slices batch_count raster_order op_class accum cta_m cta_n cta_k cluster_m cluster_n cluster_k stages
  warps_m warps_n warps_k inst_m inst_n inst_k min_cc max_cc Bytes Flops Flops/Byte Runtime GB/s GFLOPs""".split()


def require(holds, what):
    if not holds:
        raise ValueError(what)


def read_t4(text):
    """The results of a T4 file that its schema allows."""
    file = json.loads(text)
    require(re.match(r"^[0-9]{1,}.[0-9]{1,}.[0-9]{1,}$", file["schema_version"]), "schema_version")
    for result in file["results"]:
        for name, kind in T4_REQUIRED.items():
            require(isinstance(result[name], kind), name)
        for name, kind in T4_OPTIONAL.items():
            require(isinstance(result.get(name, kind()), kind), name)
        for name, kind in T4_TIMES.items():
            require(name not in result["times"] or isinstance(result["times"][name], kind), name)
        require(result["invalidity"] in T4_INVALIDITY, result["invalidity"])
        for measurement in result.get("measurements", []):
            require(isinstance(measurement["name"], str) and isinstance(measurement["unit"], str), "measurements")
            require(isinstance(measurement["value"], (int, float, str, list)), "measurements")
    return file["results"]


def triton_config(kwargs, num_warps=4, num_stages=3, num_ctas=1, maxnreg=None):
    """What triton.Config() takes and a kernel with tl.dot can have: tiles of powers of two from 16 up."""
    for name in ("BLOCK_M", "BLOCK_N", "BLOCK_K"):
        require(kwargs[name] >= 16 and kwargs[name] & (kwargs[name] - 1) == 0, name)
    require(num_warps > 0 and num_warps & (num_warps - 1) == 0, "num_warps")
    require(num_stages >= 1 and num_ctas >= 1, "num_stages")
    return {**kwargs, "num_warps": num_warps, "num_stages": num_stages, "num_ctas": num_ctas, "maxnreg": maxnreg}


def nearest_config(path, m):
    """The configuration that vLLM and SGLang take for m rows: that of the nearest M of the file."""
    with open(path) as file:
        table = {int(key): value for key, value in json.load(file).items()}
    config = table[min(table, key=lambda key: abs(key - m))]
    require(set(config) == {"BLOCK_SIZE_M", "BLOCK_SIZE_N", "BLOCK_SIZE_K", "GROUP_SIZE_M", "num_warps", "num_stages"}, path)
    return config


def read_cutlass(text):
    """The rows of the profiler's CSV; columns that it does not know may only be in front, where --tags puts them."""
    rows = list(csv.DictReader(io.StringIO(text)))
    names = list(rows[0])
    names = names[names.index("Problem"):]
    require(names == [name for name in CUTLASS_COLUMNS if name in names], names)
    for row in rows:
        require(row["Provider"] != "CUTLASS", "it is not theirs")
        require(row["op_class"] in ("simt", "tensorop"), row["op_class"])
        for operand in "ABCD":
            require(re.fullmatch(r"[a-z]+\d+:(row|column)", row[operand]), row[operand])
        for name in names[names.index("Bytes"):] + ["m", "n", "k", "cta_m", "cta_n", "cta_k", "stages", "min_cc"]:
            require(float(row[name]) > 0, name)
    return rows
