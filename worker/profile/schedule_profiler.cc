// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "worker/profile/schedule_profiler.h"

#include <algorithm>
#include <map>
#include <tuple>
#include <utility>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "kernels/families/common/registry.h"
#include "kernels/perf_model/profile/kernel_bounds.h"
#include "kernels/perf_model/profile/loop_facts.h"
#include "kernels/perf_model/profile/profile_sizes.h"
#include "kernels/perf_model/time_model.h"
#include "kernels/simulator/simt_device.h"
#include "proto/base/status.h"
#include "worker/measure/guarded_buffers.h"
#include "worker/measure/operand_sets.h"

namespace mmtune {
namespace {

using simt::PointCounters;
using simt::PointKind;

constexpr uint64_t kOperandSeed = 6700417;

const char* KindText(PointKind kind) {
  constexpr const char* kTexts[] = {"shared load",  "shared store",  "shared atomic", "global load",
                                    "global store", "global atomic", "barrier",       "branch"};
  return kTexts[static_cast<size_t>(kind)];
}

/// One run in profile mode; what the product's kernel did.
absl::StatusOr<std::vector<PointCounters>> Count(Compiler* compiler, const MatmulProblem& problem,
                                                 const Schedule& schedule, const DeviceInfo& target) {
  ASSIGN_OR_RETURN(std::unique_ptr<Device> device,
                   simt::SimtDevice::Create({.arch = target.arch, .threads = 1, .profile = true}));
  CompileTarget code;
  code.device = device->info();
  code.device.multiprocessors = target.multiprocessors;  // Rules depend on their number.
  code.race_detection = code.profile = true;
  ASSIGN_OR_RETURN(const CompiledKernel kernel, compiler->Compile(problem, schedule, code));
  ASSIGN_OR_RETURN(std::unique_ptr<DeviceModule> module, device->LoadModule(kernel.format, kernel.image));
  ASSIGN_OR_RETURN(std::unique_ptr<GuardedBuffers> buffers,
                   GuardedBuffers::Create(device.get(), problem, kernel.plan.workspace_bytes, /*zone_bytes=*/0));
  RETURN_IF_ERROR(buffers->Upload(RandomOperandStream(problem, kOperandSeed)));
  ASSIGN_OR_RETURN(EnqueueRun enqueue, BindPlan(device.get(), module.get(), kernel.plan, buffers->memories()));
  RETURN_IF_ERROR(enqueue(0));
  RETURN_IF_ERROR(device->Synchronize(0));
  const std::string product = MainKernel(kernel.plan);
  for (auto& launch : static_cast<simt::SimtDevice&>(*device).TakeCounters()) {
    if (launch.kernel == product) return std::move(launch.points);
  }
  return Internal(absl::StrCat("the simulator counted nothing for the kernel ", product));
}

/// The counters at the size of the problem.
absl::StatusOr<ProfiledCounters> CountAll(Compiler* compiler, const ProfileRequest& request) {
  ASSIGN_OR_RETURN(const CountingPlan plan, PlanCounting(request.problem, request.schedule));
  ProfiledCounters counters;
  counters.whole_tiles = plan.whole_tiles;
  std::map<std::tuple<PointKind, std::string, std::string, uint32_t>, size_t> known;
  for (const ProfileSize& size : plan.sizes) {
    ASSIGN_OR_RETURN(const std::vector<PointCounters> points,
                     Count(compiler, size.problem, plan.schedule, request.device));
    counters.run.push_back(size.problem.ShapeText());
    for (const PointCounters& counted : points) {
      const auto [at, is_new] = known.try_emplace(
          {counted.kind, counted.operation, counted.location, counted.lane_bytes}, counters.points.size());
      if (is_new) counters.points.emplace_back();
      ProfiledPoint& point = counters.points[at->second];
      point.kind = KindText(counted.kind);
      point.operation = counted.operation;
      point.location = counted.location;
      point.lane_bytes = counted.lane_bytes;
      auto add = [&](double& sum, uint64_t count) { sum += size.weight * static_cast<double>(count); };
      add(point.executions, counted.executions);
      add(point.bytes, counted.bytes);
      add(point.units, counted.units);
      add(point.ideal, counted.ideal);
      add(point.merged, counted.merged);
      add(point.divergent, counted.divergent);
    }
  }
  counters.extrapolated = plan.sizes.size() > 1 || plan.sizes.front().problem != request.problem;
  return counters;
}

ModelledLoop ModelOf(const ModelledRate& rate, const LoopLimits& limits) {
  ModelledLoop model;
  model.share = rate.share;
  model.lowest = rate.lowest;
  model.highest = rate.highest;
  model.issue_limit = limits.issue;
  model.alu_limit = limits.alu;
  model.shared_limit = limits.shared;
  model.issued = rate.issued;
  for (size_t i = 0; i < kIdleReasons; ++i) {
    if (rate.idle[i] > 0) model.idle.push_back({std::string(IdleReasonName(static_cast<IdleReason>(i))), rate.idle[i]});
  }
  std::ranges::stable_sort(model.idle, std::greater(), &NamedShare::share);
  return model;
}

CountedWork WorkOf(const std::optional<ProfiledCounters>& counters) {
  CountedWork work;
  if (!counters) return work;
  for (const ProfiledPoint& point : counters->points) {
    if (absl::StartsWith(point.kind, "global")) work.sectors += point.units;
    if (point.kind == KindText(PointKind::kSharedLoad)) work.wavefronts += point.merged;
    if (point.kind == KindText(PointKind::kSharedStore)) work.wavefronts += point.units;
  }
  return work;
}

}  // namespace

absl::StatusOr<KernelProfile> ProfileSchedule(Compiler* compiler, const ProfileRequest& request) {
  DeviceInfo device = request.device;
  RETURN_IF_ERROR(ValidateSchedule(request.problem, request.schedule, device));
  device.kind = DeviceKind::kCuda;
  if (device.multiprocessors <= 0) device.multiprocessors = static_cast<int64_t>(RatesOf(device).multiprocessors);
  ASSIGN_OR_RETURN(ScheduleGeometry geometry, DescribeSchedule(request.problem, request.schedule));
  CompileTarget target;
  target.device = device;
  ASSIGN_OR_RETURN(const CompiledKernel kernel, compiler->Compile(request.problem, request.schedule, target));

  KernelProfile profile;
  profile.arch = device.arch;
  profile.kernel = MainKernel(kernel.plan);
  profile.warnings = kernel.warnings;
  auto lacks = [&](const char* part, const absl::Status& status) {
    profile.missing.push_back(absl::StrCat(part, ": ", status.message()));
  };
  const bool assembled = kernel.format == ImageFormat::kCubin && kernel.resources.registers >= 0;
  if (assembled) {
    geometry.registers = kernel.resources.registers;
    geometry.sharedBytes = kernel.resources.shared_bytes;
    geometry.minBlocks = 1;
  }
  profile.occupancy = OccupancyOf(geometry, device);
  profile.occupancy.registers_estimated = !assembled;
  profile.occupancy.spill_bytes = kernel.resources.spill_bytes;

  absl::StatusOr<ProfiledCounters> counters = CountAll(compiler, request);
  counters.ok() ? void(profile.counters = *std::move(counters)) : lacks("counters", counters.status());

  LoopLimits limits;
  PeakFractionOfBlocks share;
  const SchedulerRates rates = RatesOfProblem(request.problem, device);
  absl::StatusOr<MainKernelCode> code =
      ReadMainKernelCode(kernel, device.arch, profile.counters ? &*profile.counters : nullptr);
  if (!code.ok()) {
    lacks("machine code", code.status());
  } else {
    profile.loop = FactsOf(*code->function, code->loop);
    profile.loop->wavefronts = SharedWavefronts(*code->function, code->loop, code->wavefronts);
    limits = LimitsOf(*profile.loop, rates);
    if (!profile.counters) profile.loop->wavefronts = 0;  // The model assumed them.
    auto modelled = [&](int64_t blocks) {
      return ModelResident(*code->function, code->loop, code->wavefronts, rates, blocks, geometry.warps());
    };
    const absl::StatusOr<ModelledRate> rate = modelled(profile.occupancy.resident_blocks);
    if (rate.ok()) {
      profile.model = ModelOf(*rate, limits);
      share = [modelled, resident = profile.occupancy.resident_blocks,
               full = rate->share](int64_t blocks) -> absl::StatusOr<double> {
        if (blocks == resident) return full;
        ASSIGN_OR_RETURN(const ModelledRate of_blocks, modelled(blocks));
        return of_blocks.share;
      };
    } else {
      lacks("model", rate.status());
    }
  }
  ASSIGN_OR_RETURN(profile.bounds,
                   BoundsOf(request.problem, geometry, device, WorkOf(profile.counters), limits, share));
  return profile;
}

}  // namespace mmtune
