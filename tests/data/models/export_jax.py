# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Writes the models of jax beside this file, as export.py does those of torch: StableHLO, turned into linalg by the
passes that jaxlib has. README.md says what has to be installed."""

import pathlib

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


MODELS = {"jax_mlp": mlp}

stablehlo.register_stablehlo_passes()
for name, make in MODELS.items():
    forward, shapes = make()
    inputs = [jax.random.normal(jax.random.key(2), shape) for shape in shapes]
    module = jax.jit(forward).lower(*inputs).compiler_ir("stablehlo")
    with module.context:
        passmanager.PassManager.parse(
            "builtin.module(inline,stablehlo-legalize-to-linalg,canonicalize,symbol-dce)").run(module.operation)
    output = forward(*inputs)
    (FOLDER / f"{name}.mlir").write_text(str(module))
    (FOLDER / f"{name}.bin").write_bytes(b"".join(np.asarray(a).tobytes() for a in (*inputs, output)))
    print(name, shapes, "->", output.shape)
