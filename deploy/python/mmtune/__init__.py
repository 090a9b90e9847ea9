# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Tuning, tuning logs and compiled models of mmtune, in pure Python.

    import mmtune

    mmtune.tune("1024x1024x1024:bf16", log="tuning.db")           # runs `tune`, of this package or of $PATH
    mmtune.compile("model.mlir", "libmodel.so", log="tuning.db", arch="sm_90").load()

    log = mmtune.open("tuning.db")                    # or records.jsonl, as `tune records export` writes it
    log.records(problem="1024x1024x1024")             # a list of dicts: pandas.DataFrame(...) takes it
    log.best()                                        # the fastest of each problem, device and regime

    model = mmtune.load("./libmodel.so")              # as `tune compile` builds it; needs numpy
    y = model.forward(x, weights)
"""

from mmtune.log import Log, LogError, Record, Records, open, problem_text  # noqa: A004 (as in tarfile.open)
from mmtune.model import Function, MemrefType, Model, ModelError, load, parse_signature
from mmtune.tuner import (Compiled, MeasuredSchedule, ModelMatmul, Progress, Tuned, TunedModel,  # noqa: A004
                          TuneError, compile, tune, tune_model)

__all__ = ["Compiled", "Function", "Log", "LogError", "MeasuredSchedule", "MemrefType", "Model", "ModelError",
           "ModelMatmul", "Progress", "Record", "Records", "TuneError", "Tuned", "TunedModel", "compile", "load", "open",
           "parse_signature", "problem_text", "tune", "tune_model"]
__version__ = "0.1.0"
