#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Tunes the model of two_layer.mlir on the SIMT device, and compiles it with what was found. Ctrl-C ends the search; the
same command goes on with it.

    python3 tune_and_compile.py ../two_layer.mlir ./libtwo_layer.so tuning.db

Needs the package mmtune, and the programs, in the package (as the wheel has them) or in $PATH.
"""

import sys

import mmtune


def show(progress: mmtune.Progress) -> None:
    print(progress.note or f"{progress.done} of {progress.planned} schedules", file=sys.stderr)


def main(model: str, library: str, log: str) -> None:
    tuned = mmtune.tune("32x48x64:bias,relu", log=log, device="simt", trials=4, on_progress=show, options=["--quick"])
    print(f"{tuned.best[0].gflops:.1f} GFLOP/s by {tuned.best[0].schedule}")
    built = mmtune.compile(model, library, log=log, device="simt", overwrite=True)
    print(*built.notes, f"built {built.library}", sep="\n")


if __name__ == "__main__":
    if len(sys.argv) != 4:
        sys.exit(f"usage: {sys.argv[0]} MODEL.mlir LIBRARY.so LOG")
    try:
        main(*sys.argv[1:])
    except mmtune.TuneError as error:
        sys.exit(str(error))
