# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Tuning logs and compiled models of mmtune, in pure Python.

    import mmtune

    log = mmtune.open("tuning.db")                    # or records.jsonl, as `tune records export` writes it
    log.records(problem="1024x1024x1024")             # a list of dicts: pandas.DataFrame(...) takes it
    log.best()                                        # the fastest of each problem, device and regime

    model = mmtune.load("./libmodel.so")              # as `tune compile` builds it; needs numpy
    y = model.forward(x, weights)
"""

from mmtune.log import Log, LogError, Record, Records, open, problem_text  # noqa: A004 (as in tarfile.open)
from mmtune.model import Function, MemrefType, Model, ModelError, load, parse_signature

__all__ = ["Function", "Log", "LogError", "MemrefType", "Model", "ModelError", "Record", "Records", "load", "open",
           "parse_signature", "problem_text"]
__version__ = "0.1.0"
