// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Times a launch plan on a device, alone or alternating with another one.
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

/// A stream on which work is timed by events, with all work enqueued before the first of it begins. Not thread-safe;
/// the device must outlive it.
class DelayedStream {
 public:
  static absl::StatusOr<std::unique_ptr<DelayedStream>> Create(Device* device);
  ~DelayedStream();
  DelayedStream(const DelayedStream&) = delete;

  /// Returns the nanoseconds between two events around the work that `enqueue` enqueues. Delays the device, if it can
  /// be, until `enqueue` returns; if that took longer than the delay, enqueues the work again with a longer one.
  absl::StatusOr<double> Time(absl::FunctionRef<absl::Status(StreamHandle)> enqueue);

  /// True if every timing so far had all of its work enqueued before the first of it began.
  bool delayed() const { return timings_ > 0 && delayed_ == timings_; }
  Device& device() const { return *device_; }

 private:
  explicit DelayedStream(Device* device) : device_(device) {}

  Device* const device_;
  StreamHandle stream_ = 0;
  EventHandle start_ = 0, end_ = 0;
  static constexpr double kFirstDelayNs = 50e3;
  double delay_ns_ = kFirstDelayNs;
  int in_a_row_ = 0;  // consecutive timings with a sufficient delay
  int64_t timings_ = 0, delayed_ = 0;
};

/// Settings beside TimeOptions.
struct TimerSettings {
  const Clock* clock = &Clock::Real();  ///< Measures the budget; samples are in device time.
  std::function<void()> warmed_up;      ///< Called before the first sample.
  std::function<void()> sampled;        ///< Called right after the last sample.
};

/// Times a runnable on buffers between red zones. Operands should be random of about normal distribution (a GPU draws
/// less power, and runs faster, on zeros) and the same for every candidate. Not thread-safe; device and runnable must
/// outlive it.
class KernelTimer {
 public:
  static constexpr size_t kMaxSamples = 1000;

  /// Uploads the operands; `operands` must give the same each time. Returns the errors of OperandSets::Create.
  static absl::StatusOr<std::unique_ptr<KernelTimer>> Create(Device* device, Runnable runnable,
                                                             const MatmulProblem& problem, OperandSource operands);
  /// Returns a timer of another runnable on the same operands and buffers (OperandSets::Share).
  absl::StatusOr<std::unique_ptr<KernelTimer>> Share(Runnable runnable) const;

  /// Runs once, as part of the warm-up, with C and workspace full of NaN. The result may be judged before Time().
  absl::Status WarmUpOnce();
  GuardedBuffers& buffers() { return sets_.buffers(); }
  /// Returns GuardedBuffers::Damage of the sets.
  absl::StatusOr<std::string> Damage() { return sets_.Damage(); }

  /// Warms up until two runs take equally long, then takes samples, each a batch of whole runs between two events,
  /// until the median is known well, the candidate is clearly slower than the incumbent, or the budget is used up; at
  /// least one sample, five if they are cheap. Begins with C and workspace full of NaN. Runs of WarmUpOnce() count as
  /// warm-up unless they are very short. Returns DataLoss if a kernel wrote to an operand or outside of a buffer, and
  /// errors of Device.
  absl::StatusOr<TimedRun> Time(const TimeOptions& options, const TimerSettings& settings = {});

  /// Does what Time() does before it samples: makes operands cold if the regime asks for it, and warms up.
  absl::Status Prepare(Regime regime, double budget_ns);
  /// Takes one sample: the nanoseconds of one run in a batch that fills `batch_ns`. Requires Prepare().
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
  double spent_ns_ = 0;    // in the warm-up
  double run_ns_ = 0;      // the last run of the warm-up; 0: none
  bool warm_ = false;      // it agreed with the one before
  bool just_run_ = false;  // the last run of the warm-up is one of the last call of WarmUp
};

/// Times two kernels alternately, at least five times first, second, second, first, so that a steady drift cancels out.
/// The kernel is `first`, the reference `second`, whatever `options` say. Returns DataLoss as KernelTimer::Time.
absl::StatusOr<Compared> TimeInTurn(KernelTimer& first, KernelTimer& second, const CompareOptions& options,
                                    const TimerSettings& settings = {});

}  // namespace mmtune
