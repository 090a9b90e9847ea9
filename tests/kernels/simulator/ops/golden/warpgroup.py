# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Golden vectors of wgmma. Operands lie in shared memory in the canonical layouts of the PTX ISA ("Strides"), written
here as shape : stride pairs in units of 16 bytes, as CUTLASS documents them; all other bytes are NaN.
"""
from vectors import (BITS, NEGATE_A, NEGATE_B, REGISTERS_A, TRANSPOSED_A, TRANSPOSED_B, Case, encode, pack, registers,
                     seeded, small, write)
from matrices import A_PLACES

LEADING, STRIDE = 0, 1
SWIZZLE_FIELD = {0: 0, 128: 1, 64: 2, 32: 3}


def swizzle(address, width):
    """Swizzle<b, 4, 3>: bits 4.. are XORed with bits 7.."""
    bits = {0: 0, 32: 1, 64: 2, 128: 3}[width]
    return address ^ (address >> 7 & ((1 << bits) - 1)) << 4


class Operand:
    """`rows` of M or N x 32 bytes of k at `start`. Swizzled and MN-major, the atoms of `width` bytes x 8 of k follow each
    other along k; with `rows_first` along the rows, as CUTLASS's tile_to_shape lays them. `gap` bytes lie between rows
    of atoms.
    """

    def __init__(self, start, width, mn_major, rows, name, rows_first=False, gap=0):
        units = width // 16 if width else 1
        self.start, self.width, self.mn_major, self.name = start, width, mn_major, name
        self.offsets = [0, 0]
        bytes_per_element = BITS[name] // 8
        k = 32 // bytes_per_element
        if not mn_major:
            # ((8, rows), 2) : ((units, STRIDE), 1), or LEADING for the last 1 without a swizzle.
            self.offsets[STRIDE] = 8 * max(width, 16) + (128 if not width else 0)
            self.offsets[LEADING] = 16 if width else (rows // 8) * self.offsets[STRIDE] + 128
            second = 16 if width else self.offsets[LEADING]
            self.address = lambda row, p: (row % 8 * units * 16 + row // 8 * self.offsets[STRIDE]
                                           + p * bytes_per_element // 16 * second, p * bytes_per_element % 16)
        elif width:
            # ((units, rows), (8, k)) : ((1, LEADING), (units, STRIDE))
            inner, outer = (LEADING, STRIDE) if rows_first else (STRIDE, LEADING)
            self.offsets[inner] = 8 * width
            self.offsets[outer] = 8 * width * (rows // 8 // units if rows_first else k // 8) + gap
            self.address = lambda row, p: (row // 8 % units * 16 + row // 8 // units * self.offsets[LEADING]
                                           + p % 8 * units * 16 + p // 8 * self.offsets[STRIDE], row % 8 * 2)
        else:
            # ((1, rows), (8, k)) : ((X, STRIDE), (1, LEADING))
            self.offsets[STRIDE] = 128
            self.offsets[LEADING] = 128 * (rows // 8) + 256
            self.address = lambda row, p: (row // 8 * self.offsets[STRIDE] + p % 8 * 16 + p // 8 * self.offsets[LEADING],
                                           row % 8 * 2)

    def descriptor(self):
        value = self.start >> 4 | (self.offsets[LEADING] >> 4) << 16 | (self.offsets[STRIDE] >> 4) << 32
        value |= SWIZZLE_FIELD[self.width] << 62
        return [value & 0xFFFFFFFF, value >> 32]

    def place(self, memory, matrix):
        """`matrix` is rows x k."""
        for row, values in enumerate(matrix):
            for p, value in enumerate(values):
                unit, within = self.address(row, p)
                at = swizzle(self.start + unit, self.width) + within
                for i in range(BITS[self.name] // 8):
                    assert at + i not in memory
                    memory[at + i] = encode(value, self.name) >> 8 * i & 0xFF


def words_of(memory):
    words = {}
    for at in memory:
        base = at & ~3
        words[base] = sum(memory.get(base + i, 0xFF) << 8 * i for i in range(4))
    return words


def wgmma(title, n, d, name, width_a=128, width_b=128, mn_a=False, mn_b=False, registers_a=False, scale_d=1, negate_a=False,
          negate_b=False, k_slice=0, **atoms_b):
    k = 256 // BITS[name]
    rng = seeded(f"wgmma {title} {n} {d} {name}")
    a = [[small(rng, name) for _ in range(k)] for _ in range(64)]
    b = [[small(rng, name) for _ in range(k)] for _ in range(n)]
    c = [[small(rng, "f32") for _ in range(n)] for _ in range(64)]
    sign = -1 if negate_a != negate_b else 1
    result = [[scale_d * c[i][j] + sign * sum(a[i][p] * b[j][p] for p in range(k)) for j in range(n)] for i in range(64)]
    memory = {}
    operand_a = Operand(1024 + 32 * k_slice, width_a, mn_a, 64, name)
    operand_b = Operand(17408 + 32 * k_slice, width_b, mn_b, n, name, **atoms_b)
    if not registers_a:
        operand_a.place(memory, a)
    operand_b.place(memory, b)
    ins, outs = [], []
    for thread in range(128):
        warp, lane = thread // 32, thread % 32
        place = lambda i: (16 * warp + lane // 4 + 8 * (i // 2 % 2), i // 4 * 8 + lane % 4 * 2 + i % 2)
        places = [place(i) for i in range(n // 2)]
        words = pack([c[row][column] for row, column in places], d)
        if registers_a:
            count, of_a = A_PLACES[f"m16n8k{k}", BITS[name]]
            words += pack([a[16 * warp + row][p] for row, p in (of_a(lane // 4, lane % 4, i) for i in range(count))], name)
        else:
            words += operand_a.descriptor()
        ins.append(words + operand_b.descriptor() + [scale_d])
        outs.append(pack([result[row][column] for row, column in places], d))
    d_words = len(outs[0])
    b_word = d_words + (4 if registers_a else 2)
    instruction = f"wgmma.mma_async.sync.aligned.m64n{n}k{k}.{d}.{name}.{name}"
    operand = registers("i", d_words, 4) if registers_a else "%d0"
    immediates = "" if d == "s32" else f", {-1 if negate_a else 1}, {-1 if negate_b else 1}"
    if BITS[name] == 16:
        immediates += "" if registers_a else f", {int(mn_a)}"
        immediates += f", {int(mn_b)}"
    moves = " ".join(f"mov.b32 %o{i}, %i{i};" for i in range(d_words))
    ptx = (f".reg .pred p; setp.ne.u32 p, %i{b_word + 2}, 0; {moves} wgmma.fence.sync.aligned; "
           f"{instruction} {registers('o', 0, d_words)}, {operand}, %d{0 if registers_a else 1}, p{immediates}; "
           "wgmma.commit_group.sync.aligned; wgmma.wait_group.sync.aligned 0;")
    flags = (NEGATE_A if negate_a else 0) | (NEGATE_B if negate_b else 0) | (TRANSPOSED_A if mn_a else 0)
    flags |= (TRANSPOSED_B if mn_b else 0) | (REGISTERS_A if registers_a else 0)
    return Case(f"{instruction} {title}", 90, "wgmma", ptx, ins, outs, shared=words_of(memory), shared_bytes=34816,
                descriptors=([] if registers_a else [d_words]) + [b_word], m=64, n=n, k=k, a=name, b=name, d=d,
                flags=flags)


def products():
    for width in (0, 32, 64, 128):
        yield wgmma(f"K-major, {width} bytes of swizzle", 16, "f32", "f16", width, width)
        yield wgmma(f"MN-major, {width} bytes of swizzle", max(16, width // 2), "f32", "f16", width, width, True, True)
    yield wgmma("K-major A, MN-major B", 16, "f32", "bf16", 128, 32, False, True)
    yield wgmma("second slice of k", 24, "f32", "bf16", 128, 64, k_slice=1)
    yield wgmma("A in registers", 8, "f32", "f16", registers_a=True)
    yield wgmma("A in registers, MN-major B", 16, "f32", "bf16", width_b=32, mn_b=True, registers_a=True)
    yield wgmma("f16 accumulators", 16, "f16", "f16")
    yield wgmma("the widest", 256, "f16", "f16", 128, 32)
    for width in (32, 64, 128):
        yield wgmma(f"MN-major B of several atoms, {width} bytes of swizzle", width, "f16", "f16", width_b=width, mn_b=True,
                    registers_a=True)
        yield wgmma(f"MN-major B, atoms along N first, {width} bytes of swizzle", width, "f16", "f16", width_b=width,
                    mn_b=True, registers_a=True, rows_first=True)
    yield wgmma("MN-major B, a gap between atoms along N", 192, "f16", "f16", width_b=128, mn_b=True, registers_a=True,
                gap=1024)
    yield wgmma("MN-major B, a gap between atoms along k", 256, "f16", "f16", width_b=128, mn_b=True, registers_a=True,
                rows_first=True, gap=1024)
    yield wgmma("wide", 104, "f32", "bf16", 64, 32)
    yield wgmma("D not read", 8, "f32", "f16", scale_d=0)
    yield wgmma("A negated", 8, "f32", "f16", negate_a=True)
    yield wgmma("B negated", 8, "f32", "f16", negate_b=True)
    for width in (0, 32, 64, 128):
        yield wgmma(f"{width} bytes of swizzle", 8, "f32", "tf32", width, width)
    yield wgmma("A in registers", 8, "f32", "tf32", registers_a=True)
    for name in ("s8", "u8"):
        yield wgmma("bytes", 8, "s32", name, 64, 64)
    yield wgmma("A in registers", 8, "s32", "s8", registers_a=True)
    yield wgmma("bytes", 24, "f32", "e4m3", 64, 64)
    yield wgmma("f16 accumulators", 16, "f16", "e5m2")
    yield wgmma("A in registers", 8, "f32", "e5m2", registers_a=True)


def generate(folder):
    write(folder / "wgmma.txt", "wgmma.mma_async", products())
