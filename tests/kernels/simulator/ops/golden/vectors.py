# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What the generators of golden vectors share: the file format, and numbers as bits."""
import random
import struct

# Numbers of kernels/simulator/abi/abi.h.
KINDS = {"shuffle": 0, "vote": 1, "reduce": 2, "elect": 3, "match": 4, "ldmatrix": 5, "stmatrix": 6, "mma": 7, "wgmma": 8}
TYPES = {"none": 0, "f16": 1, "bf16": 2, "tf32": 3, "f32": 4, "f64": 5, "s8": 6, "u8": 7, "s32": 8,
         "e4m3": 10, "e5m2": 11}
TRANSPOSED, SATURATE, NEGATE_A, NEGATE_B, TRANSPOSED_A, TRANSPOSED_B = 1, 2, 4, 8, 16, 32
REGISTERS_A, WIDE, ABSOLUTE, PROPAGATE_NAN = 64, 128, 256, 512
BITS = {"f16": 16, "bf16": 16, "tf32": 32, "f32": 32, "f64": 64, "s8": 8, "u8": 8, "s32": 32, "e4m3": 8,
        "e5m2": 8}


def encode(value, name):
    """The bits of a number of the type `name`."""
    if name == "f16":
        return struct.unpack("<H", struct.pack("<e", value))[0]
    if name == "bf16":  # Exact ones only.
        bits = struct.unpack("<I", struct.pack("<f", value))[0]
        assert bits & 0xFFFF == 0
        return bits >> 16
    if name == "e5m2":  # Exact ones only: the upper half of an f16.
        bits = encode(value, "f16")
        assert bits & 0xFF == 0
        return bits >> 8
    if name == "e4m3":  # Exact ones from 1 on, and 0: a bias of 7 instead of 15, and 3 bits of fraction instead of 10.
        bits = encode(value, "f16")
        assert value == 0 or abs(value) >= 1 and bits & 0x7F == 0
        return bits >> 8 & 0x80 | (bits >> 7 & 0xFF) - (8 << 3 if value else 0)
    if name in ("f32", "tf32"):
        return struct.unpack("<I", struct.pack("<f", value))[0]
    if name == "f64":
        return struct.unpack("<Q", struct.pack("<d", value))[0]
    return value & ((1 << BITS[name]) - 1)


def pack(values, name):
    """Numbers as 32-bit words, the first in the low bits."""
    bits = BITS[name]
    if bits == 64:
        words = []
        for value in values:
            whole = encode(value, name)
            words += [whole & 0xFFFFFFFF, whole >> 32]
        return words
    per_word = 32 // bits
    assert len(values) % per_word == 0
    return [sum(encode(values[i + j], name) << (bits * j) for j in range(per_word))
            for i in range(0, len(values), per_word)]


def small(rng, name):
    """An integer so small that all sums of products are exact in every accumulator."""
    if name == "u8":
        return rng.randint(0, 255)
    return rng.randint(-128, 127) if name == "s8" else rng.randint(-4, 4)


class Case:
    """One operation of a warp, or of a warpgroup: words of each lane before and after, shared memory before and after.

    `ptx` uses %i0.. for operand words, %o0.. for result words, %a for the address that operand word 0 is an offset of,
    %d0.. for descriptors (which `descriptors` lists as word numbers), and may declare registers of its own.
    """

    def __init__(self, name, sm, kind, ptx, ins, outs, mask=0xFFFFFFFF, shared=None, after=None, shared_bytes=0,
                 descriptors=(), address=False, **op):
        self.__dict__.update(locals())

    def lines(self):
        op = {"variant": 0, "flags": 0, "count": 0, "m": 0, "n": 0, "k": 0, "a": "none", "b": "none", "c": "none",
              "d": "none"}
        op.update(self.op)
        yield f"case {self.name}"
        yield f"sm {self.sm}"
        yield "op " + " ".join(str(value) for value in (
            KINDS[self.kind], len(self.ins[0]), len(self.outs[0]), op["variant"], op["flags"], op["count"], op["m"],
            op["n"], op["k"], TYPES[op["a"]], TYPES[op["b"]], TYPES[op["c"]], TYPES[op["d"]]))
        yield f"mask {self.mask:08x}"
        yield f"lanes {len(self.ins)}"
        if self.address:
            yield "address"
        for word in self.descriptors:
            yield f"descriptor {word}"
        yield f"ptx {self.ptx}"
        if self.shared_bytes:
            yield f"shared {self.shared_bytes}"
        yield from runs("before", self.shared or {})
        yield from runs("after", self.after or {})
        for ins, outs in zip(self.ins, self.outs):
            yield "lane " + " ".join(f"{word:08x}" for word in ins) + " : " + " ".join(f"{word:08x}" for word in outs)
        yield "end"


def runs(keyword, words):
    """`words` maps offsets in bytes to 32-bit words."""
    offsets = sorted(words)
    first = 0
    while first < len(offsets):
        last = first
        while last + 1 < len(offsets) and offsets[last + 1] == offsets[last] + 4 and last - first < 15:
            last += 1
        yield f"{keyword} {offsets[first]:x} " + " ".join(f"{words[at]:08x}" for at in offsets[first:last + 1])
        first = last + 1


def write(path, header, cases):
    with open(path, "w", encoding="utf-8") as out:
        print("# " + header, file=out)
        print("# Made by generate.py; the format is described in README.md.", file=out)
        for case in cases:
            for line in case.lines():
                print(line, file=out)


def registers(prefix, first, count):
    return "{" + ",".join(f"%{prefix}{i}" for i in range(first, first + count)) + "}"


def seeded(name):
    return random.Random(name)
