# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Replays search strategies of others on a landscape; CSV to standard output. For search_peers, in its environment.

    replay.py LANDSCAPE.csv TIME_COLUMN SEEDS BUDGET,BUDGET,...
"""

import contextlib
import csv
import io
import json
import os
import random
import sys
import tempfile
import warnings

import kernel_tuner
import numpy as np
import optuna
import xgboost

NOT_PARAMETERS = {"compile_s"}
KERNEL_TUNER = ["genetic_algorithm", "pso", "simulated_annealing", "basinhopping"]
BATCH = 8  # of the boosted trees


class Landscape:
    def __init__(self, path, time_column):
        with open(path, newline="", encoding="utf-8") as file:
            rows = list(csv.DictReader(file))
        self.name = os.path.basename(path).removesuffix(".csv")
        columns = [name for name in rows[0] if name != time_column and name not in NOT_PARAMETERS]
        self.names = [name for name in columns if len({row[name] for row in rows}) > 1]
        self.points = [tuple(int(row[name]) for name in self.names) for row in rows]
        failures = {row[time_column] for row in rows if row[time_column].isidentifier()}
        if failures:
            sys.exit(f"{path}: some schedules did not run ({', '.join(sorted(failures))}): peers are compared where all did")
        self.times = np.array([float(row[time_column]) for row in rows])
        self.index = {point: i for i, point in enumerate(self.points)}
        self.axes = [sorted(set(column)) for column in zip(*self.points)]

    def curve(self, order, budget):
        """The best of the landscape by the best found, after each trial; `order` may end early or repeat itself."""
        distinct = list(dict.fromkeys(order))[:budget]
        found = np.minimum.accumulate(self.times[distinct])
        return self.times.min() / np.pad(found, (0, budget - len(found)), mode="edge")


def tpe(landscape, budget, seed):
    """Of the valid schedules only: one that is not valid is pruned, and costs no trial."""
    study = optuna.create_study(sampler=optuna.samplers.TPESampler(seed=seed, multivariate=True, n_startup_trials=10))
    order = []
    for _ in range(40 * budget):
        trial = study.ask()
        point = tuple(trial.suggest_categorical(name, axis) for name, axis in zip(landscape.names, landscape.axes))
        number = landscape.index.get(point)
        if number is None:
            study.tell(trial, state=optuna.trial.TrialState.PRUNED)
            continue
        study.tell(trial, float(np.log(landscape.times[number])))
        order.append(number)
        if len(set(order)) >= budget:
            break
    return order


def kernel_tuner_cache(landscape, folder):
    """What its simulation mode reads."""
    cache = {}
    for point, time in zip(landscape.points, landscape.times):
        row = dict(zip(landscape.names, point))
        row.update(time=float(time), times=[float(time)], compile_time=0.0, verification_time=0.0, benchmark_time=0.0,
                   strategy_time=0.0, framework_time=0.0, timestamp="2026-01-01T00:00:00+00:00")
        cache[",".join(map(str, point))] = row
    path = os.path.join(folder, "cache.json")
    with open(path, "w", encoding="utf-8") as file:
        json.dump({"device_name": "recorded", "kernel_name": "gemm", "problem_size": 1,
                   "tune_params_keys": landscape.names, "tune_params": dict(zip(landscape.names, landscape.axes)),
                   "objective": "time", "cache": cache}, file)
    return path


def kernel_tuner_order(landscape, cache, strategy, budget, seed):
    random.seed(seed)
    np.random.seed(seed)
    valid = landscape.index

    def is_valid(row):
        return tuple(row[name] for name in landscape.names) in valid

    with contextlib.redirect_stdout(io.StringIO()):
        results, _ = kernel_tuner.tune_kernel(
            "gemm", "__global__ void gemm() {}", 1, [], dict(zip(landscape.names, landscape.axes)),
            restrictions=is_valid, strategy=strategy,
            strategy_options={"max_fevals": budget}, cache=cache, simulation_mode=True, quiet=True)
    return [valid[tuple(int(row[name]) for name in landscape.names)] for row in results]


def trees_and_evolution(landscape, budget, seed):
    """As MetaSchedule: a cost model of what was measured ranks the children of the best; a twentieth is random."""
    draw = np.random.default_rng(seed)
    features = np.log2(1 + np.array(landscape.points, dtype=float))
    order = list(draw.choice(len(landscape.points), BATCH, replace=False))

    def child(number):
        point = list(landscape.points[number])
        for _ in range(50):
            changed = list(point)
            axis = draw.integers(len(changed))
            changed[axis] = draw.choice(landscape.axes[axis])
            found = landscape.index.get(tuple(int(value) for value in changed))
            if found is not None:
                return found
        return number

    while len(order) < budget:
        model = xgboost.XGBRegressor(n_estimators=100, max_depth=6, learning_rate=0.1, n_jobs=1, random_state=seed)
        model.fit(features[order], -np.log(landscape.times[order]))
        seen = set(order)
        pool = [int(i) for i in draw.integers(len(landscape.points), size=512)] + order
        for _ in range(4):
            scores = model.predict(features[pool])
            best = [pool[i] for i in np.argsort(-scores)[:128]]
            pool = list(dict.fromkeys(best + [child(number) for number in best for _ in range(3)]))
        scores = model.predict(features[pool])
        ranked = [pool[i] for i in np.argsort(-scores) if pool[i] not in seen]
        fresh = ranked[:BATCH - 1]
        fresh.append(int(draw.integers(len(landscape.points))))
        order += fresh
    return order


def main():
    path, time_column, seeds, budgets = sys.argv[1:]
    budgets = sorted(map(int, budgets.split(",")))
    most = budgets[-1]
    warnings.simplefilter("ignore")
    optuna.logging.set_verbosity(optuna.logging.ERROR)
    landscape = Landscape(path, time_column)
    with tempfile.TemporaryDirectory(prefix="mmtune-peers-") as folder:
        cache = kernel_tuner_cache(landscape, folder)
        strategies = {"Optuna TPE": tpe, "XGBoost + evolution": trees_and_evolution}
        for name in KERNEL_TUNER:
            strategies[f"Kernel Tuner {name}"] = (
                lambda land, budget, seed, name=name: kernel_tuner_order(land, cache, name, budget, seed))
        out = csv.writer(sys.stdout, lineterminator="\n")
        out.writerow(["landscape", "strategy", "trials", "median", "p10"])
        for name, order in strategies.items():
            curves = np.array([landscape.curve(order(landscape, most, seed), most) for seed in range(int(seeds))])
            for budget in budgets:
                reached = curves[:, budget - 1]
                out.writerow([landscape.name, name, budget, np.median(reached), np.quantile(reached, 0.1)])


if __name__ == "__main__":
    main()
