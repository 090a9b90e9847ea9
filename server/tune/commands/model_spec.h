// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Makes the tuning spec (the file of best schedules that the compiler reads) that `tune model --spec` writes. It
// replaces an earlier spec of the same model, but keeps the entries of the earlier spec for which there are no new
// ones, except those of another toolchain.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "proto/json/model_matmuls.h"
#include "proto/json/tuning_spec.h"
#include "proto/types/ranked_record.h"

namespace mmtune {

/// Reads the spec that will be replaced. Returns an empty spec if there is no such file, or if `force` is set. Errors
/// have exit codes.
absl::StatusOr<TuningSpec> ReadOldSpec(const std::string& path, bool force);

/// Returns an error with an exit code if the spec, which was read from `path`, has a problem that the model does not
/// have.
absl::Status CheckSpecMatchesModel(const std::vector<ModelMatmul>& matmuls, const TuningSpec& spec,
                                   const std::string& path);

struct MergedSpec {
  TuningSpec spec;
  int dropped = 0;  ///< The number of old entries that were neither kept nor replaced.
};

/// Returns `spec` with the entries of `old` for which it has no newer ones. Drops those that were measured on the same
/// class of devices with another toolchain, because the compiler refuses them beside the new ones. A dispatch table
/// (the entries for ranges of numbers of rows) is replaced or dropped as a whole.
MergedSpec MergeOldEntries(const TuningSpec& spec, const TuningSpec& old);

/// Returns the spec's entry for a ranked record. With `rows`, it is a line of a dispatch table.
TuningSpecEntry SpecEntryOf(const RankedRecord& ranked, std::optional<RowRange> rows = std::nullopt);

}  // namespace mmtune
