// Times a launch plan on a device.
#pragma once

#include <memory>
#include <vector>

#include "absl/status/statusor.h"
#include "kernels/compiled_kernel.h"
#include "kernels/runtime/device.h"
#include "proto/base/clock.h"
#include "proto/types/matmul_problem.h"
#include "proto/types/measurement.h"
#include "worker/bound_plan.h"

namespace mmtune {

class RandomBits;

struct TimingOptions {
  double budget_seconds = 0;  ///< 0: 0.3 s on a CUDA device, 0.5 s on the SIMT device.
  double incumbent_ns = 0;    ///< Best median so far; 0: none.
  size_t max_samples = 200;
  double incumbent_factor = 3;          ///< Two samples slower than this many incumbents are enough.
  double enough_half_width = 0.005;     ///< Relative; with ten samples or more it ends the timing.
  double batch_ns = 20'000;             ///< A sample has as many runs as fill this.
  const Clock* clock = &Clock::Real();  ///< For the budget; samples are the device's own time.
};

/// Holds the operands of one problem on the device: random of about normal distribution (a GPU draws less power, and so
/// runs faster, on zeros), the same for every candidate. Not thread-safe; the device must outlive it.
class KernelTimer {
 public:
  /// ResourceExhausted when the operands do not fit.
  static absl::StatusOr<std::unique_ptr<KernelTimer>> Create(Device* device, const MatmulProblem& problem);
  ~KernelTimer();
  KernelTimer(const KernelTimer&) = delete;
  KernelTimer& operator=(const KernelTimer&) = delete;

  /// Runs until two runs agree, then takes samples, each a batch of whole runs between two events, until the median is
  /// known well, the candidate is clearly slower than the incumbent, or the budget is out; one sample at least, five
  /// when they are cheap. Operands are warm. DataLoss when a kernel wrote to an operand; else errors as Device gives
  /// them.
  absl::StatusOr<Timing> Time(DeviceModule* module, const LaunchPlan& plan, const TimingOptions& options);

  /// What it holds: the operands, and the largest workspace so far.
  int64_t device_bytes() const;

 private:
  explicit KernelTimer(Device* device) : device_(device) {}
  absl::Status AllocateOperands(const MatmulProblem& problem);
  absl::Status GrowWorkspace(size_t bytes);
  absl::StatusOr<double> TimeBatch(BoundPlan& plan, int runs);
  absl::StatusOr<double> WarmUp(BoundPlan& plan, double budget_ns);
  absl::StatusOr<std::vector<double>> TakeSamples(BoundPlan& plan, double run_ns, double budget_ns,
                                                  const TimingOptions& options);
  absl::Status AllocateInput(PlanBuffer buffer, int64_t elements, RandomBits& random);
  absl::Status VerifyInput(PlanBuffer buffer);

  Device* device_;
  std::vector<float> inputs_[kPlanBufferCount];  // what the device holds; empty for what is no input of the problem
  PlanMemories memories_;
  StreamHandle stream_ = 0;
  EventHandle start_ = 0, end_ = 0;
};

}  // namespace mmtune
