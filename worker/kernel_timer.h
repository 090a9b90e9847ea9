// Times a launch plan on a device.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "kernels/compiled_kernel.h"
#include "kernels/runtime/device.h"
#include "proto/base/clock.h"
#include "proto/types/matmul_problem.h"
#include "proto/types/measurement.h"
#include "worker/bound_plan.h"
#include "worker/guarded_buffers.h"

namespace mmtune {

struct TimingOptions {
  double budget_seconds = 0;  ///< 0: 0.3 s on a CUDA device, 0.5 s on the SIMT device.
  double incumbent_ns = 0;    ///< Best median so far; 0: none.
  size_t max_samples = 200;
  double incumbent_factor = 3;          ///< Two samples slower than this many incumbents are enough.
  double enough_half_width = 0.005;     ///< Relative; with ten samples or more it ends the timing.
  double batch_ns = 20'000;             ///< A sample has as many runs as fill this.
  const Clock* clock = &Clock::Real();  ///< For the budget; samples are the device's own time.
};

/// One launch plan on the device, with its buffers between red zones. Operands are to be random of about normal
/// distribution (a GPU draws less power, and so runs faster, on zeros), the same for every candidate. Not thread-safe;
/// the device, the module and the host's operands must outlive it, the last of these unchanged.
class KernelTimer {
 public:
  /// Uploads the operands. ResourceExhausted when they do not fit; else as
  /// BoundPlan::Bind.
  static absl::StatusOr<std::unique_ptr<KernelTimer>> Create(Device* device, DeviceModule* module,
                                                             const LaunchPlan& plan, const MatmulProblem& problem,
                                                             const HostOperands& operands);
  ~KernelTimer();
  KernelTimer(const KernelTimer&) = delete;
  KernelTimer& operator=(const KernelTimer&) = delete;

  /// One run of the warm-up, into a C and a workspace full of NaN: its result may be judged before Time().
  absl::Status WarmUpOnce();
  GuardedBuffers& buffers() { return *buffers_; }
  /// As GuardedBuffers::Damage.
  absl::StatusOr<std::string> Damage() { return buffers_->Damage(operands_); }

  /// Runs, from a C and a workspace full of NaN, until two runs agree, then takes samples, each a batch of whole runs
  /// between two events, until the median is known well, the candidate is clearly slower than the incumbent, or the
  /// budget is out; one sample at least, five when they are cheap. Runs of WarmUpOnce() count, unless they are so short
  /// that others cost nothing. Operands are warm. DataLoss when a kernel wrote to an operand or outside of a buffer;
  /// else errors as Device gives them.
  absl::StatusOr<Timing> Time(const TimingOptions& options);

 private:
  KernelTimer(Device* device, const HostOperands& operands) : device_(device), operands_(operands) {}
  absl::StatusOr<double> TimeBatch(int runs);
  absl::Status TimeWarmUp();
  /// True when the last run is one of this call.
  absl::StatusOr<bool> WarmUp(double budget_ns);
  absl::StatusOr<std::vector<double>> TakeSamples(double budget_ns, const TimingOptions& options);

  Device* device_;
  const HostOperands operands_;  // what the device holds
  std::unique_ptr<GuardedBuffers> buffers_;
  std::unique_ptr<BoundPlan> plan_;
  StreamHandle stream_ = 0;
  EventHandle start_ = 0, end_ = 0;
  double spent_ns_ = 0;  // in the warm-up
  double run_ns_ = 0;    // of the last run of the warm-up; 0: there was none
  bool warm_ = false;    // it agreed with the one before
};

}  // namespace mmtune
