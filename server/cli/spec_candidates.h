// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The records of a log from which a tuning spec is made.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <utility>

#include "proto/types/measurement.h"
#include "proto/types/tuning_spec.h"

namespace mmtune {

/// Not thread-safe.
class SpecCandidates {
 public:
  /// Unless `allow_unproven`, only what was proven before it was timed.
  explicit SpecCandidates(bool allow_unproven = false) : allow_unproven_(allow_unproven) {}

  /// Takes canonical ok records; others are passed over.
  void Add(const TuningRecord& record);

  bool empty() const { return groups_.empty(); }
  /// The fastest schedule of each problem and class of devices; among equally fast ones, the first by its text. A
  /// schedule is as fast as its fastest proven record or, where it has none, as its fastest record. Unless
  /// `any_toolchain`, only records of the toolchain that made the newest one count.
  TuningSpec Best(bool any_toolchain) const;
  /// Entries of Best(false) that are slower than those of Best(true).
  size_t SlowerThanOlder() const;

 private:
  struct OfToolchain {
    int64_t newest_unix_millis = 0;
    std::map<std::string, TuningRecord> speakers;  ///< By schedule, proven ones before others.
  };
  using Group = std::map<std::string, OfToolchain>;  // by the toolchain's digest

  static const TuningRecord& Winner(const Group& group, bool any_toolchain);

  bool allow_unproven_;
  std::map<std::pair<std::string, std::string>, Group> groups_;  // by problem and class of devices
};

}  // namespace mmtune
