# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Golden vectors of shuffles, votes, reductions, elections and matches."""
import struct

from vectors import ABSOLUTE, PROPAGATE_NAN, WIDE, Case, seeded, write

FULL = 0xFFFFFFFF


def lanes_of(mask):
    return [lane for lane in range(32) if mask >> lane & 1]


def per_lane(mask, width, words):
    """Lanes outside of the mask have zeros, which nobody looks at."""
    return [words(lane) if mask >> lane & 1 else [0] * width for lane in range(32)]


def shuffle_source(mode, lane, bval, cval, segmask):
    """PTX ISA, shfl.sync: the pseudo code."""
    max_lane = (lane & segmask) | (cval & ~segmask & 31)
    min_lane = lane & segmask
    if mode == "up":
        j = lane - bval
        p = j >= max_lane
    elif mode == "down":
        j = lane + bval
        p = j <= max_lane
    elif mode == "bfly":
        j = lane ^ bval
        p = j <= max_lane
    else:
        j = min_lane | (bval & ~segmask & 31)
        p = j <= max_lane
    return (j if p else lane), int(p)


def shuffles():
    for mode, number in (("up", 0), ("down", 1), ("bfly", 2), ("idx", 3)):
        for b, width in ((0, 32), (1, 32), (5, 32), (31, 32), (1, 8), (3, 16), (7, 4), (33, 32)):
            segmask = 32 - width
            clamp = 0 if mode == "up" else 31
            c = segmask << 8 | clamp
            values = [seeded(f"shuffle {mode} {b} {width}").getrandbits(32) ^ lane for lane in range(32)]
            outs = []
            for lane in range(32):
                source, p = shuffle_source(mode, lane, b & 31, clamp, segmask)
                outs.append([values[source], p])
            yield Case(f"shfl.sync.{mode} b {b} width {width}", 70, "shuffle",
                       f".reg .pred p; shfl.sync.{mode}.b32 %o0|p, %i0, %i1, %i2, 0xffffffff; selp.b32 %o1, 1, 0, p;",
                       [[values[lane], b, c] for lane in range(32)], outs, variant=number)
    rng = seeded("shuffle by lane")
    for mode, number in (("bfly", 2), ("idx", 3)):
        values, targets = [rng.getrandbits(32) for _ in range(32)], [rng.randrange(32) for _ in range(32)]
        outs = []
        for lane in range(32):
            source, p = shuffle_source(mode, lane, targets[lane], 23, 0)
            outs.append([values[source], p])
        yield Case(f"shfl.sync.{mode}, each lane its own b, clamp 23", 70, "shuffle",
                   f".reg .pred p; shfl.sync.{mode}.b32 %o0|p, %i0, %i1, %i2, 0xffffffff; selp.b32 %o1, 1, 0, p;",
                   [[values[lane], targets[lane], 23] for lane in range(32)], outs, variant=number)


def votes():
    rng = seeded("vote")
    for mask in (FULL, 0x0F0F0F0F, 0x80000001):
        members = lanes_of(mask)
        for name, predicates in (("mixed", [rng.randrange(2) for _ in range(32)]), ("true", [1] * 32), ("false", [0] * 32)):
            ballot = sum(predicates[lane] << lane for lane in members)
            results = {"all": int(all(predicates[lane] for lane in members)),
                       "any": int(any(predicates[lane] for lane in members)),
                       "uni": int(len({predicates[lane] for lane in members}) == 1), "ballot": ballot}
            for number, (mode, result) in enumerate(results.items()):
                ptx = ".reg .pred p, q; setp.ne.u32 p, %i0, 0; "
                ptx += (f"vote.sync.ballot.b32 %o0, p, {mask:#x};" if mode == "ballot" else
                        f"vote.sync.{mode}.pred q, p, {mask:#x}; selp.b32 %o0, 1, 0, q;")
                yield Case(f"vote.sync.{mode} {name} mask {mask:08x}", 70, "vote", ptx,
                           per_lane(mask, 1, lambda lane: [predicates[lane]]),
                           per_lane(mask, 1, lambda lane: [result]), mask, variant=number)


def signed(word):
    return word - (1 << 32) if word >> 31 else word


def integer_reductions():
    rng = seeded("redux")
    values = [rng.getrandbits(32) for _ in range(32)]
    operations = {"add.u32": (0, lambda v: sum(v)), "min.s32": (1, lambda v: min(map(signed, v))),
                  "max.s32": (2, lambda v: max(map(signed, v))), "min.u32": (3, min), "max.u32": (4, max)}
    for mask in (FULL, 0x00FF00FE):
        chosen = [values[lane] for lane in lanes_of(mask)]
        bitwise = {"and.b32": 5, "or.b32": 6, "xor.b32": 7}
        results = {name: (number, apply(chosen) & FULL) for name, (number, apply) in operations.items()}
        for name, number in bitwise.items():
            result = chosen[0]
            for value in chosen[1:]:
                result = result & value if name[0] == "a" else result | value if name[0] == "o" else result ^ value
            results[name] = (number, result)
        for name, (number, result) in results.items():
            yield Case(f"redux.sync.{name} mask {mask:08x}", 80, "reduce",
                       f"redux.sync.{name} %o0, %i0, {mask:#x};", per_lane(mask, 1, lambda lane: [values[lane]]),
                       per_lane(mask, 1, lambda lane: [result]), mask, variant=number)


