# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Steps of what else OWED.md lists."""

import concurrent.futures
import json
import os
import re
import shutil

from suite import records
from suite.session import Failed, Skip

ARCHITECTURES = ["sm_75", "sm_80", "sm_86", "sm_89", "sm_90", "sm_100", "sm_120"]
PROBLEM = "1024x1024x1024"
LEAST_SECONDS_OF_TWO_JOBS = 15.0
CLIENTS = 6
NO_PTXAS = {"MMTUNE_PTXAS": "none"}
QUICK = ["--no-verification", "--no-skip", "--measure-seconds", "0.02", "--finalists", 0]


# An elementwise function in front of a product: a kernel of map-linalg-to-gpu beside one of a family.
MIXED = """
#same = affine_map<(i, j) -> (i, j)>
func.func @main(%a: tensor<64x96xf32>, %b: tensor<64x96xf32>, %w: tensor<96x32xf32>)
    -> (tensor<64x96xf32>, tensor<64x32xf32>) {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<64x96xf32>
  %s = linalg.generic {indexing_maps = [#same, #same, #same], iterator_types = ["parallel", "parallel"]}
      ins(%a, %b : tensor<64x96xf32>, tensor<64x96xf32>) outs(%e : tensor<64x96xf32>) {
  ^bb0(%x: f32, %y: f32, %o: f32):
    %p = arith.mulf %x, %x : f32
    %q = arith.addf %p, %y : f32
    linalg.yield %q : f32
  } -> tensor<64x96xf32>
  %f = tensor.empty() : tensor<64x32xf32>
  %z = linalg.fill ins(%zero : f32) outs(%f : tensor<64x32xf32>) -> tensor<64x32xf32>
  %c = linalg.matmul ins(%s, %w : tensor<64x96xf32>, tensor<96x32xf32>) outs(%z : tensor<64x32xf32>)
      -> tensor<64x32xf32>
  return %s, %c : tensor<64x96xf32>, tensor<64x32xf32>
}
"""


def log_of(session):
    return os.path.join(session.scratch, f"{session.step['name']}.db")


def driver_assembly(session):
    _, new = records.matmul(session, "64x64x64" if session.small else "256x256x256", log_of(session), "--trials", 6, *QUICK, environment=NO_PTXAS)
    assemblers = sorted({record["toolchain"]["assembler"] for record in new})
    session.fact(f"assembler: {', '.join(assemblers)}")
    records.expect_good(session, new)
    if any("ptxas" in assembler for assembler in assemblers):
        raise Failed(f"ptxas was used: {', '.join(assemblers)}")


def architectures(session):
    native = session.document["facts"].get("arch", "sm_80")
    runs = [arch for arch in ARCHITECTURES if int(arch[3:]) <= int(native[3:])] if session.cuda else ["sm_75", "sm_90"]

    def tune(arch):
        log = os.path.join(session.scratch, f"{arch}.db")
        return session.run_program("tune", "matmul", "128x96x64", "--device", session.device, "--log", log, "--quiet",
                                   "--arch", arch, "--trials", 1 if session.small else 3, *QUICK)

    # A worker for each: they compile side by side, and take turns on the device.
    with concurrent.futures.ThreadPoolExecutor(len(runs)) as pool:
        done = list(pool.map(tune, runs))
    new, failures, output = [], [], ""
    for arch, run in zip(runs, done):
        of_arch = records.export(session, os.path.join(session.scratch, f"{arch}.db"))
        session.fact(f"{arch}: {records.text(records.outcomes(of_arch))}")
        new += of_arch
        if run.rc != 0 or run.timed_out:
            failures.append(f"{arch}: tune {run.how}")
            output += run.tail + "\n"
    if failures:
        raise Failed("; ".join(failures), output)
    records.expect_good(session, new)


def example(session):
    return os.path.join(session.programs.examples, "two_layer.mlir")


def run_model(session, path, function, *options):
    """Compiles and runs it, and compares what it gives with plain loops."""
    return session.expect_ok("tune", "compile", path, "--device", session.device, "--run", function, "--arg",
                             "random:1", "--check", *options)


def write(session, name, text):
    path = os.path.join(session.scratch, name)
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)
    return path


def types(session):
    """Tensor cores: each type, in every layout between them; how fast is the business of tensor_cores."""
    wanted = [["bf16"], ["f16", "--transpose-a"], ["tf32", "--transpose-b"], ["s8", "--transpose-b"], ["s8"], ["f64"],
              ["f32", "--math", "tf32x3"], ["f32", "--math", "bf16x6", "--transpose-a"],
              ["bf16", "--out", "f32", "--transpose-a", "--transpose-b", "--epilogue", "bias,relu"]]
    shapes = ["32x24x16"] if session.small else ["2048x2048x2048", "1000x777x333"]
    new, failures = records.matmuls(session, [(shape, "--dtype", *options, "--trials", 1 if session.small else 8, *QUICK)
                                              for shape in shapes for options in wanted], CLIENTS)
    by_problem = {}
    for record in new:
        by_problem.setdefault(json.dumps(record["problem"], sort_keys=True), []).append(record)
    for problem, made in sorted(by_problem.items()):
        best = records.best(made)
        if best is None:
            continue
        vendor = best["measurement"].get("conditions", {}).get("baseline", {}).get("median_ns", 0)
        median = best["measurement"]["timing"]["median_ns"]
        beside = f", {100 * vendor / median:.0f} % of cuBLAS" if vendor else ""
        session.fact(f"{problem}: {median / 1000:.1f} us{beside}")
    if failures:
        raise Failed(f"{len(failures)} jobs did not end well: {'; '.join(line.splitlines()[0] for line in failures)}",
                     "\n".join(failures))
    records.expect_good(session, new)


