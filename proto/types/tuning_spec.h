// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The best schedules of a log, as a file that can be committed beside a model.
#pragma once

#include <string>
#include <vector>

#include "proto/types/device_info.h"
#include "proto/types/matmul_problem.h"
#include "proto/types/measurement.h"
#include "proto/types/schedule.h"

namespace mmtune {

/// The best measured schedule of one problem on one class of devices.
struct TuningSpecEntry {
  MatmulProblem problem;
  DeviceInfo device;  ///< The device that measured it; the entry serves all of its ClassKey().
  Schedule schedule;
  double median_ns = 0;     ///< By which it is ranked.
  std::string code_digest;  ///< Of the measured image: a build with the same toolchain makes the same.
  Toolchain toolchain;
  bool proven = true;  ///< Before it was timed.
  std::string digest;  ///< EntryDigest() when it was written; that of an entry that was edited since is another.

  double Gflops() const { return median_ns > 0 ? problem.Flops() / median_ns : 0; }
  template <typename Self, typename Visitor>
  static void Fields(Self& self, Visitor&& visit) {
    visit("problem", self.problem);
    visit("device", self.device);
    visit("schedule", self.schedule);
    visit("median_ns", self.median_ns);
    visit("code_digest", self.code_digest);
    visit("toolchain", self.toolchain);
    visit("proven", self.proven, Unless{true});
    visit("digest", self.digest, Unless{std::string()});
  }
  bool operator==(const TuningSpecEntry&) const = default;
};

/// At most one entry for a problem and device class.
struct TuningSpec {
  static constexpr int kVersion = 1;
  std::vector<TuningSpecEntry> entries;

  bool operator==(const TuningSpec&) const = default;
};

}  // namespace mmtune
