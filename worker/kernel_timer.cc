#include "worker/kernel_timer.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <utility>

#include "absl/strings/str_cat.h"
#include "proto/base/log.h"
#include "proto/base/status.h"
#include "worker/random_operands.h"
#include "worker/sample_statistics.h"

namespace mmtune {
namespace {

constexpr uint32_t kNaNBits = 0x7fc00000;
constexpr uint64_t kOperandSeed = 20240521;
constexpr int kMaxWarmUps = 8;
constexpr double kWarmUpAgreement = 0.05;
constexpr int kMaxBatch = 10'000;
constexpr size_t kVerifyElements = size_t{1} << 22;  // read back at a time
constexpr size_t kCheapSamples = 5;
constexpr size_t kSamplesToConclude = 10;

constexpr PlanBuffer kInputs[] = {PlanBuffer::kA, PlanBuffer::kB, PlanBuffer::kBias, PlanBuffer::kAddend};

std::string_view InputName(PlanBuffer buffer) {
  switch (buffer) {
    case PlanBuffer::kA:
      return "A";
    case PlanBuffer::kB:
      return "B";
    case PlanBuffer::kBias:
      return "bias";
    default:
      return "addend";
  }
}

void LogIfFailed(const absl::Status& status, std::string_view what) {
  if (!status.ok()) LogError("device_release_failed", {{"what", what}, {"error", ToStd(status.message())}});
}

}  // namespace

absl::StatusOr<std::unique_ptr<KernelTimer>> KernelTimer::Create(Device* device, const MatmulProblem& problem) {
  std::unique_ptr<KernelTimer> timer(new KernelTimer(device));
  RETURN_IF_ERROR(timer->AllocateOperands(problem));
  ASSIGN_OR_RETURN(timer->stream_, device->CreateStream());
  ASSIGN_OR_RETURN(timer->start_, device->CreateEvent());
  ASSIGN_OR_RETURN(timer->end_, device->CreateEvent());
  return timer;
}

KernelTimer::~KernelTimer() {
  if (start_ != 0) LogIfFailed(device_->DestroyEvent(start_), "event");
  if (end_ != 0) LogIfFailed(device_->DestroyEvent(end_), "event");
  if (stream_ != 0) LogIfFailed(device_->DestroyStream(stream_), "stream");
  for (PlanMemory& memory : memories_.buffers) {
    if (memory.address != 0) LogIfFailed(device_->Free(memory.address), "memory");
  }
}

absl::Status KernelTimer::AllocateInput(PlanBuffer buffer, int64_t elements, RandomBits& random) {
  if (elements == 0) return absl::OkStatus();
  std::vector<float>& values = inputs_[static_cast<size_t>(buffer)];
  values.resize(static_cast<size_t>(elements));
  FillRandomNormal(values, random);
  PlanMemory& memory = memories_[buffer];
  memory.bytes = values.size() * sizeof(float);
  ASSIGN_OR_RETURN(memory.address, device_->Allocate(memory.bytes));
  return device_->CopyToDevice(memory.address, values.data(), memory.bytes);
}

absl::Status KernelTimer::AllocateOperands(const MatmulProblem& problem) {
  RandomBits random(kOperandSeed);
  RETURN_IF_ERROR(AllocateInput(PlanBuffer::kA, problem.ElementsA(), random));
  RETURN_IF_ERROR(AllocateInput(PlanBuffer::kB, problem.ElementsB(), random));
  RETURN_IF_ERROR(AllocateInput(PlanBuffer::kBias, problem.ElementsBias(), random));
  RETURN_IF_ERROR(AllocateInput(PlanBuffer::kAddend, problem.ElementsAddend(), random));
  const size_t c_elements = static_cast<size_t>(problem.ElementsC());
  PlanMemory& c = memories_[PlanBuffer::kC];
  c.bytes = c_elements * sizeof(float);
  ASSIGN_OR_RETURN(c.address, device_->Allocate(c.bytes));
  RETURN_IF_ERROR(device_->Fill32(c.address, kNaNBits, c_elements));
  return device_->Synchronize(0);
}

absl::Status KernelTimer::GrowWorkspace(size_t bytes) {
  PlanMemory& memory = memories_[PlanBuffer::kWorkspace];
  if (bytes > memory.bytes) {
    if (memory.address != 0) RETURN_IF_ERROR(device_->Free(std::exchange(memory.address, 0)));
    memory.bytes = 0;
    ASSIGN_OR_RETURN(memory.address, device_->Allocate(bytes));
  }
  memory.bytes = std::max(memory.bytes, bytes);
  return absl::OkStatus();
}

absl::StatusOr<double> KernelTimer::TimeBatch(BoundPlan& plan, int runs) {
  RETURN_IF_ERROR(device_->RecordEvent(start_, stream_));
  for (int i = 0; i < runs; ++i) RETURN_IF_ERROR(plan.Enqueue(stream_));
  RETURN_IF_ERROR(device_->RecordEvent(end_, stream_));
  RETURN_IF_ERROR(device_->SynchronizeEvent(end_));
  ASSIGN_OR_RETURN(double elapsed_ns, device_->ElapsedNs(start_, end_));
  // An event can be coarser than the shortest kernel.
  return std::max(elapsed_ns, 1.0) / runs;
}

absl::StatusOr<double> KernelTimer::WarmUp(BoundPlan& plan, double budget_ns) {
  ASSIGN_OR_RETURN(double last, TimeBatch(plan, 1));
  double spent = last;
  for (int i = 1; i < kMaxWarmUps && spent + last < budget_ns / 4; ++i) {
    ASSIGN_OR_RETURN(double next, TimeBatch(plan, 1));
    const bool agree = std::fabs(next - last) <= kWarmUpAgreement * next;
    spent += next;
    last = next;
    if (agree) break;
  }
  return last;
}

absl::StatusOr<std::vector<double>> KernelTimer::TakeSamples(BoundPlan& plan, double run_ns, double budget_ns,
                                                             const TimingOptions& options) {
  const int batch = static_cast<int>(std::clamp(std::ceil(options.batch_ns / run_ns), 1.0, double{kMaxBatch}));
  const size_t least = kCheapSamples * run_ns * batch <= budget_ns ? kCheapSamples : 1;
  const TimePoint start = options.clock->Now();
  std::vector<double> samples;
  while (samples.size() < options.max_samples) {
    ASSIGN_OR_RETURN(double sample, TimeBatch(plan, batch));
    samples.push_back(sample);
    const double spent_ns = std::chrono::duration<double, std::nano>(options.clock->Now() - start).count();
    if (spent_ns >= budget_ns && samples.size() >= least) break;
    if (options.incumbent_ns > 0 && samples.size() >= 2 &&
        *std::min_element(samples.begin(), samples.end()) > options.incumbent_factor * options.incumbent_ns) {
      break;
    }
    if (samples.size() >= kSamplesToConclude && MedianOf(samples).RelativeHalfWidth() < options.enough_half_width) {
      break;
    }
  }
  return samples;
}

absl::Status KernelTimer::VerifyInput(PlanBuffer buffer) {
  const std::vector<float>& original = inputs_[static_cast<size_t>(buffer)];
  const DevicePtr address = memories_[buffer].address;
  std::vector<float> now(std::min(original.size(), kVerifyElements));
  bool same = true;
  for (size_t at = 0; same && at < original.size(); at += now.size()) {
    const size_t bytes = std::min(now.size(), original.size() - at) * sizeof(float);
    RETURN_IF_ERROR(device_->CopyToHost(now.data(), address + at * sizeof(float), bytes, stream_));
    RETURN_IF_ERROR(device_->Synchronize(stream_));
    same = std::memcmp(now.data(), &original[at], bytes) == 0;
  }
  if (same) return absl::OkStatus();
  // What comes after must not be timed on broken operands.
  RETURN_IF_ERROR(device_->CopyToDevice(address, original.data(), original.size() * sizeof(float), stream_));
  RETURN_IF_ERROR(device_->Synchronize(stream_));
  return absl::DataLossError(absl::StrCat("the kernel wrote to its operand ", ToAbsl(InputName(buffer))));
}

int64_t KernelTimer::device_bytes() const {
  size_t bytes = 0;
  for (const PlanMemory& memory : memories_.buffers) bytes += memory.bytes;
  return static_cast<int64_t>(bytes);
}

absl::StatusOr<Timing> KernelTimer::Time(DeviceModule* module, const LaunchPlan& plan, const TimingOptions& options) {
  RETURN_IF_ERROR(GrowWorkspace(static_cast<size_t>(plan.workspace_bytes)));
  PlanMemories memories = memories_;
  // A plan that zeroes its workspace zeroes what it asked for, not what an earlier plan needed.
  memories[PlanBuffer::kWorkspace].bytes = static_cast<size_t>(plan.workspace_bytes);
  ASSIGN_OR_RETURN(BoundPlan bound, BoundPlan::Bind(device_, module, plan, memories));
  const double default_budget = device_->info().kind == DeviceKind::kCuda ? 0.3 : 0.5;
  const double budget_ns = 1e9 * (options.budget_seconds > 0 ? options.budget_seconds : default_budget);

  std::vector<double> samples;
  ASSIGN_OR_RETURN(double run_ns, WarmUp(bound, budget_ns));
  if (run_ns >= budget_ns) {
    samples.push_back(run_ns);  // the check has run it before: as warm as it gets
  } else {
    ASSIGN_OR_RETURN(samples, TakeSamples(bound, run_ns, budget_ns, options));
  }
  for (PlanBuffer buffer : kInputs) RETURN_IF_ERROR(VerifyInput(buffer));

  const MedianInterval median = MedianOf(samples);
  Timing timing;
  timing.samples_ns = std::move(samples);
  timing.median_ns = median.median;
  timing.low_ns = median.low;
  timing.high_ns = median.high;
  timing.regime = "warm";
  timing.clock = std::string(device_->clock_name());
  return timing;
}

}  // namespace mmtune
