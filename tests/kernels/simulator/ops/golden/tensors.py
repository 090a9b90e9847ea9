# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Golden vectors of cp.async.bulk.tensor: loads, stores and reductions of boxes."""
import itertools

from vectors import encode, runs, seeded
from warpgroup import swizzle

# CUtensorMapDataType, bytes and the name in vectors.py.
ELEMENTS = {"u8": (0, 1), "u16": (1, 2), "u32": (2, 4), "s32": (3, 4), "u64": (4, 8), "s64": (5, 8), "f16": (6, 2),
            "f32": (7, 4), "f64": (8, 8), "bf16": (9, 2), "tf32": (11, 4)}
SWIZZLES = {0: 0, 32: 1, 64: 2, 128: 3}
SHARED = 1024  # Where the box lies in shared memory.


def encode_element(value, name):
    if name in ("f16", "bf16", "f32", "f64"):
        return encode(float(value), name)
    return value & ((1 << 8 * ELEMENTS[name][1]) - 1)


class Tensor:
    def __init__(self, name, extents, box, at, swizzle_bytes, padding=0):
        self.name, self.extents, self.box, self.at, self.swizzle = name, extents, box, at, swizzle_bytes
        self.bytes = ELEMENTS[name][1]
        self.strides = [self.bytes]
        for extent in extents[:-1]:
            self.strides.append((self.strides[-1] * extent + 15) // 16 * 16 + padding)
        self.size = self.strides[-1] * extents[-1] if len(extents) > 1 else self.bytes * extents[0]

    def indices(self, shape):
        """Innermost first, and the fastest."""
        return (index[::-1] for index in itertools.product(*(range(extent) for extent in reversed(shape))))

    def global_offset(self, index):
        return sum(i * stride for i, stride in zip(index, self.strides))

    def shared_offset(self, index):
        packed = 0
        for i, extent in zip(reversed(index), reversed(self.box)):
            packed = packed * extent + i
        return swizzle(SHARED + packed * self.bytes, self.swizzle)

    def inside(self, index):
        return all(0 <= i < extent for i, extent in zip(index, self.extents))

    def pairs(self):
        """For each element of the box: its place in shared memory, and in global memory or None."""
        for index in self.indices(self.box):
            element = [i + start for i, start in zip(index, self.at)]
            yield self.shared_offset(index), self.global_offset(element) if self.inside(element) else None


def put(memory, at, bits, count):
    for i in range(count):
        memory[at + i] = bits >> 8 * i & 0xFF


def words(memory, size, rest=0):
    return {at: sum(memory.get(at + i, rest) << 8 * i for i in range(4)) for at in range(0, (size + 3) // 4 * 4, 4)
            if any(at + i in memory for i in range(4))}


def lines(title, operation, tensor, global_before, global_after, shared_before, shared_after):
    yield f"case {title}"
    yield f"operation {operation}"
    yield f"type {ELEMENTS[tensor.name][0]}"
    yield "extents " + " ".join(map(str, tensor.extents))
    yield "strides" + "".join(f" {stride}" for stride in tensor.strides[1:])
    yield "box " + " ".join(map(str, tensor.box))
    yield "at " + " ".join(map(str, tensor.at))
    yield f"swizzle {SWIZZLES[tensor.swizzle]}"
    yield f"global {(tensor.size + 15) // 16 * 16}"
    yield f"shared {SHARED + 8192}"
    for keyword, memory in (("global_before", global_before), ("global_after", global_after),
                            ("before", shared_before), ("after", shared_after)):
        yield from runs(keyword, words(memory, 1 << 14))
    yield "end"


def load(title, tensor):
    rng = seeded(title)
    memory, landed = {}, {}
    for index in tensor.indices(tensor.extents):
        # A load by a map of tf32 rounds: these have 11 bits, so that nothing is lost.
        bits = encode(float(rng.randint(-2047, 2047)), "tf32") if tensor.name == "tf32" else rng.getrandbits(8 * tensor.bytes)
        put(memory, tensor.global_offset(index), bits, tensor.bytes)
    for shared, at in tensor.pairs():
        for i in range(tensor.bytes):
            landed[shared + i] = memory[at + i] if at is not None else 0
    return lines(title, "load", tensor, memory, {}, {}, landed)


def combine(operation, old, value, bits):
    if operation == "store":
        return value
    if operation == "inc":
        return 0 if old >= value else old + 1
    if operation == "dec":
        return value if old == 0 or old > value else old - 1
    return {"add": lambda: old + value, "min": lambda: min(old, value), "max": lambda: max(old, value),
            "and": lambda: old & value, "or": lambda: old | value, "xor": lambda: old ^ value}[operation]()


def store(title, operation, tensor):
    rng = seeded(title)
    unsigned = tensor.name.startswith("u")
    value = lambda: rng.randint(0 if unsigned else -60, 60)
    before, after, source = {}, {}, {}
    old = {}
    for index in tensor.indices(tensor.extents):
        at = tensor.global_offset(index)
        old[at] = value()
        put(before, at, encode_element(old[at], tensor.name), tensor.bytes)
    after.update(before)
    for shared, at in tensor.pairs():
        new = value()
        put(source, shared, encode_element(new, tensor.name), tensor.bytes)
        if at is not None:
            result = combine(operation, old[at], new, 8 * tensor.bytes)
            put(after, at, encode_element(result, tensor.name), tensor.bytes)
    return lines(title, operation, tensor, before, after, source, {})


def loads():
    for width in (0, 32, 64, 128):
        yield load(f"load 2d f16 swizzle {width}", Tensor("f16", [72, 12], [(width or 128) // 2, 9], [8, 1], width))
        yield load(f"load 2d f32 swizzle {width}, ragged", Tensor("f32", [20, 10], [(width or 128) // 4, 8], [10, 6], width))
    yield load("load 1d u8", Tensor("u8", [100], [48], [16], 0))
    yield load("load 1d u32, ragged", Tensor("u32", [30], [16], [20], 0))
    yield load("load 2d before the first element", Tensor("bf16", [40, 8], [32, 8], [-3, -2], 64))
    yield load("load 2d outside", Tensor("f16", [16, 4], [16, 4], [16, 0], 0))
    yield load("load 3d f16", Tensor("f16", [16, 5, 4], [16, 3, 2], [0, 1, 1], 32))
    yield load("load 3d padded, ragged", Tensor("f32", [9, 4, 3], [8, 3, 2], [4, 2, 2], 0, padding=32))
    # A box that reaches beyond a matrix of a batch has zeros there, not rows of the next matrix.
    yield load("load 3d bf16 swizzle 128, beyond a matrix", Tensor("bf16", [72, 6, 3], [64, 4, 1], [16, 4, 1], 128))
    yield load("load 2d f16, rows shorter than swizzle 128", Tensor("f16", [40, 12], [32, 9], [4, 2], 128))
    yield load("load 2d f32, rows shorter than swizzle 64", Tensor("f32", [20, 10], [8, 8], [2, 1], 64))
    for width in (0, 128):
        yield load(f"load 2d tf32 swizzle {width}, ragged", Tensor("tf32", [20, 10], [(width or 128) // 4, 8], [10, 6], width))
    yield load("load 3d tf32, beyond a matrix", Tensor("tf32", [36, 6, 3], [32, 4, 1], [8, 4, 1], 128))
    yield load("load 4d u16", Tensor("u16", [8, 3, 3, 3], [8, 2, 2, 2], [0, 1, 2, 1], 0))
    yield load("load 5d f64", Tensor("f64", [4, 2, 3, 2, 3], [4, 2, 2, 2, 2], [0, 0, 1, 0, 2], 32))


def stores():
    for width in (0, 32, 64, 128):
        yield store(f"store 2d f16 swizzle {width}", "store", Tensor("f16", [72, 12], [(width or 128) // 2, 9], [8, 1], width))
    yield store("store 2d f32, ragged", "store", Tensor("f32", [20, 10], [16, 8], [10, 6], 64))
    yield store("store 1d u8", "store", Tensor("u8", [100], [48], [16], 0))
    yield store("store 3d f32", "store", Tensor("f32", [8, 4, 3], [8, 3, 2], [0, 2, -1], 32))
    yield store("store 4d u16, ragged", "store", Tensor("u16", [8, 3, 3, 3], [8, 2, 2, 2], [0, 2, 1, 2], 0))
    yield store("store 5d u64", "store", Tensor("u64", [4, 2, 3, 2, 2], [4, 2, 2, 2, 2], [0, 0, 1, 0, 1], 32))


def reductions():
    types = {"add": ["u32", "s32", "u64", "f16", "bf16", "f32", "f64"], "inc": ["u32"], "dec": ["u32"]}
    types.update({operation: ["u32", "s32", "u64", "s64", "f16", "bf16"] for operation in ("min", "max")})
    types.update({operation: ["u32", "s32", "u64", "s64"] for operation in ("and", "or", "xor")})
    for operation, names in types.items():
        for name in names:
            count = 32 // ELEMENTS[name][1]
            yield store(f"{operation} 2d {name}", operation, Tensor(name, [count + 4, 5], [count, 4], [4, 2], 32))
    for width in (0, 64, 128):
        yield store(f"add 2d f32 swizzle {width}, ragged", "add", Tensor("f32", [20, 10], [(width or 64) // 4, 8], [10, 6], width))
    yield store("add 1d s32", "add", Tensor("s32", [40], [16], [8], 0))
    yield store("max 3d s32, before the first element", "max", Tensor("s32", [8, 4, 3], [8, 3, 2], [0, -1, 2], 32))
    yield store("add 4d f16, ragged", "add", Tensor("f16", [8, 3, 3, 3], [8, 2, 2, 2], [0, 2, 1, 2], 0))
    yield store("min 5d u64", "min", Tensor("u64", [4, 2, 3, 2, 2], [4, 2, 2, 2, 2], [0, 0, 1, 0, 1], 32))


def generate(folder):
    for name, cases in (("tensor_load", loads()), ("tensor_store", stores()), ("tensor_reduce", reductions())):
        with open(folder / f"{name}.txt", "w", encoding="utf-8") as out:
            print("# cp.async.bulk.tensor", file=out)
            print("# Made by generate.py; the format is described in README.md.", file=out)
            for case in cases:
                for line in case:
                    print(line, file=out)