def variants(session):
    wanted = [["256x192x128", "--batch", 3, "--transpose-b", "--epilogue", "bias,relu"]]
    if not session.small:
        wanted += [["512x512x64", "--batch", 16, "--transpose-b", "--epilogue", "scale:0.125"],
                   ["1024x1024x1024", "--epilogue", "bias,relu,add"], ["100x33x70", "--transpose-b"]]
    else:
        wanted[0][0] = "32x24x16"
    new = []
    for problem, *options in wanted:
        new += records.matmul(session, problem, log_of(session), *options, "--trials", 2 if session.small else 6,
                              *QUICK)[1]
    mixed = run_model(session, write(session, "mixed.mlir", MIXED), "main", "--repeat", 3)
    session.step["output"] = run_model(session, example(session), "forward").out + mixed.out
    records.expect_good(session, new)


def compiled_model(session):
    if not any(map(shutil.which, ("cc", "gcc", "clang", "ld"))):
        raise Skip("no cc, gcc, clang or ld is here to link a library with")
    ways = [("as ptxas allows", {})] + ([("as PTX", NO_PTXAS)] if session.cuda else [])
    for index, (way, environment) in enumerate(ways):
        path = os.path.join(session.scratch, f"libtwo_layer{index}.so")
        done = session.expect_ok("tune", "compile", example(session), "--device", session.device, "-o", path,
                                 environment=environment)
        note = re.search(r"^note\s+(.*)$", done.out + done.err, re.MULTILINE)
        ran = session.expect_ok(shutil.which("python3"), os.path.join(session.programs.examples, "two_layer.py"), path,
                                environment={"MMTUNE_DEVICE": session.device})
        session.fact(f"{way}: {ran.out.strip()}{' (' + note.group(1) + ')' if note else ''}; its process ended well")


def products(count, size):
    """A model of independent products, whose transfers and kernels may overlap."""
    kind = f"tensor<{size}x{size}xf32>"
    arguments = ", ".join(f"%a{i}: {kind}, %b{i}: {kind}" for i in range(count))
    body = "".join(f"""
  %e{i} = tensor.empty() : {kind}
  %z{i} = linalg.fill ins(%zero : f32) outs(%e{i} : {kind}) -> {kind}
  %c{i} = linalg.matmul ins(%a{i}, %b{i} : {kind}, {kind}) outs(%z{i} : {kind}) -> {kind}""" for i in range(count))
    return (f"func.func @main({arguments}) -> ({', '.join([kind] * count)}) {{\n  %zero = arith.constant 0.0 : f32"
            f"{body}\n  return {', '.join(f'%c{i}' for i in range(count))} : {', '.join([kind] * count)}\n}}\n")


def streams(session):
    path = write(session, "products.mlir", products(4, 64 if session.small else 1024))
    medians = {}
    for choice in ("one", "several"):
        done = session.expect_ok("tune", "compile", path, "--device", session.device, "--streams", choice, "--run",
                                 "main", "--arg", "random:1", "--repeat", 20)
        median = re.search(r"median ([0-9.]+) ms", done.out)
        if not median:
            raise Failed("no median was printed", done.tail)
        medians[choice] = float(median.group(1))
    run_model(session, example(session), "forward", "--streams", "several", "--repeat", 5)
    session.result(median_ms=medians)
    session.fact(f"4 products of 1024x1024x1024, one stream {medians['one']:.2f} ms, several "
                 f"{medians['several']:.2f} ms; host memory is pageable, so copies may not overlap")


def two_workers(session):
    shape, trials = ("48x48x32", 4) if session.small else ("512x512x512", 24)
    with records.served(session, log_of(session), workers=2) as address:
        done = session.expect_ok("tune", "matmul", shape, "--device", session.device, "--server", address, "--trials",
                                 trials, "--strategy", "random", "--quiet", *QUICK)
        status = session.run_program("tune", "status", "--server", address, seconds=10)
    session.step["output"] = status.out
    records.expect_good(session, records.export(session, log_of(session)), done.tail)


def compile_ahead(session):
    """The same jobs with and without; a log for each, so that none is answered by another."""
    rows, new, results = [], [], []
    for seed in (1, 2):
        for dtype in ("f32", "f16"):
            if session.remaining() < LEAST_SECONDS_OF_TWO_JOBS:
                session.fact(f"no time was left for {dtype}, seed {seed}")
                continue
            for flag in ([], ["--no-compile-ahead"]):
                name = f"{dtype}-{seed}{''.join(flag)}"
                log = os.path.join(session.scratch, f"ahead-{name}.db")
                done, found = records.matmul(session, "64x64x64" if session.small else PROBLEM, log, "--dtype", dtype,
                                             "--seed", seed, "--trials", 4 if session.small else 16,
                                             "--finalists", 0, "--no-verification", "--measure-seconds", "0.2", *flag)
                new += found
                best = records.best(found)
                skipped = records.outcomes(found)["skipped"]
                results.append({"dtype": dtype, "seed": seed, "ahead": not flag, "seconds": done.wall,
                                "gflops": records.gflops(best) if best else None, "skipped": skipped})
                rows.append([dtype, str(seed), "no" if flag else "yes", f"{records.gflops(best):.0f}" if best else "-",
                             str(skipped), f"{done.wall:.1f}"])
    session.result(jobs=results)
    session.table(["type", "seed", "compiled ahead", "best GFLOP/s of 16 trials", "skipped", "wall [s]"], rows)
    records.expect_good(session, new)
