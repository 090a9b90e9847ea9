#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Writes the golden vectors into a folder."""
import pathlib
import sys

import exchange
import matrices
import tensors
import warpgroup


def main():
    folder = pathlib.Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    for module in (exchange, matrices, tensors, warpgroup):
        module.generate(folder)


if __name__ == "__main__":
    main()
