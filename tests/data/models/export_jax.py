# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Writes the models of jax beside this file, as export.py does those of torch: StableHLO, turned into linalg by the
passes that jaxlib has. README.md says what has to be installed."""

import pathlib
import sys

import jax
import jax.numpy as jnp
import numpy as np
from jaxlib.mlir import passmanager
from jaxlib.mlir.dialects import stablehlo

FOLDER = pathlib.Path(__file__).parent


def weights(*sizes):
    keys = jax.random.split(jax.random.key(1), len(sizes))
    return [jax.random.normal(key, size) * 0.3 for key, size in zip(keys, sizes)]


def mlp():
    w0, b0, w1, b1, w2, b2 = weights((16, 32), (32,), (32, 32), (32,), (32, 8), (8,))

    def forward(x):
        x = jax.nn.relu(x @ w0 + b0)
        x = jax.nn.gelu(x @ w1 + b1)
        return jax.nn.softmax(x @ w2 + b2)

    return forward, [(8, 16)]


def cnn():
    k0, b0, k1, b1, w, b2 = weights((3, 3, 3, 8), (8,), (3, 3, 8, 16), (16,), (16, 10), (10,))

    def convolve(x, kernel, stride):
        return jax.lax.conv_general_dilated(
            x, kernel, (stride, stride), "SAME", dimension_numbers=("NHWC", "HWIO", "NHWC"))

    def forward(x):
        x = jax.nn.relu(convolve(x, k0, 1) + b0)
        x = jax.nn.relu(convolve(x, k1, 2) + b1)
        return jax.nn.softmax(x.mean(axis=(1, 2)) @ w + b2)

    return forward, [(2, 8, 8, 3)]


MODELS = {"jax_mlp": mlp, "jax_cnn": cnn}

stablehlo.register_stablehlo_passes()
for name in sys.argv[1:] or MODELS:
    forward, shapes = MODELS[name]()
    inputs = [jax.random.normal(jax.random.key(2), shape) for shape in shapes]
    module = jax.jit(forward).lower(*inputs).compiler_ir("stablehlo")
    with module.context:
        passmanager.PassManager.parse(
            "builtin.module(inline,stablehlo-legalize-to-linalg,canonicalize,symbol-dce)").run(module.operation)
    output = forward(*inputs)
    (FOLDER / f"{name}.mlir").write_text(str(module))
    (FOLDER / f"{name}.bin").write_bytes(b"".join(np.asarray(a).tobytes() for a in (*inputs, output)))
    print(name, shapes, "->", output.shape)
