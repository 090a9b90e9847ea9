// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A tuning spec: the best schedule (a kernel family with its parameters, such as tile sizes) of each matmul problem and
// device class of a tuning log, as a JSON file. `tune records spec` writes it. It can be committed beside a model, and
// the compiler reads it to choose the kernel of each matmul. proto/json/README.md describes the format.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "proto/types/device_info.h"
#include "proto/types/matmul_problem.h"
#include "proto/types/measurement.h"
#include "proto/types/schedule.h"

namespace mmtune {

/// A range of numbers of rows of C, which includes both ends.
struct RowRange {
  int64_t from = 1;
  int64_t to = 1;

  MMTUNE_FIELDS(from, to)
  bool operator==(const RowRange&) const = default;
};

/// The best measured schedule of one problem on one class of devices.
struct TuningSpecEntry {
  MatmulProblem problem;
  /// The device that measured it. The entry is used for every device with the same DeviceInfo::ClassKey().
  DeviceInfo device;
  Schedule schedule;
  double median_ns = 0;  ///< The time by which it was ranked.
  /// The SHA-256 of the measured device code. Compiling with the same toolchain gives the same code.
  std::string code_digest;
  Toolchain toolchain;
  bool verified = true;  ///< True if it was verified before it was timed.
  /// EntryDigest() when the entry was written. If it differs from EntryDigest() now, somebody edited the entry.
  std::string digest;
  /// Set for an entry of a dispatch table, which chooses a schedule when the number of rows of C is known at run time
  /// only. This entry is used if that number is in the range; `problem` has the number for which it was measured.
  std::optional<RowRange> rows;

  /// Returns the speed in GFLOPS; 0 if there is no time.
  double Gflops() const { return median_ns > 0 ? problem.Flops() / median_ns : 0; }
  template <typename Self, typename Visitor>
  static void Fields(Self& self, Visitor&& visit) {
    MMTUNE_VISIT_ALL(problem, device, schedule, median_ns, code_digest, toolchain)
    visit("verified", self.verified, OmitIf{true});
    visit("digest", self.digest, OmitIf{std::string()});
    MMTUNE_VISIT_ALL(rows)
  }
  bool operator==(const TuningSpecEntry&) const = default;
};

/// A whole spec. It has at most one entry for each problem and device class, not counting the entries of dispatch
/// tables.
struct TuningSpec {
  /// The version of the format.
  static constexpr int kVersion = 1;
  std::vector<TuningSpecEntry> entries;

  bool operator==(const TuningSpec&) const = default;
};

/// True for 64 lower-case hexadecimal digits, as TuningSpecEntry::code_digest has them.
bool IsCodeDigest(std::string_view text);

/// Returns the SHA-256 over all fields of an entry but `digest`.
std::string EntryDigest(const TuningSpecEntry& entry);

/// True if both entries belong to one dispatch table: for one class of devices, their problems differ only in the
/// number of rows.
bool BelongToSameTable(const TuningSpecEntry& a, const TuningSpecEntry& b);

/// Returns the JSON of a spec: indented, and sorted by problem and device, so that equal specs give equal text.
std::string TuningSpecToJson(const TuningSpec& spec);

/// Parses the JSON of a spec. Returns InvalidArgument naming the entry and field that is wrong, and FailedPrecondition
/// for a newer version of the format. It also refuses invalid problems, two entries with the same problem and device
/// class, and two entries of a dispatch table with the same rows. An entry that was edited (see `digest`) is read as
/// not verified.
absl::StatusOr<TuningSpec> TuningSpecFromJson(std::string_view text);

}  // namespace mmtune