def float_reductions():
    """redux.sync.{min,max}{.abs}{.NaN}.f32; -0 is less than +0."""
    rng = seeded("redux float")
    plain = [float(rng.randint(-1000, 1000)) / 8 for _ in range(32)]
    zeros = [0.0 if lane % 2 else -0.0 for lane in range(32)]
    nan = list(plain)
    nan[7] = float("nan")
    for data_name, data in (("numbers", plain), ("zeros", zeros), ("one NaN", nan), ("NaNs", [float("nan")] * 32)):
        for mode, number in (("min", 8), ("max", 9)):
            for absolute in (False, True):
                for propagate in (False, True):
                    words = [struct.unpack("<I", struct.pack("<f", value))[0] for value in data]
                    looked_at = [word & 0x7FFFFFFF if absolute else word for word in words]
                    numbers = [word for word in looked_at if word & 0x7FFFFFFF <= 0x7F800000]
                    key = lambda word: -(word & 0x7FFFFFFF) - 1 if word >> 31 else word
                    if not numbers or (propagate and len(numbers) < 32):
                        result = 0x7FFFFFFF
                    else:
                        result = (min if mode == "min" else max)(numbers, key=key)
                    suffix = (".abs" if absolute else "") + (".NaN" if propagate else "")
                    flags = (ABSOLUTE if absolute else 0) | (PROPAGATE_NAN if propagate else 0)
                    yield Case(f"redux.sync.{mode}{suffix}.f32 {data_name}", 100, "reduce",
                               f".reg .f32 x, y; mov.b32 x, %i0; redux.sync.{mode}{suffix}.f32 y, x, 0xffffffff; "
                               "mov.b32 %o0, y;",
                               [[word] for word in words], [[result]] * 32, variant=number, flags=flags)


def elections():
    # Which lane leads is the hardware's choice; here it is the lowest.
    for mask in (FULL, 0xFFFFFFF0, 0x00008000):
        leader = lanes_of(mask)[0]
        yield Case(f"elect.sync mask {mask:08x}", 90, "elect",
                   f".reg .pred p; elect.sync %o0|p, {mask:#x}; selp.b32 %o1, 1, 0, p;", [[]] * 32,
                   per_lane(mask, 2, lambda lane: [leader, int(lane == leader)]), mask)


def matches():
    rng = seeded("match")
    for wide in (False, True):
        bits = "b64" if wide else "b32"
        operand = ".reg .b64 w; mov.b64 w, {%i0, %i1}; " if wide else ""
        register = "w" if wide else "%i0"
        for mask in (FULL, 0x3FFFFFF0):
            for name, pool in (("few values", 3), ("one value", 1)):
                pool = [[rng.getrandbits(32) for _ in range(2 if wide else 1)] for _ in range(pool)]
                values = [pool[rng.randrange(len(pool))] for _ in range(32)]
                members = lanes_of(mask)
                same = {lane: sum(1 << other for other in members if values[other] == values[lane]) for lane in members}
                width = 2 if wide else 1
                ins = per_lane(mask, width, lambda lane: values[lane])
                yield Case(f"match.any.sync.{bits} {name} mask {mask:08x}", 70, "match",
                           f"{operand}match.any.sync.{bits} %o0, {register}, {mask:#x};", ins,
                           per_lane(mask, 1, lambda lane: [same[lane]]), mask, variant=0, flags=WIDE if wide else 0)
                every = all(same[lane] == mask for lane in members)
                yield Case(f"match.all.sync.{bits} {name} mask {mask:08x}", 70, "match",
                           f".reg .pred p; {operand}match.all.sync.{bits} %o0|p, {register}, {mask:#x}; "
                           "selp.b32 %o1, 1, 0, p;",
                           ins, per_lane(mask, 2, lambda lane: [mask if every else 0, int(every)]), mask, variant=1,
                           flags=WIDE if wide else 0)


def generate(folder):
    write(folder / "shuffle.txt", "shfl.sync", shuffles())
    write(folder / "vote.txt", "vote.sync", votes())
    write(folder / "reduce.txt", "redux.sync", [*integer_reductions(), *float_reductions()])
    write(folder / "elect.txt", "elect.sync", elections())
    write(folder / "match.txt", "match.sync", matches())
