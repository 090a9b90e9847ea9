# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Steps of compute capability 9.0: clusters, tensor copies, and the family `wgmma`."""

import statistics

from suite import kernels, records, references, tuning
from suite.session import Failed, Skip

HOPPER = "sm_90"
CLIENTS = 6
QUICK = ["--no-verification", "--no-skip", "--measure-seconds", "0.02", "--finalists", 0]

# What one of each type takes, and the bytes of its element.
TYPES = [(["bf16"], 2), (["f16", "--transpose-a"], 2), (["bf16", "--transpose-b", "--out", "f32", "--epilogue", "bias,add"], 2),
         (["tf32", "--transpose-b"], 4), (["s8", "--transpose-b"], 1)]
# One, two and three consumers: blocks of 256, 384 and 512 threads, of which the last two use setmaxnreg.
CONSUMERS = (1, 2, 3)
CLUSTERS = [(1, 2), (2, 1), (2, 2), (1, 4), (4, 1)]

CHECKED = ["512x512x512", "256x384x128", "1024x64x256", "1000x1000x1000", "129x128x4096", "513x512x520", "96x160x224",
           "64x4096x512", "2000x200x72"]
TRIALS, SIMT_TRIALS = 8, 2

# Without tuning: schedules by the columns of their tiles, plain ones, and the best form that a problem has.
FIXED = ("wgmma consumers={consumers} mi=1 bn={bn} bk={bk} stages=4 cluster_m={cluster_m} cluster_n=1 in_flight=1 addend=0 raster=0 l2_promotion=2 hint_a=0 hint_b=0 "
         "blocks={blocks} split_k=1 reduction=0 mode=0 epi_columns={epi_columns} epi_buffers={epi_buffers} group_m={group_m}")
PLAIN = {"cluster_m": 1, "blocks": 0, "epi_columns": 0, "epi_buffers": 0, "group_m": 1}
COLUMNS = (128, 192, 256)
# Shape, options and share of the step's time, the most valuable first. What is behind when the time is out is left out.
BF16, F16, TF32 = ["--dtype", "bf16"], ["--dtype", "f16"], ["--dtype", "tf32", "--transpose-b"]
EPILOGUE = ["--epilogue", "bias,gelu"]
SHAPES = [("4096x4096x4096", BF16, 3), ("8192x8192x8192", BF16, 3), ("1024x1024x1024", BF16, 2), ("2048x2048x2048", BF16, 2),
          ("4096x4096x4096", TF32, 3), ("4096x4096x4096", F16, 2), ("4096x4096x1024", BF16, 2), ("4096x4096x16384", BF16, 2),
          ("16x16384x16384", BF16, 2), ("4096x2112x7168", BF16, 2), ("4096x4096x4096", [*BF16, *EPILOGUE], 2),
          ("8192x28672x8192", BF16, 3)]
SHAPES += [(shape, kind, 1) for shape in ("1024x1024x1024", "8192x8192x8192", "4096x2112x7168", "16x16384x16384", "2048x2048x2048",
                                          "4096x4096x1024", "4096x4096x16384", "8192x28672x8192") for kind in (F16, TF32)]
SHAPES += [("4096x4096x4096", [*kind, *EPILOGUE], 1) for kind in (F16, TF32)]
SMALL_SHAPES = [("64x96x192", BF16, 1)]
# Schedules that the SIMT device runs in little time.
SMALL = "wgmma consumers=1 mi=1 bn=32,64"
# What the two jobs of a shape take at least, and a time of the references.
LEAST_SECONDS_OF_A_SHAPE = 5.0
REFERENCE_SECONDS = 0.2


def expect_hopper(session):
    arch = session.document["facts"].get("arch", "")
    if arch != HOPPER:
        raise Skip(f"needs a device of compute capability 9.0, and this is {arch}")


def run_jobs(session, jobs):
    """Runs jobs of `tune matmul`; Failed unless all end well. Returns the records."""
    found, failures = records.matmuls(session, jobs, CLIENTS)
    if failures:
        raise Failed(f"{len(failures)} of {len(jobs)} jobs did not end well: "
                     f"{'; '.join(line.splitlines()[0] for line in failures)}", failures[0])
    return found


