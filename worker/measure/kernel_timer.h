// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Times a kernel on a device: warm-up, then samples until the median is known well enough. Two kernels can be timed
// alternately to compare them. docs/timing.md describes the method.
//
// A sample is the time between two events around a batch of runs. All launches of a batch are enqueued before the first
// of them starts, so that the CPU's launch overhead is not measured.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/functional/function_ref.h"
#include "absl/status/statusor.h"
#include "kernels/compiled_kernel.h"
#include "kernels/runtime/device/device.h"
#include "proto/base/clock.h"
#include "proto/types/matmul_problem.h"
#include "proto/types/measurement.h"
#include "worker/children/measurer.h"
#include "worker/measure/guarded_buffers.h"
#include "worker/measure/operand_sets.h"

namespace mmtune {

/// A stream that times work with events. If the device supports delays, all of the work is enqueued before any of it
/// starts. The methods return the errors of the device and of the work. Not thread-safe; the device must outlive it.
class DelayedStream {
 public:
  static absl::StatusOr<std::unique_ptr<DelayedStream>> Create(Device* device);
  ~DelayedStream();
  DelayedStream(const DelayedStream&) = delete;

  /// Returns the nanoseconds that the device takes for the work that `enqueue` enqueues. A delay (Device::Delay()) is
  /// enqueued before the work, so that `enqueue` has returned when the work starts. If `enqueue` takes longer than the
  /// delay, the work is enqueued again after a longer delay. After a limited number of times, the time of the last one
  /// is returned. On a device without delays, the work starts while it is being enqueued.
  absl::StatusOr<double> Time(absl::FunctionRef<absl::Status(StreamHandle)> enqueue);

  /// True if in every timing so far all of the work was enqueued before any of it started.
  bool delayed() const { return timings_ > 0 && delayed_ == timings_; }
  Device& device() const { return *device_; }

 private:
  explicit DelayedStream(Device* device) : device_(device) {}

  Device* const device_;
  StreamHandle stream_ = 0;
  EventHandle start_ = 0, end_ = 0;
  static constexpr double kFirstDelayNs = 50e3;
  double delay_ns_ = kFirstDelayNs;
  int in_a_row_ = 0;  // successive timings whose delay was sufficient
  int64_t timings_ = 0, delayed_ = 0;
};

/// Settings of a timer that are not in TimeOptions.
struct TimerSettings {
  /// The clock that measures the budget. Samples are in device time.
  const Clock* clock = &Clock::Real();
  std::function<void()> warmed_up;  ///< Called before the first sample; may be null.
  std::function<void()> sampled;    ///< Called right after the last sample; may be null.
};

/// Times a runnable (operand_sets.h) on buffers between red zones. Operands should be random with a normal
/// distribution, because a GPU draws less power and runs faster on zeros. They should be the same for every candidate.
/// The methods return the errors of the device and of the runnable. Not thread-safe; device and runnable must outlive
/// it.
class KernelTimer {
 public:
  /// The most samples of one timing.
  static constexpr size_t kMaxSamples = 1000;

  /// Makes buffers and uploads the operands. `operands` must write the same values each time. Returns the errors of
  /// OperandSets::Create().
  static absl::StatusOr<std::unique_ptr<KernelTimer>> Create(Device* device, Runnable runnable,
                                                             const MatmulProblem& problem, OperandSource operands);
  /// Returns a timer of another runnable on the same operands and buffers.
  absl::StatusOr<std::unique_ptr<KernelTimer>> Share(Runnable runnable) const;

  /// Runs once as part of the warm-up, after filling C and the workspace with NaN. The result in buffers() may be
  /// checked before Time() is called.
  absl::Status WarmUpOnce();
  GuardedBuffers& buffers() { return sets_.buffers(); }
  /// Returns GuardedBuffers::Damage() of all sets of operands.
  absl::StatusOr<std::string> Damage() { return sets_.Damage(); }

  /// Warms up until two runs take equally long, then takes samples. Ends when the median is known precisely enough, the
  /// kernel is clearly slower than TimeOptions::incumbent_ns, or the budget is used up. Takes at least one sample, and
  /// at least five if five fit into the budget. Fills C and the workspace with NaN at the start. Returns DataLoss if a
  /// kernel wrote to an input or out of bounds, and the errors of Device.
  absl::StatusOr<TimedRun> Time(const TimeOptions& options, const TimerSettings& settings = {});

  /// Prepares for Sample(): makes operands cold (not in the cache) if `regime` is cold, and warms up. The warm-up runs
  /// the kernel at least once, and further only while it takes less than a quarter of `budget_ns`.
  absl::Status Prepare(Regime regime, double budget_ns);
  /// Takes one sample: the nanoseconds of one run in a batch that takes about `batch_ns`. Prepare() must have been
  /// called.
  absl::StatusOr<double> Sample(double batch_ns);
  Device& device() const { return stream_->device(); }

 private:
  static absl::StatusOr<std::unique_ptr<KernelTimer>> Over(absl::StatusOr<OperandSets> sets, Device* device);
  struct Samples {
    std::vector<double> ns;
    std::string_view ended;
  };
  KernelTimer(OperandSets sets, std::unique_ptr<DelayedStream> stream)
      : sets_(std::move(sets)), stream_(std::move(stream)) {}
  absl::StatusOr<double> TimeBatch(int runs);
  absl::Status TimeWarmUp();
  absl::Status WarmUp(double budget_ns);
  absl::StatusOr<Samples> TakeSamples(double budget_ns, const TimeOptions& options, const TimerSettings& settings);

  OperandSets sets_;
  std::unique_ptr<DelayedStream> stream_;
  double spent_ns_ = 0;    // time of the warm-up
  double run_ns_ = 0;      // the last run of the warm-up; 0: none
  bool warm_ = false;      // true if the last run of the warm-up took as long as the one before it
  bool just_run_ = false;  // true if the last call of WarmUp() ran the kernel
};

/// Times two kernels alternately, in rounds of first, second, second, first, so that a steady drift cancels out. There
/// are at least five rounds, and up to 400 until half of MeasureOptions::budget_seconds has passed. In the result
/// `first` is the kernel and `second` the reference, whatever options.reference_first is. Returns DataLoss if a kernel
/// has written to a red zone or an input, and the other errors of KernelTimer::Time().
absl::StatusOr<Compared> TimeAlternately(KernelTimer& first, KernelTimer& second, const CompareOptions& options,
                                         const TimerSettings& settings = {});

}  // namespace mmtune
