#include "worker/kernel_timer.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "absl/strings/str_cat.h"
#include "proto/base/log.h"
#include "proto/base/status.h"
#include "worker/sample_statistics.h"

namespace mmtune {
namespace {

constexpr int kMaxWarmUps = 8;
constexpr double kWarmUpAgreement = 0.05;
/// Of the budget: a warm-up that takes no more is made again, as what was warm before may not be now.
constexpr double kCheapWarmUp = 0.02;
constexpr int kMaxBatch = 10'000;
constexpr size_t kCheapSamples = 5;
constexpr size_t kSamplesToConclude = 10;

void LogIfFailed(const absl::Status& status, std::string_view what) {
  if (!status.ok()) LogError("device_release_failed", {{"what", what}, {"error", ToStd(status.message())}});
}

}  // namespace

absl::StatusOr<std::unique_ptr<KernelTimer>> KernelTimer::Create(Device* device, DeviceModule* module,
                                                                 const LaunchPlan& plan, const MatmulProblem& problem,
                                                                 const HostOperands& operands) {
  std::unique_ptr<KernelTimer> timer(new KernelTimer(device, operands));
  ASSIGN_OR_RETURN(timer->buffers_, GuardedBuffers::Create(device, problem, plan, GuardedBuffers::kZoneBytes));
  RETURN_IF_ERROR(timer->buffers_->Upload(operands));
  ASSIGN_OR_RETURN(BoundPlan bound, BoundPlan::Bind(device, module, plan, timer->buffers_->memories()));
  timer->plan_ = std::make_unique<BoundPlan>(std::move(bound));
  ASSIGN_OR_RETURN(timer->stream_, device->CreateStream());
  ASSIGN_OR_RETURN(timer->start_, device->CreateEvent());
  ASSIGN_OR_RETURN(timer->end_, device->CreateEvent());
  return timer;
}

KernelTimer::~KernelTimer() {
  if (start_ != 0) LogIfFailed(device_->DestroyEvent(start_), "event");
  if (end_ != 0) LogIfFailed(device_->DestroyEvent(end_), "event");
  if (stream_ != 0) LogIfFailed(device_->DestroyStream(stream_), "stream");
}

absl::StatusOr<double> KernelTimer::TimeBatch(int runs) {
  RETURN_IF_ERROR(device_->RecordEvent(start_, stream_));
  for (int i = 0; i < runs; ++i) RETURN_IF_ERROR(plan_->Enqueue(stream_));
  RETURN_IF_ERROR(device_->RecordEvent(end_, stream_));
  RETURN_IF_ERROR(device_->SynchronizeEvent(end_));
  ASSIGN_OR_RETURN(double elapsed_ns, device_->ElapsedNs(start_, end_));
  // An event can be coarser than the shortest kernel.
  return std::max(elapsed_ns, 1.0) / runs;
}

absl::Status KernelTimer::TimeWarmUp() {
  ASSIGN_OR_RETURN(double now, TimeBatch(1));
  warm_ = run_ns_ > 0 && std::fabs(now - run_ns_) <= kWarmUpAgreement * now;
  run_ns_ = now;
  spent_ns_ += now;
  return absl::OkStatus();
}

absl::Status KernelTimer::WarmUpOnce() {
  RETURN_IF_ERROR(buffers_->Poison());
  return TimeWarmUp();
}

absl::StatusOr<bool> KernelTimer::WarmUp(double budget_ns) {
  if (2 * run_ns_ <= kCheapWarmUp * budget_ns) {
    run_ns_ = spent_ns_ = 0;
    warm_ = false;
  }
  if (run_ns_ == 0) RETURN_IF_ERROR(buffers_->Poison());
  int runs = 0;
  while (!warm_ && runs < kMaxWarmUps && (run_ns_ == 0 || spent_ns_ + run_ns_ < budget_ns / 4)) {
    RETURN_IF_ERROR(TimeWarmUp());
    ++runs;
  }
  return runs > 0;
}

absl::StatusOr<std::vector<double>> KernelTimer::TakeSamples(double budget_ns, const TimingOptions& options) {
  const int batch = static_cast<int>(std::clamp(std::ceil(options.batch_ns / run_ns_), 1.0, double{kMaxBatch}));
  const size_t least = kCheapSamples * run_ns_ * batch <= budget_ns ? kCheapSamples : 1;
  const TimePoint start = options.clock->Now();
  std::vector<double> samples;
  while (samples.size() < options.max_samples) {
    ASSIGN_OR_RETURN(double sample, TimeBatch(batch));
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

absl::StatusOr<Timing> KernelTimer::Time(const TimingOptions& options) {
  const double default_budget = device_->info().kind == DeviceKind::kCuda ? 0.3 : 0.5;
  const double budget_ns = 1e9 * (options.budget_seconds > 0 ? options.budget_seconds : default_budget);

  std::vector<double> samples;
  ASSIGN_OR_RETURN(bool just_run, WarmUp(budget_ns));
  if (just_run && run_ns_ >= budget_ns) {
    samples.push_back(run_ns_);  // the check has run it before: as warm as it gets
  } else {
    ASSIGN_OR_RETURN(samples, TakeSamples(budget_ns, options));
  }
  ASSIGN_OR_RETURN(std::string damage, Damage());
  if (!damage.empty()) return absl::DataLossError(damage);

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