def one_schedule(options, element_bytes, consumers=1, cluster=(1, 1)):
    part = (f"wgmma consumers={consumers} mi=1 bk={128 // element_bytes} cluster_m={cluster[0]} cluster_n={cluster[1]} bn=32 stages=2 "
            "split_k=1 group_m=1 mode=0 epi_columns=0 epi_buffers=0 blocks=0 in_flight=1 addend=0 raster=0 l2_promotion=2 hint_a=0 hint_b=0")
    return ["--dtype", *options, "--only", part, "--strategy", "random", "--trials", 1, *QUICK]


def hopper_ops(session):
    """Clusters of 2 and 4 blocks, the blocks of each number of consumers, each type: exact."""
    expect_hopper(session)
    kernels.gtest(session, "gpu_road_test", "ClusterLaunchTest.*")
    active = {row["cluster"]: row["active"] for row in session.printed() if "cluster" in row}
    session.result(active_clusters=active)
    session.fact(f"active clusters: {', '.join(f'{count} of {blocks} blocks' for blocks, count in active.items())}")
    types, consumers, clusters = (TYPES[-1:], CONSUMERS[:2], CLUSTERS[:1]) if session.small else (TYPES, CONSUMERS, CLUSTERS)
    jobs = [("192x128x128", *one_schedule(options, element_bytes)) for options, element_bytes in types]
    jobs += [("192x128x128", *one_schedule(["bf16"], 2, consumers=count)) for count in consumers]
    jobs += [("192x96x128" if session.small else "320x160x128", *one_schedule(["bf16"], 2, cluster=cluster)) for cluster in clusters]
    found = run_jobs(session, jobs)
    session.fact(f"{len(types)} types and layouts; blocks of {', '.join(str(128 * (count + 1)) for count in consumers)} threads; "
                 f"clusters of {', '.join(f'{m}x{n}' for m, n in clusters)}")
    records.expect_good(session, found)
    if records.outcomes(found)["ok"] < len(jobs):
        raise Failed(f"{records.outcomes(found)['ok']} of {len(jobs)} schedules ran: {records.text(records.outcomes(found))}")


def has_aligned_rows(shape, options, element_bytes):
    """True if rows of A and B are multiples of 16 bytes. Else the family has no schedule."""
    m, n, k = map(int, shape.split("x"))
    rows = (m if "--transpose-a" in options else k, k if "--transpose-b" in options else n)
    return all(row * element_bytes % 16 == 0 for row in rows)


def wgmma(session):
    """Random schedules over types, layouts and ragged shapes."""
    expect_hopper(session)
    shapes, trials, part = (["64x64x64"], SIMT_TRIALS, SMALL) if session.small else (CHECKED, TRIALS, "wgmma")
    jobs = [(shape, "--dtype", *options, "--only", part, "--strategy", "random", "--seed", seed, "--trials", trials, *QUICK)
            for seed, shape in enumerate(shapes) for options, element_bytes in (TYPES[:1] if session.small else TYPES)
            if has_aligned_rows(shape, options, element_bytes)]
    found = run_jobs(session, jobs)
    checked = {(references.key(record["problem"]), records.schedule(record)) for record in found
               if record["measurement"]["check"]["performed"]}
    wanted = len(jobs) * SIMT_TRIALS if session.small else 300
    session.fact(f"{len(checked)} schedules x problems were checked (wanted: {wanted}), over {len(jobs)} problems")
    session.result(checked=len(checked), wanted=wanted)
    records.expect_good(session, found)
    if len(checked) < wanted:
        raise Failed(f"only {len(checked)} of {wanted} schedules were checked")


