# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The programs of mmtune that lie in this package, as in a wheel that deploy/wheel has made, or are in $PATH."""

import os
import shutil
import sys

FOLDER = os.path.join(os.path.dirname(os.path.abspath(__file__)), "native", "bin")


def find(name: str) -> str:
    """The path of a program: the one in this package, else the one in $PATH. Its bare name if there is neither."""
    path = os.path.join(FOLDER, name)
    return path if os.access(path, os.X_OK) else shutil.which(name) or name


def start():
    """Becomes the program whose name this process was started by."""
    path = os.path.join(FOLDER, os.path.basename(sys.argv[0]))
    try:
        os.execv(path, [path, *sys.argv[1:]])
    except OSError as error:
        raise SystemExit(f"mmtune: cannot start {path}: {error.strerror}")
