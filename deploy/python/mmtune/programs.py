# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Starts a program of mmtune that lies in this package, as in a wheel that deploy/wheel has made."""

import os
import sys

FOLDER = os.path.join(os.path.dirname(os.path.abspath(__file__)), "native", "bin")


def start():
    """Becomes the program whose name this process was started by."""
    path = os.path.join(FOLDER, os.path.basename(sys.argv[0]))
    try:
        os.execv(path, [path, *sys.argv[1:]])
    except OSError as error:
        raise SystemExit(f"mmtune: cannot start {path}: {error.strerror}")
