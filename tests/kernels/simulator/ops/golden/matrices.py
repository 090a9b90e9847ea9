# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Golden vectors of ldmatrix, stmatrix and mma.sync, from the tables of the PTX ISA."""
from vectors import SATURATE, TRANSPOSED, BITS, Case, pack, registers, seeded, small, write


def tiles(count, transposed, store):
    """8x8 tiles of 16-bit elements whose rows lie anywhere; all values differ."""
    operation = "stmatrix" if store else "ldmatrix"
    rng = seeded(f"{operation} {count} {transposed}")
    slots = rng.sample(range(64), 32)
    element = lambda tile, row, column: 0x1000 * (tile + 1) + 0x10 * row + column
    words = {}
    for tile in range(count):
        for row in range(8):
            for pair in range(4):
                low, high = element(tile, row, 2 * pair), element(tile, row, 2 * pair + 1)
                words[16 * slots[8 * tile + row] + 4 * pair] = high << 16 | low
    fragments = []
    for lane in range(32):
        fragment = []
        for tile in range(count):
            places = [(lane // 4, 2 * (lane % 4) + i) for i in range(2)]
            if transposed:
                places = [(column, row) for row, column in places]
            low, high = (element(tile, row, column) for row, column in places)
            fragment.append(high << 16 | low)
        fragments.append(fragment)
    addresses = [[16 * slots[lane], 0] for lane in range(32)]
    trans = ".trans" if transposed else ""
    name = f"{operation}.sync.aligned.m8n8.x{count}{trans}.shared.b16"
    common = dict(shared_bytes=1024, address=True, count=count, m=8, n=8, a="f16", flags=TRANSPOSED if transposed else 0)
    if store:
        return Case(name, 90, operation, f"{name} [%a], {registers('i', 2, count)};",
                    [address + fragment for address, fragment in zip(addresses, fragments)], [[]] * 32, after=words,
                    **common)
    return Case(name, 75, operation, f"{name} {registers('o', 0, count)}, [%a];", addresses, fragments, shared=words,
                **common)


# Row and column of element i of a lane, with g = lane / 4 and q = lane % 4, by shape and width of the elements.
A_PLACES = {
    ("m16n8k16", 16): (8, lambda g, q, i: (g if i < 2 or 4 <= i < 6 else g + 8, q * 2 + (i & 1) + (8 if i >= 4 else 0))),
    ("m16n8k8", 16): (4, lambda g, q, i: (g if i < 2 else g + 8, q * 2 + (i & 1))),
    ("m16n8k4", 32): (2, lambda g, q, i: (g if i == 0 else g + 8, q)),
    ("m16n8k8", 32): (4, lambda g, q, i: (g if i in (0, 2) else g + 8, q if i < 2 else q + 4)),
    ("m8n8k16", 8): (4, lambda g, q, i: (g, q * 4 + i)),
    ("m16n8k16", 8): (8, lambda g, q, i: (g if i < 4 else g + 8, q * 4 + (i & 3))),
    ("m16n8k32", 8): (16, lambda g, q, i: (g if i < 4 or 8 <= i < 12 else g + 8, q * 4 + (i & 3) + (16 if i >= 8 else 0))),
    ("m8n8k4", 64): (1, lambda g, q, i: (g, q)),
}
B_PLACES = {
    ("m16n8k16", 16): (4, lambda g, q, i: (q * 2 + (i & 1) + (8 if i >= 2 else 0), g)),
    ("m16n8k8", 16): (2, lambda g, q, i: (q * 2 + i, g)),
    ("m16n8k4", 32): (1, lambda g, q, i: (q, g)),
    ("m16n8k8", 32): (2, lambda g, q, i: (q + 4 * i, g)),
    ("m8n8k16", 8): (4, lambda g, q, i: (q * 4 + i, g)),
    ("m16n8k16", 8): (4, lambda g, q, i: (q * 4 + i, g)),
    ("m16n8k32", 8): (8, lambda g, q, i: (q * 4 + (i & 3) + (16 if i >= 4 else 0), g)),
    ("m8n8k4", 64): (1, lambda g, q, i: (q, g)),
}


def c_places(m):
    return m // 4, lambda g, q, i: (g if i < 2 else g + 8, q * 2 + (i & 1))


def fragment(matrix, places, lane):
    count, place = places
    return [matrix[row][column] for row, column in (place(lane // 4, lane % 4, i) for i in range(count))]


def mma(shape, d, a, b, saturate=False, limit=None):
    m, n, k = (int(part) for part in shape.replace("m", "").replace("n", " ").replace("k", " ").split())
    rng = seeded(f"mma {shape} {d} {a} {b} {saturate}")
    value = lambda name: limit if limit is not None else small(rng, name)
    matrix_a = [[value(a) for _ in range(k)] for _ in range(m)]
    matrix_b = [[value(b) for _ in range(n)] for _ in range(k)]
    start = (1 << 31) - 5 if saturate else None
    matrix_c = [[start if saturate else small(rng, d if d != "s32" else "s8") for _ in range(n)] for _ in range(m)]
    result = [[matrix_c[i][j] + sum(matrix_a[i][p] * matrix_b[p][j] for p in range(k)) for j in range(n)] for i in range(m)]
    if saturate:
        result = [[max(-(1 << 31), min((1 << 31) - 1, value)) for value in row] for row in result]
    bits = BITS[a]
    ins, outs = [], []
    for lane in range(32):
        words = pack(fragment(matrix_a, A_PLACES[shape, bits], lane), a)
        words += pack(fragment(matrix_b, B_PLACES[shape, bits], lane), b)
        ins.append(words + pack(fragment(matrix_c, c_places(m), lane), d))
        outs.append(pack(fragment(result, c_places(m), lane), d))
    a_words = m * k * bits // 1024
    b_words = k * n * bits // 1024
    d_words = len(outs[0])
    satfinite = ".satfinite" if saturate else ""
    name = f"mma.sync.aligned.{shape}.row.col{satfinite}.{d}.{a}.{b}.{d}"
    sm = 75 if shape == "m16n8k8" and a == "f16" else 89 if a in FLOATS8 else 80
    if d == "f64":
        ptx = (".reg .f64 a, b, c0, c1, d0, d1; mov.b64 a, {%i0,%i1}; mov.b64 b, {%i2,%i3}; mov.b64 c0, {%i4,%i5}; "
               f"mov.b64 c1, {{%i6,%i7}}; {name} {{d0,d1}}, {{a}}, {{b}}, {{c0,c1}}; "
               "mov.b64 {%o0,%o1}, d0; mov.b64 {%o2,%o3}, d1;")
    else:
        ptx = (f"{name} {registers('o', 0, d_words)}, {registers('i', 0, a_words)}, {registers('i', a_words, b_words)}, "
               f"{registers('i', a_words + b_words, d_words)};")
    return Case(name, sm, "mma", ptx, ins, outs, m=m, n=n, k=k, a=a, b=b, c=d, d=d,
                flags=SATURATE if saturate else 0)


FLOATS8 = ("e4m3", "e5m2")


def products():
    for shape in ("m16n8k8", "m16n8k16"):
        yield mma(shape, "f32", "f16", "f16")
        yield mma(shape, "f16", "f16", "f16")
        yield mma(shape, "f32", "bf16", "bf16")
    for shape in ("m16n8k4", "m16n8k8"):
        yield mma(shape, "f32", "tf32", "tf32")
    for shape in ("m8n8k16", "m16n8k16", "m16n8k32"):
        for a in ("s8", "u8"):
            for b in ("s8", "u8"):
                yield mma(shape, "s32", a, b)
        yield mma(shape, "s32", "s8", "s8", saturate=True, limit=3)
    yield mma("m8n8k4", "f64", "f64", "f64")
    for a in FLOATS8:
        for b in FLOATS8:
            yield mma("m16n8k32", "f32", a, b)


def generate(folder):
    write(folder / "ldmatrix.txt", "ldmatrix",
          [tiles(count, transposed, False) for count in (1, 2, 4) for transposed in (False, True)])
    write(folder / "stmatrix.txt", "stmatrix",
          [tiles(count, transposed, True) for count in (1, 2, 4) for transposed in (False, True)])
    write(folder / "mma.txt", "mma.sync", products())
