// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A tuning spec: the best schedules of a log, as a JSON file that `tune records spec` writes, that can be committed
// beside a model, and that final compilation reads.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
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
  double median_ns = 0;     ///< The time by which it is ranked.
  std::string code_digest;  ///< SHA-256 of the measured image, which the same toolchain makes again.
  Toolchain toolchain;
  bool verified = true;  ///< It was verified before it was timed.
  std::string digest;    ///< EntryDigest() when it was written; another one if the entry was edited since.

  double Gflops() const { return median_ns > 0 ? problem.Flops() / median_ns : 0; }
  template <typename Self, typename Visitor>
  static void Fields(Self& self, Visitor&& visit) {
    MMTUNE_VISIT_ALL(problem, device, schedule, median_ns, code_digest, toolchain)
    visit("verified", self.verified, Unless{true});
    visit("digest", self.digest, Unless{std::string()});
  }
  bool operator==(const TuningSpecEntry&) const = default;
};

/// Entries, at most one for a problem and device class.
struct TuningSpec {
  static constexpr int kVersion = 1;
  std::vector<TuningSpecEntry> entries;

  bool operator==(const TuningSpec&) const = default;
};

/// Returns the SHA-256 over all other fields of the entry.
std::string EntryDigest(const TuningSpecEntry& entry);

/// Writes a spec: indented, sorted by problem and device, the same for equal specs. Format: proto/json/README.md.
std::string TuningSpecToJson(const TuningSpec& spec);

/// Parses the text of a spec. InvalidArgument names the entry and field that is wrong; FailedPrecondition when
/// the text is of a newer version. Every problem is valid, and
/// the problem and device class of an entry are unique. An entry whose digest is not EntryDigest() was edited: it is
/// read as not verified.
absl::StatusOr<TuningSpec> TuningSpecFromJson(std::string_view text);

}  // namespace mmtune