def best_form(shape, multiprocessors):
    """Returns what the fastest fixed schedules of a shape have: clusters of 2x1, a persistent block for each multiprocessor,
    stores by tensor copies, groups of 8 rows of clusters. What its tiles are too few for is left out."""
    m, n, _ = map(int, shape.split("x"))
    rows = -(-m // 128)
    cluster = 2 if rows > 1 else 1
    tiles = rows * -(-n // max(COLUMNS))
    return {"cluster_m": cluster, "blocks": multiprocessors if tiles > multiprocessors else 0, "epi_columns": 32, "epi_buffers": 2,
            "group_m": 8 if rows // cluster >= 8 else 1}


def ways_of(session, shape, options, seconds):
    """Returns the three jobs of a shape, by name."""
    sizes = {"consumers": 2, "bn": ",".join(map(str, COLUMNS)), "bk": 32 if "tf32" in options else 64}
    best, count = best_form(shape, int(session.document["facts"]["multiprocessors"])), len(COLUMNS)
    if session.small:
        sizes.update(consumers=1, bn="32")
        best.update(epi_buffers=1)
        count = 1
    fixed = {name: ["--only", FIXED.format(**sizes, **form), "--strategy", "exhaustive", "--trials", count, *QUICK]
             for name, form in (("plain", PLAIN), ("best form", best))}
    tuned = ["--only", SMALL if session.small else "wgmma", "--no-verification", *tuning.small(session),
             *(["--trials", 2] if session.small else ["--seconds", f"{seconds / 2:.1f}"])]
    return {**fixed, "tuned": tuned}


def faster(ways, others):
    """Returns of each reference the run with the least median: one that failed once counts by the other."""
    return {way: min((row for row in (ways.get(way), others.get(way)) if row), key=lambda row: row.get("median_ns", float("inf")))
            for way in {**ways, **others}}


def wgmma_shapes(session):
    """Fixed schedules, the references, a short tuning, and the references again."""
    expect_hopper(session)
    wanted = SMALL_SHAPES if session.small else SHAPES
    shares, rows, found, beside, problems, whys, clocks, speeds = \
        sum(share for *_, share in wanted), [], [], {}, [], [], [], []
    for shape, options, share in wanted:
        name, left = f"{shape} {' '.join(options)}", session.remaining()
        if left < LEAST_SECONDS_OF_A_SHAPE:
            session.fact(f"{name}: no time was left")
            continue
        seconds = max(LEAST_SECONDS_OF_A_SHAPE, left * share / shares)
        shares -= share
        for way, chosen in ways_of(session, shape, options, seconds).items():
            try:
                _, new = records.matmul(session, shape, session.log, *options, *chosen, seconds=seconds)
            except Failed as failure:
                problems.append(f"{name}, {way}: {failure}")
                session.step["output"] += failure.output + "\n"
                continue
            found += new
            record = records.best(new)
            if record is None:
                session.fact(f"{name}, {way}: no new record")
                continue
            rows.append((f"{name}, {way}", record))
            clocks.append([f"{name}, {way}", "ours", clock_text(records.sm_clock(record))])
            if session.cuda and way != "plain":
                times, why = references.time_cublas(session, [record["problem"]], REFERENCE_SECONDS, records.schedule(record))
                for problem, ways in times.items():
                    clocks += [[f"{name}, {way}", row["way"], clock_text(row.get("sm_clock_mhz", -1))] for row in ways.values()]
                    clocks += [[f"{name}, {way}", f"ours beside {row['way']}", clock_text(row["ours"]["sm_clock_mhz"])]
                               for row in ways.values() if "ours" in row]
                    speeds.append((name, way, record["problem"], {row["way"]: row["ours"]["speed"] for row in ways.values() if "ours" in row}))
                    beside[problem] = faster(ways, beside.get(problem, {}))
                problems += [f"wrong: {line}" for line in references.wrong(times)]
                whys.append(why)
    tuning.tell(session, rows, beside)
    tell_ratios(session, speeds)
    session.result(sm_clocks=[dict(zip(("after", "way", "mhz"), row)) for row in clocks])
    session.table(["timed after", "way", "SM clock [MHz]"], clocks)
    for why in dict.fromkeys(filter(None, whys)):
        session.fact(f"not beside: {why}")
    if problems:
        raise Failed("; ".join(problems), session.step["output"])
    records.expect_good(session, found)


def clock_text(mhz):
    return str(mhz) if mhz >= 0 else "unknown"


def tell_ratios(session, speeds):
    """Tells how fast ours is beside each reference, both timed alternately, and for each type the geometric mean of our
    best over the fastest reference."""
    names = [way for way in references.WAYS if way != "Triton"]
    session.result(beside=[{"problem": name, "way": way, **found} for name, way, _, found in speeds])
    session.table(["problem", "schedule", *(f"ours / {reference}" for reference in names)],
                  [[name, way, *(f"{found[reference]:.3f}" if reference in found else "absent" for reference in names)]
                   for name, way, _, found in speeds])
    best = {}
    for name, _, problem, found in speeds:
        if found:
            ratio, kind = min(found.values()), problem.get("math", problem["dtype"])
            best[name] = max(best.get(name, (0, kind)), (ratio, kind))
    for kind in dict.fromkeys(kind for _, kind in best.values()):
        values = [ratio for ratio, of in best.values() if of == kind]
        mean = statistics.geometric_mean(values)
        session.result(**{f"ratio of {kind}": mean})
        session.fact(f"{kind}: {mean:.3f} of the fastest reference, geometric mean of {len(values)} problems (wanted: 1)")
