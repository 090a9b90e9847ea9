# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The steps, the most valuable first."""

from dataclasses import dataclass
from typing import Callable

from suite import hopper, kernels, landscapes, owed, tuning


LEAST_SECONDS_OF_SMALL = 5


@dataclass
class Step:
    name: str
    function: Callable  # of a Session; raises Skip or Failed
    shows: str
    owed: tuple = ()  # numbers of OWED.md
    limit: float = 60  # seconds
    simt_limit: float = 60
    least_seconds: float = 5  # with less left it is not begun, and steps that could take all leave so much to it
    needs_cuda: bool = False
    needs_device: bool = True
    takes_the_rest: bool = False

    def least(self, session):
        """Returns the seconds without which it is not begun; small sizes need few."""
        return min(self.least_seconds, LEAST_SECONDS_OF_SMALL) if session.small else self.least_seconds

    def seconds(self, session):
        """The time it may take."""
        limit = self.simt_limit if not session.cuda else self.limit
        behind = sum(step.least(session) for step in session.pending if session.cuda or not step.needs_cuda)
        left = max(self.least(session), session.time_left() - behind)
        return left if self.takes_the_rest and session.cuda else min(limit, left)


STEPS = [
    Step("facts", kernels.facts, "What the device, its driver and its toolkit are", limit=25, needs_device=False),
    Step("conformance", kernels.conformance, "The device does what every device of ours does", (1,), limit=50, least_seconds=20),
    Step("golden", kernels.golden, "Operations of a GPU give what the golden vectors say", (8, 13), limit=40, least_seconds=15,
         needs_cuda=True),
    Step("clusters", kernels.clusters, "Blocks of a cluster read one another's shared memory", (8,), limit=15,
         needs_cuda=True),
    Step("hopper_ops", hopper.hopper_ops, "Clusters of 2 and 4, multicast, remote arrivals, and one schedule of `wgmma` of each "
         "type and number of warpgroups are right", (8, 22), limit=35, least_seconds=15, needs_cuda=True),
    Step("tune", tuning.tune, "A table of schedules for 1024x1024x1024, each verified, none wrong", (2,), limit=70),
    Step("correctness", tuning.correctness, "Random schedules over divisible and ragged shapes are right", (3,),
         limit=75, simt_limit=80, least_seconds=30),
    Step("types", owed.types, "Tensor cores: matmuls of f16, bf16, tf32, tf32x3, bf16x6, s8 and f64 are right, and how fast beside "
         "cuBLAS", (20,), limit=75, simt_limit=100, least_seconds=30),
    Step("wgmma", hopper.wgmma, "Random schedules of `wgmma` over types, layouts and ragged shapes are right", (22,), limit=65,
         least_seconds=25, needs_cuda=True),
    Step("faults", kernels.faults, "Kernels that poison the context or never end are convicted, and the next result is "
         "as good as the one before", (7,), limit=70, simt_limit=80, least_seconds=25),
    Step("timing", kernels.timing, "A schedule measured 20 times ties with itself", (9,), limit=40),
    Step("ties", kernels.ties, "A schedule compared with itself, as finalists are, comes out as tied", (9,), limit=75,
         simt_limit=40),
    Step("cublas", tuning.cublas, "How fast cuBLAS and cuBLASLt are", (14, 16), limit=40, least_seconds=15, needs_cuda=True),
    Step("shapes", tuning.shapes, "The best schedules of several problems, beside cuBLAS, cuBLASLt and Triton", (14,),
         limit=100, least_seconds=55),
    Step("tensor_cores", tuning.tensor_cores, "The best schedules of bf16, f16, tf32, s8 and tf32x3, beside cuBLAS, cuBLASLt "
         "and Triton", (14, 20), limit=80, least_seconds=45),
    Step("wgmma_shapes", hopper.wgmma_shapes, "Schedules of `wgmma`, fixed and tuned, beside cuBLAS and cuBLASLt", (22,), limit=130,
         least_seconds=75, needs_cuda=True),
    Step("ladder", tuning.ladder, "The rungs of f32 and of bf16, from naive to tuned, side by side", (4, 22), limit=45, least_seconds=20),
    Step("landscapes", landscapes.landscapes, "Many random schedules of a few problems, as records to search in",
         least_seconds=30, takes_the_rest=True),
    Step("verify", tuning.verify, "The best schedules are verified", limit=40, least_seconds=12),
    Step("driver_assembly", owed.driver_assembly, "Without ptxas, the driver assembles", (2,), limit=25,
         needs_cuda=True),
    Step("architectures", owed.architectures, "Code for each architecture that the device runs is accepted", (6,),
         limit=40, simt_limit=60, least_seconds=20),
    Step("variants", owed.variants, "Batches, a transposed B and epilogues are right, and models that are not tuned",
         (12,), limit=40, least_seconds=10),
    Step("library", owed.compiled_model, "A compiled library is loaded and called", (10,), limit=40, least_seconds=15),
    Step("streams", owed.streams, "Several streams beside one", (11,), limit=25, least_seconds=8, needs_cuda=True),
    Step("two_workers", owed.two_workers, "Two workers share the device", (9,), limit=25, simt_limit=40),
    Step("compile_ahead", owed.compile_ahead, "What compiling ahead gains in 16 trials, and what its waits cost", (21,), limit=60,
         least_seconds=35, needs_cuda=True),
]


@dataclass
class Set:
    """Steps that one command runs, within a time that leaves a short lease of a GPU some."""
    seconds: float  # with unpacking and packing
    steps: tuple


SETS = {
    "correct": Set(290, ("facts", "conformance", "golden", "clusters", "hopper_ops", "types", "correctness", "wgmma", "faults",
                         "library", "architectures")),
    "fast": Set(390, ("facts", "cublas", "wgmma_shapes", "shapes", "tensor_cores", "ladder", "compile_ahead", "landscapes")),
}
WHOLE_SECONDS = 530


def choose(text):
    """Returns the steps that `--only` names, by name or by set, in the order of the sets, and the seconds they get. KeyError
    has a name that is none. The facts are always taken."""
    by_name = {step.name: step for step in STEPS}
    if not text:
        return STEPS, WHOLE_SECONDS
    names = ["facts"]
    for name in filter(None, text.split(",")):
        names += SETS[name].steps if name in SETS else [by_name[name].name]
    seconds = SETS[text].seconds if text in SETS else WHOLE_SECONDS
    return [by_name[name] for name in dict.fromkeys(names)], seconds
