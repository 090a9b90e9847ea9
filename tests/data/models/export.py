# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Writes the exported models beside this file: what torch-mlir makes of each (NAME.mlir, unedited), and torch's own
values (NAME.bin: the inputs, then the outputs, each dense and little-endian, in the order of the function's type; of a
model with dynamic sizes once for each size).

    python3 export.py [NAME...]          # README.md says what has to be installed
"""

import pathlib
import sys

import torch
from torch import nn
from torch_mlir import fx

from blocks import (
    Decode, DecodeInto, Encoder, Gpt2, GroupedLlama, Llama, Mixture, RotaryDecode, Swin, TopKMixture, TwoTower, Vit)

FOLDER = pathlib.Path(__file__).parent


class Mlp(nn.Module):
    def __init__(self, width=16, hidden=32, out=8):
        super().__init__()
        self.layers = nn.Sequential(
            nn.Linear(width, hidden), nn.ReLU(), nn.Linear(hidden, hidden), nn.ReLU(), nn.Linear(hidden, out))

    def forward(self, x):
        return self.layers(x)


class Gpt(nn.Module):
    """A block of GPT-2: attention and MLP, each behind a layer norm, with residuals."""

    def __init__(self, width=32, heads=2):
        super().__init__()
        self.heads = heads
        self.norm1, self.norm2 = nn.LayerNorm(width), nn.LayerNorm(width)
        self.qkv, self.out = nn.Linear(width, 3 * width), nn.Linear(width, width)
        self.up, self.down = nn.Linear(width, 4 * width), nn.Linear(4 * width, width)

    def attend(self, x):
        batch, length, width = x.shape
        q, k, v = (t.view(batch, length, self.heads, -1).transpose(1, 2) for t in self.qkv(x).split(width, dim=2))
        scores = (q @ k.transpose(-2, -1)) * (width // self.heads) ** -0.5
        mask = torch.tril(torch.ones(length, length, dtype=torch.bool))
        weights = torch.softmax(scores.masked_fill(~mask, float("-inf")), dim=-1)
        return self.out((weights @ v).transpose(1, 2).reshape(batch, length, width))

    def forward(self, x):
        x = x + self.attend(self.norm1(x))
        return x + self.down(nn.functional.gelu(self.up(self.norm2(x)), approximate="tanh"))


class ResNet(nn.Module):
    """A basic block of a ResNet in evaluation mode, with its batch norms, or without them and with biases."""

    def __init__(self, channels=4, norms=True):
        super().__init__()
        self.conv1 = nn.Conv2d(channels, channels, 3, padding=1, bias=not norms)
        self.conv2 = nn.Conv2d(channels, channels, 3, padding=1, bias=not norms)
        self.norm1, self.norm2 = (nn.BatchNorm2d(channels) if norms else nn.Identity() for _ in range(2))
        for norm in (self.norm1, self.norm2) if norms else ():
            nn.init.normal_(norm.running_mean)
            nn.init.uniform_(norm.running_var, 0.5, 1.5)

    def forward(self, x):
        y = torch.relu(self.norm1(self.conv1(x)))
        return torch.relu(x + self.norm2(self.conv2(y)))


class ResNetDown(nn.Module):
    """The block between two stages: half the pixels, twice the channels, and a residual that is brought to that."""

    def __init__(self, channels=4):
        super().__init__()
        self.conv1 = nn.Conv2d(channels, 2 * channels, 3, stride=2, padding=1, bias=False)
        self.conv2 = nn.Conv2d(2 * channels, 2 * channels, 3, padding=1, bias=False)
        self.down = nn.Conv2d(channels, 2 * channels, 1, stride=2, bias=False)
        self.norm1, self.norm2, self.norm3 = (nn.BatchNorm2d(2 * channels) for _ in range(3))
        for norm in (self.norm1, self.norm2, self.norm3):
            nn.init.normal_(norm.running_mean)
            nn.init.uniform_(norm.running_var, 0.5, 1.5)

    def forward(self, x):
        y = torch.relu(self.norm1(self.conv1(x)))
        return torch.relu(self.norm3(self.down(x)) + self.norm2(self.conv2(y)))


class Lora(nn.Module):
    """A linear layer with a low-rank addition."""

    def __init__(self, width=32, rank=4):
        super().__init__()
        self.base, self.down = nn.Linear(width, width), nn.Linear(width, rank, bias=False)
        self.up = nn.Linear(rank, width, bias=False)

    def forward(self, x):
        return self.base(x) + 2.0 * self.up(self.down(x))


class LstmCell(nn.Module):
    def __init__(self, width=16, hidden=16):
        super().__init__()
        self.cell = nn.LSTMCell(width, hidden)

    def forward(self, x, h, c):
        return self.cell(x, (h, c))


class Slices(nn.Module):
    """Padding, slices and concatenation between device operations."""

    def __init__(self):
        super().__init__()
        self.linear = nn.Linear(8, 8)

    def forward(self, x):
        y = self.linear(x)
        left, right = y[:, :4], y[:, 4:]
        turned = torch.cat([-right, left], dim=1)
        return nn.functional.pad(turned, (1, 2, 0, 1)) * 2.0


class Dilated(nn.Module):
    """Convolutions of one input with several dilations, joined by one of a single element (as in DeepLab)."""

    def __init__(self, channels=8):
        super().__init__()
        self.parts = nn.ModuleList(nn.Conv2d(channels, channels, 3, padding=d, dilation=d) for d in (1, 2, 4))
        self.join = nn.Conv2d(3 * channels, channels, 1)

    def forward(self, x):
        return self.join(torch.cat([nn.functional.relu(part(x)) for part in self.parts], 1))


def dynamic(*dims):
    """For each input the number of its dynamic dimension, which all of them share."""
    size = torch.export.Dim("size", min=2, max=64)
    return {"dynamic_shapes": tuple({dim: size} for dim in dims)}


# name -> (the module, its inputs by shape or as they are, the type of everything, further options of the export)
MODELS = {
    "mlp": (Mlp, [(8, 16)], torch.float32, None),
    "mlp_f16": (Mlp, [(8, 16)], torch.float16, None),
    "mlp_bf16": (Mlp, [(8, 16)], torch.bfloat16, None),
    "mlp_dynamic": (Mlp, [(5, 16)], torch.float32, dynamic(0)),
    "bert_dynamic": (lambda: Encoder(width=16), [(2, 8, 16), (2, 1, 1, 8)], torch.float32, dynamic(0, 0)),
    "gpt_dynamic": (lambda: Gpt(width=16), [(1, 8, 16)], torch.float32, dynamic(1)),
    "gpt": (Gpt, [(1, 8, 32)], torch.float32, None),
    "gpt_bf16": (Gpt, [(1, 8, 32)], torch.bfloat16, None),
    "resnet": (ResNet, [(1, 4, 8, 8)], torch.float32, None),
    "resnet_f16": (ResNet, [(1, 4, 8, 8)], torch.float16, None),
    "resnet_bf16": (ResNet, [(1, 4, 8, 8)], torch.bfloat16, None),
    "resnet_plain": (lambda: ResNet(norms=False), [(1, 4, 8, 8)], torch.float32, None),
    "resnet_down": (ResNetDown, [(1, 4, 8, 8)], torch.float32, None),
    "lora": (Lora, [(8, 32)], torch.float32, None),
    "lora_bf16": (Lora, [(8, 32)], torch.bfloat16, None),
    "lstm_cell": (LstmCell, [(4, 16), (4, 16), (4, 16)], torch.float32, None),
    "slices": (Slices, [(6, 8)], torch.float32, None),
    "llama": (Llama, [(1, 8, 32)], torch.float32, None),
    "llama_bf16": (Llama, [(1, 8, 32)], torch.bfloat16, None),
    "llama_whole_bf16": (lambda: Llama(whole=True), [(1, 8, 32)], torch.bfloat16, None),
    "llama_grouped": (GroupedLlama, [(1, 8, 32)], torch.float32, None),
    "llama_grouped_bf16": (GroupedLlama, [(1, 8, 32)], torch.bfloat16, None),
    "llama_groups": (lambda: Llama(heads=4, groups=2), [(1, 8, 32)], torch.float32, None),
    "bert": (Encoder, [(1, 8, 32), (1, 1, 1, 8)], torch.float32, None),
    "bert_f16": (Encoder, [(1, 8, 32), (1, 1, 1, 8)], torch.float16, None),
    "bert_whole_bf16": (lambda: Encoder(whole=True), [(1, 8, 32), (1, 1, 1, 8)], torch.bfloat16, None),
    "vit": (Vit, [(1, 3, 8, 8)], torch.float32, None),
    "vit_f16": (Vit, [(2, 3, 8, 8)], torch.float16, None),
    "two_tower": (TwoTower, [(4, 16), (8, 16)], torch.float32, None),
    "decode": (Decode, [(1, 1, 32), (1, 2, 7, 16), (1, 2, 7, 16)], torch.float32, None),
    "decode_index": (DecodeInto, [(1, 1, 32), (1, 2, 8, 16), (1, 2, 8, 16), torch.tensor([5])], torch.float32, None),
    "decode_put": (
        lambda: DecodeInto(put=True), [(1, 1, 32), (1, 2, 8, 16), (1, 2, 8, 16), torch.tensor([5])], torch.float32, None),
    "dilated": (Dilated, [(1, 8, 12, 12)], torch.float32, None),
    "mixture": (Mixture, [(8, 16)], torch.float32, None),
    "mixture_topk": (TopKMixture, [(8, 16)], torch.float32, None),
    "rotary_decode": (
        RotaryDecode, [(1, 1, 32), (1, 2, 7, 16), (1, 2, 7, 16), torch.tensor([7])], torch.float32, None),
    "swin": (Swin, [(1, 8, 8, 16)], torch.float32, None),
    "gpt2_hf": (Gpt2, [torch.arange(12).view(1, 12) * 7 % 32], torch.float32, None),
}


# The other sizes of dynamic ones: further inputs.
FURTHER = {
    "bert_dynamic": [[(5, 8, 16), (5, 1, 1, 8)]],
    "gpt_dynamic": [[(1, 13, 16)]],
}


def raw(tensor):
    return tensor.detach().contiguous().flatten().view(torch.uint8).numpy().tobytes()


def made(inputs, dtype):
    return [given if isinstance(given, torch.Tensor) else torch.randn(given).to(dtype) for given in inputs]


def export(name):
    make, shapes, dtype, more = MODELS[name]
    torch.manual_seed(1)
    model = make().to(dtype).eval()
    inputs = made(shapes, dtype)
    with torch.no_grad():
        module = fx.export_and_import(
            model, *inputs, output_type="linalg-on-tensors", func_name="forward", **(more or {}))
    (FOLDER / f"{name}.mlir").write_text(str(module))
    runs = [inputs] + [made(further, dtype) for further in FURTHER.get(name, [])]
    values = b""
    for given in runs:
        with torch.no_grad():
            outputs = model(*given)
        outputs = outputs if isinstance(outputs, tuple) else (outputs,)
        values += b"".join(raw(t) for t in (*given, *outputs))
        print(name, [tuple(t.shape) for t in given], "->", [tuple(t.shape) for t in outputs])
    (FOLDER / f"{name}.bin").write_bytes(values)


for name in sys.argv[1:] or MODELS:
    export(name)
