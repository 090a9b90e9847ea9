// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The vendor's library on the problems of a measure child's candidates, timed now and then between them.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "kernels/runtime/device.h"
#include "proto/types/conditions.h"
#include "proto/types/matmul_problem.h"
#include "worker/children/measurer.h"
#include "worker/measure/rounding_checker.h"
#include "worker/measure/vendor_blas.h"

namespace mmtune {

/// One of the process. A problem in a regime has a series: it is timed with its first candidate and again with every
/// kEvery-th one. Not thread-safe; the device must outlive it.
class BaselineSeries {
 public:
  static constexpr int kEvery = 16;

  BaselineSeries(Device* device, std::vector<std::string> libraries)
      : device_(device), libraries_(std::move(libraries)) {}

  /// To be called once with each candidate: whether Next() will run the library, for which the device should have room
  /// for one more set of operands.
  bool Due(const MatmulProblem& problem, const TimeOptions& options) const;

  /// The baseline of a candidate: median and interval of all samples of the series so far. Timed as candidates are, on
  /// the operands of `checker` (null: nothing bounds the problem's errors), but never cut for being slow. Its first
  /// result has to pass the rounding tier. Never fails: where there is no baseline it says why, and a library that
  /// failed on a problem is not asked again.
  Baseline Next(const MatmulProblem& problem, const RoundingChecker* checker, const TimeOptions& options);

 private:
  struct Series {
    Baseline baseline;
    std::vector<double> samples_ns;
    double first_ns = 0;
    int since = 0;  // candidates since it was timed
  };
  static std::string Key(const MatmulProblem& problem, const TimeOptions& options);
  absl::Status Open();
  absl::Status TimeOnce(const MatmulProblem& problem, const RoundingChecker& checker, TimeOptions options,
                        Series& series);

  Device* device_;
  const std::vector<std::string> libraries_;
  bool opened_ = false;
  absl::Status open_status_;
  std::unique_ptr<VendorBlas> blas_;
  std::map<std::string, Series> series_;  // by problem and regime
};

}  // namespace mmtune
