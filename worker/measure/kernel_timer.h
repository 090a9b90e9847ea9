// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Times a launch plan on a device, alone or in turn with another.
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

/// A stream on which work is timed by events, all of it enqueued before the first begins. Not thread-safe; the device
/// must outlive it.
class DelayedStream {
 public:
  static absl::StatusOr<std::unique_ptr<DelayedStream>> Create(Device* device);
  ~DelayedStream();
  DelayedStream(const DelayedStream&) = delete;

  /// Nanoseconds between two events around what `enqueue` enqueues. Where the device can be held back, it is until
  /// `enqueue` is done; when that took longer than the delay, the work is enqueued once more with a longer one.
  absl::StatusOr<double> Time(absl::FunctionRef<absl::Status(StreamHandle)> enqueue);

  /// Whether every timing since Create had all of its work enqueued before the first of it began.
  bool delayed() const { return timings_ > 0 && delayed_ == timings_; }
  Device& device() const { return *device_; }

 private:
  explicit DelayedStream(Device* device) : device_(device) {}

  Device* const device_;
  StreamHandle stream_ = 0;
  EventHandle start_ = 0, end_ = 0;
  static constexpr double kFirstDelayNs = 50e3;
  double delay_ns_ = kFirstDelayNs;
  int in_a_row_ = 0;  // timings that were held back for long enough
  int64_t timings_ = 0, delayed_ = 0;
};

/// What TimeOptions leaves to the timer.
struct TimerSettings {
  const Clock* clock = &Clock::Real();  ///< For the budget; samples are the device's own time.
  std::function<void()> warmed_up;      ///< Called before the first sample.
  std::function<void()> sampled;        ///< Called right after the last.
};

/// What is run on the device, with its buffers between red zones. Operands are to be random of about normal
/// distribution (a GPU draws less power, and so runs faster, on zeros), the same for every candidate. Not thread-safe;
/// the device, and what is run, must outlive it.
class KernelTimer {
 public:
  static constexpr size_t kMaxSamples = 1000;

  /// Uploads the operands, of which `operands` gives the same each time. Errors as OperandSets::Create.
  static absl::StatusOr<std::unique_ptr<KernelTimer>> Create(Device* device, Runnable runnable,
                                                             const MatmulProblem& problem, OperandSource operands);
  /// For another run on the same operands and buffers, in turn with this one; as OperandSets::Share.
  absl::StatusOr<std::unique_ptr<KernelTimer>> Share(Runnable runnable) const;

  /// One run of the warm-up, into a C and a workspace full of NaN: its result may be judged before Time().
  absl::Status WarmUpOnce();
  GuardedBuffers& buffers() { return sets_.buffers(); }
  /// As GuardedBuffers::Damage.
  absl::StatusOr<std::string> Damage() { return sets_.Damage(); }

  /// Runs, beginning with a C and a workspace full of NaN, until two runs agree, then takes samples, each a batch of
  /// whole runs between two events, until the median is known well, the candidate is clearly slower than the incumbent,
  /// or the budget is out; one sample at least, five when they are cheap. Runs of WarmUpOnce() count, unless they are
  /// so short that others cost nothing. Where the device can be held back, all launches of a sample are enqueued before
  /// the first begins. DataLoss when a kernel wrote to an operand or outside of a buffer; else errors as Device gives
  /// them.
  absl::StatusOr<TimedRun> Time(const TimeOptions& options, const TimerSettings& settings = {});

  /// What Time() does before it samples: makes the operands cold where they are to be, and warms up.
  absl::Status Prepare(Regime regime, double budget_ns);
  /// One sample: nanoseconds of one run, of a batch that fills `batch_ns`. After Prepare().
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
  double run_ns_ = 0;      // of the last run of the warm-up; 0: there was none
  bool warm_ = false;      // it agreed with the one before
  bool just_run_ = false;  // the last run of the warm-up is one of the last call of WarmUp
};

/// Times two kernels in turn. At least five turns; the kernel is `first`, the rival `second`, whatever `options` say. A
/// turn is first, second, second, first: what drifts steadily falls out. DataLoss as KernelTimer::Time. Of the
/// settings, the clock and the calls around the samples count.
absl::StatusOr<Compared> TimeInTurn(KernelTimer& first, KernelTimer& second, const CompareOptions& options,
                                    const TimerSettings& settings = {});

}  // namespace mmtune
