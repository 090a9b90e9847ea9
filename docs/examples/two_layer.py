#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Calls the model of two_layer.mlir through ctypes and compares what it gives with plain loops.

    tune compile two_layer.mlir --device simt -o libtwo_layer.so
    python3 two_layer.py ./libtwo_layer.so

Needs nothing but Python; a numpy array passes its memory by array.ctypes.data_as(ctypes.POINTER(ctypes.c_float)).
"""

import ctypes
import sys

ROWS, INPUTS, HIDDEN, OUTPUTS = 32, 64, 48, 16
FLOATS = ctypes.POINTER(ctypes.c_float)


def memref_type(rank):
    """The descriptor that the generated header calls mmtune_memref_<rank>d_f32."""

    class Memref(ctypes.Structure):
        _fields_ = [("allocated", FLOATS), ("aligned", FLOATS), ("offset", ctypes.c_int64),
                    ("sizes", ctypes.c_int64 * rank), ("strides", ctypes.c_int64 * rank)]

    return Memref


Memref1d, Memref2d = memref_type(1), memref_type(2)


def dense(memref, values, *sizes):
    """A descriptor of row-major memory; `values` has to outlive it."""
    data = ctypes.cast(values, FLOATS)
    strides = [1]
    for size in reversed(sizes[1:]):
        strides.insert(0, strides[0] * size)
    return memref(data, data, 0, sizes, tuple(strides))


def integers(count, step):
    """Small integers: every sum is exact, so the results have to be equal."""
    return (ctypes.c_float * count)(*(i * step % 7 - 3 for i in range(count)))


def expected(x, w1, b1, w2):
    rows = []
    for row in range(ROWS):
        hidden = [max(0.0, b1[h] + sum(x[row * INPUTS + i] * w1[i * HIDDEN + h] for i in range(INPUTS)))
                  for h in range(HIDDEN)]
        rows.append([sum(hidden[h] * w2[h * OUTPUTS + column] for h in range(HIDDEN)) for column in range(OUTPUTS)])
    return rows


def main(path):
    try:
        model = ctypes.CDLL(path)
    except OSError as error:
        return f"{error}; tune compile makes the library, and its path needs a / as in ./libtwo_layer.so"
    model.mmtune_take_error.restype = ctypes.c_char_p  # Of the runtime library, which the model is linked with.
    model.mmtune_device_name.restype = ctypes.c_char_p
    libc = ctypes.CDLL(None)
    libc.free.argtypes = [ctypes.c_void_p]

    x, w1 = integers(ROWS * INPUTS, 3), integers(INPUTS * HIDDEN, 5)
    b1, w2 = integers(HIDDEN, 2), integers(HIDDEN * OUTPUTS, 4)
    y = Memref2d()
    model._mlir_ciface_forward(ctypes.byref(y), ctypes.byref(dense(Memref2d, x, ROWS, INPUTS)),
                               ctypes.byref(dense(Memref2d, w1, INPUTS, HIDDEN)),
                               ctypes.byref(dense(Memref1d, b1, HIDDEN)),
                               ctypes.byref(dense(Memref2d, w2, HIDDEN, OUTPUTS)))
    error = model.mmtune_take_error()
    if error is not None:
        return error.decode()

    values = [[y.aligned[y.offset + row * y.strides[0] + column * y.strides[1]] for column in range(OUTPUTS)]
              for row in range(ROWS)]
    libc.free(y.allocated)
    if values != expected(x, w1, b1, w2):
        return "the results are wrong"
    print(f"{ROWS * OUTPUTS} results are right on {model.mmtune_device_name().decode()}")
    return 0


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(f"usage: {sys.argv[0]} LIBRARY, which tune compile docs/examples/two_layer.mlir made")
    sys.exit(main(sys.argv[1]))
