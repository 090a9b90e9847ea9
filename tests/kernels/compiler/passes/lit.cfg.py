# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs every .mlir file below this folder by its RUN lines."""

import os
import re

import lit.formats

config.name = "mmtune passes"
config.test_format = lit.formats.ShTest(execute_external=False)
config.suffixes = [".mlir"]
config.test_source_root = os.path.dirname(__file__)

for name, path in config.tools.items():
    config.substitutions.append((rf"(?<![\w/.-]){re.escape(name)}(?![\w/.-])", path))
