#!/usr/bin/env python3
"""Writes the golden vectors of this folder, or with --check compares them with what it would write."""
import argparse
import filecmp
import pathlib
import sys
import tempfile

import exchange
import matrices
import tensors
import warpgroup

HERE = pathlib.Path(__file__).resolve().parent


def generate(folder):
    for module in (exchange, matrices, warpgroup, tensors):
        module.generate(folder)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--check", action="store_true")
    if not parser.parse_args().check:
        generate(HERE)
        return 0
    with tempfile.TemporaryDirectory() as folder:
        generate(pathlib.Path(folder))
        names = sorted(path.name for path in pathlib.Path(folder).iterdir())
        different = [name for name in names if not (HERE / name).exists()
                     or not filecmp.cmp(HERE / name, pathlib.Path(folder) / name, shallow=False)]
    for name in different:
        print(f"{name} is not what generate.py writes")
    return 1 if different else 0


if __name__ == "__main__":
    sys.exit(main())
