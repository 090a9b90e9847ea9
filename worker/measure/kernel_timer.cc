// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "worker/measure/kernel_timer.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "proto/base/clock.h"
#include "proto/base/digest.h"
#include "proto/base/log.h"
#include "proto/base/status.h"
#include "worker/children/sample_statistics.h"

namespace mmtune {
namespace {

constexpr int kMaxWarmUps = 8;
constexpr double kWarmUpAgreement = 0.05;
/// A share of the budget: a warm-up that takes no more is repeated, as what was warm before may not be warm now.
constexpr double kCheapWarmUp = 0.02;
// Launches that are enqueued before the first begins: with three to a run, as many as a CUDA stream holds.
constexpr int kMaxBatch = 300;
constexpr size_t kCheapSamples = 5;
constexpr size_t kSamplesToConclude = 10;
constexpr size_t kSamplesOfAnInterval = 6;
/// Two samples slower than this many incumbents are enough; with an interval, one that begins above the other.
constexpr double kClearlySlower = 1.5, kSurelySlower = 1.03;
/// How often work is timed that began before all of it was enqueued, and the longest delay that is to prevent this.
constexpr int kTries = 6;
constexpr double kLongestDelayNs = 50e6;
/// A delay that was long enough for so many timings in a row is halved: what made it so long may be over.
constexpr int kShorterAfter = 16;
constexpr size_t kMinRounds = 5, kMaxRounds = 400;

bool SlowerThanIncumbent(const std::vector<double>& samples, double incumbent_ns) {
  if (incumbent_ns <= 0 || samples.size() < 2) return false;
  if (*std::min_element(samples.begin(), samples.end()) > kClearlySlower * incumbent_ns) return true;
  return samples.size() >= kSamplesOfAnInterval && MedianOf(samples).low > kSurelySlower * incumbent_ns;
}

/// Returns the time that the runs of a sample fill, so that the resolution of the clock (half a microsecond for events
/// of a GPU) does not matter.
double DefaultBatchNs(const Device& device) { return device.info().kind == DeviceKind::kCuda ? 500'000 : 20'000; }

void LogIfFailed(const absl::Status& status, std::string_view what) {
  if (!status.ok()) LogError("device_release_failed", {{"what", what}, {"error", ToStd(status.message())}});
}

}  // namespace

absl::StatusOr<std::unique_ptr<DelayedStream>> DelayedStream::Create(Device* device) {
  std::unique_ptr<DelayedStream> stream(new DelayedStream(device));
  ASSIGN_OR_RETURN(stream->stream_, device->CreateStream());
  ASSIGN_OR_RETURN(stream->start_, device->CreateEvent());
  ASSIGN_OR_RETURN(stream->end_, device->CreateEvent());
  return stream;
}

DelayedStream::~DelayedStream() {
  if (start_ != 0) LogIfFailed(device_->DestroyEvent(start_), "event");
  if (end_ != 0) LogIfFailed(device_->DestroyEvent(end_), "event");
  if (stream_ != 0) LogIfFailed(device_->DestroyStream(stream_), "stream");
}

absl::StatusOr<double> DelayedStream::Time(absl::FunctionRef<absl::Status(StreamHandle)> enqueue) {
  ++timings_;
  for (int attempt = 1;; ++attempt) {
    ASSIGN_OR_RETURN(const bool held, device_->Delay(delay_ns_, stream_));
    RETURN_IF_ERROR(device_->RecordEvent(start_, stream_));
    RETURN_IF_ERROR(enqueue(stream_));
    RETURN_IF_ERROR(device_->RecordEvent(end_, stream_));
    bool in_time = false;
    if (held) {
      ASSIGN_OR_RETURN(const bool begun, device_->EventReached(start_));
      in_time = !begun;
    }
    RETURN_IF_ERROR(device_->SynchronizeEvent(end_));
    if (held && !in_time) delay_ns_ = std::min(4 * delay_ns_, kLongestDelayNs);
    in_a_row_ = in_time ? in_a_row_ + 1 : 0;
    if (in_a_row_ == kShorterAfter) {
      delay_ns_ = std::max(delay_ns_ / 2, kFirstDelayNs);
      in_a_row_ = 0;
    }
    if (held && !in_time && attempt < kTries) continue;
    delayed_ += in_time;
    return device_->ElapsedNs(start_, end_);
  }
}

absl::StatusOr<std::unique_ptr<KernelTimer>> KernelTimer::Over(absl::StatusOr<OperandSets> sets, Device* device) {
  RETURN_IF_ERROR(sets.status());
  ASSIGN_OR_RETURN(std::unique_ptr<DelayedStream> stream, DelayedStream::Create(device));
  return std::unique_ptr<KernelTimer>(new KernelTimer(*std::move(sets), std::move(stream)));
}

absl::StatusOr<std::unique_ptr<KernelTimer>> KernelTimer::Create(Device* device, Runnable runnable,
                                                                 const MatmulProblem& problem, OperandSource operands) {
  return Over(OperandSets::Create(device, std::move(runnable), problem, std::move(operands)), device);
}

absl::StatusOr<std::unique_ptr<KernelTimer>> KernelTimer::Share(Runnable runnable) const {
  return Over(sets_.Share(std::move(runnable)), &device());
}

absl::StatusOr<double> KernelTimer::TimeBatch(int runs) {
  ASSIGN_OR_RETURN(double elapsed_ns, stream_->Time([&](StreamHandle stream) -> absl::Status {
    for (int i = 0; i < runs; ++i) RETURN_IF_ERROR(sets_.EnqueueNext(stream));
    return absl::OkStatus();
  }));
  // The shortest kernel may take less than an event can tell.
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
  RETURN_IF_ERROR(sets_.Poison());
  return TimeWarmUp();
}

absl::Status KernelTimer::WarmUp(double budget_ns) {
  just_run_ = false;
  if (2 * run_ns_ <= kCheapWarmUp * budget_ns) {
    run_ns_ = spent_ns_ = 0;
    warm_ = false;
  }
  if (run_ns_ == 0) RETURN_IF_ERROR(sets_.Poison());
  for (int runs = 0; !warm_ && runs < kMaxWarmUps && (run_ns_ == 0 || spent_ns_ + run_ns_ < budget_ns / 4); ++runs) {
    RETURN_IF_ERROR(TimeWarmUp());
    just_run_ = true;
  }
  return absl::OkStatus();
}

absl::Status KernelTimer::Prepare(Regime regime, double budget_ns) {
  if (regime == Regime::kCold) {
    RETURN_IF_ERROR(sets_.MakeCold());
    run_ns_ = 0;  // what ran before was warm
  }
  return WarmUp(budget_ns);
}

absl::StatusOr<double> KernelTimer::Sample(double batch_ns) {
  return TimeBatch(static_cast<int>(std::clamp(std::ceil(batch_ns / run_ns_), 1.0, double{kMaxBatch})));
}

absl::StatusOr<KernelTimer::Samples> KernelTimer::TakeSamples(double budget_ns, const TimeOptions& options,
                                                              const TimerSettings& settings) {
  // Longer, where the most samples would end before the budget.
  const double batch_ns = std::max(DefaultBatchNs(device()), budget_ns / static_cast<double>(kMaxSamples));
  const double precision = options.measure.precision;
  const size_t least = kCheapSamples * std::max(run_ns_, batch_ns) <= budget_ns ? kCheapSamples : 1;
  const TimePoint start = settings.clock->Now();
  Samples samples{{}, kEndedSamples};
  size_t next_judged = 1;  // more and more seldom: judging sorts them
  while (samples.ns.size() < kMaxSamples) {
    ASSIGN_OR_RETURN(samples.ns.emplace_back(), Sample(batch_ns));
    const double spent_ns = std::chrono::duration<double, std::nano>(settings.clock->Now() - start).count();
    if (spent_ns >= budget_ns && samples.ns.size() >= least) {
      samples.ended = kEndedBudget;
      break;
    }
    if (samples.ns.size() < next_judged) continue;
    next_judged += 1 + next_judged / 10;
    if (SlowerThanIncumbent(samples.ns, options.incumbent_ns)) {
      samples.ended = kEndedSlower;
      break;
    }
    if (samples.ns.size() >= kSamplesToConclude && MedianOf(samples.ns).RelativeHalfWidth() < precision) {
      samples.ended = kEndedPrecise;
      break;
    }
  }
  return samples;
}

absl::StatusOr<TimedRun> KernelTimer::Time(const TimeOptions& options, const TimerSettings& settings) {
  const double budget_ns = 1e9 * options.measure.budget_seconds;
  RETURN_IF_ERROR(Prepare(options.measure.regime, budget_ns));
  if (settings.warmed_up) settings.warmed_up();
  Samples samples{{run_ns_}, kEndedBudget};
  // A run of WarmUpOnce() is no sample, however long it took.
  if (!just_run_ || run_ns_ < budget_ns) {
    ASSIGN_OR_RETURN(samples, TakeSamples(budget_ns, options, settings));
  }
  if (settings.sampled) settings.sampled();
  ASSIGN_OR_RETURN(std::string damage, Damage());
  if (!damage.empty()) return absl::DataLossError(damage);

  TimedRun run;
  run.conditions.run = RandomToken();
  run.conditions.ended = samples.ended;
  run.conditions.precision = options.measure.precision;
  run.conditions.budget_seconds = budget_ns * 1e-9;
  run.conditions.delayed = stream_->delayed();
  const MedianInterval median = IntervalOf(samples.ns);
  run.timing.samples_ns = std::move(samples.ns);
  run.timing.median_ns = median.median;
  run.timing.low_ns = median.low;
  run.timing.high_ns = median.high;
  run.timing.regime = std::string(RegimeName(options.measure.regime));
  run.timing.clock = std::string(device().clock_name());
  return run;
}

absl::StatusOr<Compared> TimeAlternately(KernelTimer& first, KernelTimer& second, const CompareOptions& options,
                                         const TimerSettings& settings) {
  const double budget_seconds = options.measure.budget_seconds / 2;
  for (KernelTimer* timer : {&first, &second}) {
    RETURN_IF_ERROR(timer->Prepare(options.measure.regime, 1e9 * budget_seconds));
  }
  if (settings.warmed_up) settings.warmed_up();
  const double batch_ns = DefaultBatchNs(first.device());
  const TimePoint start = settings.clock->Now();
  const auto seconds = [&] { return Seconds(settings.clock->Now() - start); };
  std::vector<double> ratios, first_ns, second_ns;
  while (ratios.size() < kMinRounds || (ratios.size() < kMaxRounds && seconds() < budget_seconds)) {
    double sums[2] = {};
    for (int which : {0, 1, 1, 0}) {
      ASSIGN_OR_RETURN(const double ns, (which == 0 ? first : second).Sample(batch_ns));
      sums[which] += ns;
    }
    ratios.push_back(sums[0] / sums[1]);
    first_ns.push_back(sums[0] / 2);
    second_ns.push_back(sums[1] / 2);
  }
  if (settings.sampled) settings.sampled();
  for (KernelTimer* timer : {&first, &second}) {
    ASSIGN_OR_RETURN(std::string damage, timer->Damage());
    if (!damage.empty()) return absl::DataLossError(damage);
  }
  return Compared{MedianOf(std::move(ratios)).median, MedianOf(std::move(first_ns)).median,
                  MedianOf(std::move(second_ns)).median};
}

}  // namespace mmtune
