// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A worker's evaluator over a real device, for tests: schedules in, measurements out.
#pragma once

#include <gtest/gtest.h>

#include <memory>
#include <string>

#include "kernels/families/common/registry.h"
#include "proto/base/folders.h"
#include "tests/gpu/road/test_device.h"
#include "worker/agent/device_selection.h"
#include "worker/children/process_evaluator.h"

namespace mmtune {

/// Skips without the device. The children are this executable, which has to answer to --child-role.
class MeasuringWorker : public testing::Test {
 protected:
  void SetUp() override;

  /// Measures a schedule as for a lease, without verification.
  Measurement Evaluate(const MatmulProblem& problem, const Schedule& schedule);

  /// Large enough to be timed well, small enough to be quick. With MMTUNE_TEST_SMALL=1 it is small on a CUDA device,
  /// too: that of a stand-in for the driver.
  MatmulProblem GoodProblem() const;
  Schedule GoodSchedule() const { return LadderSchedules(GoodProblem(), device_.info).back().second; }
  bool cuda() const { return device_.info.kind == DeviceKind::kCuda; }

  EvaluationLimits limits_;  ///< Read at the first Evaluate.
  WorkerDevice device_;

 private:
  bool IsSmall() const;

  OwnedFolder scratch_ = OwnedFolder::Temporary("mmtune-test-").value();
  std::unique_ptr<ProcessEvaluator> evaluator_;
};

}  // namespace mmtune
