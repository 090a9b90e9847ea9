// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The rows of the table of `tune model`, which are the problems that it tunes. A row is a matmul problem of the model.
// If its number of rows of C is known at run time only, their range is divided into buckets, and each bucket is a row.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "proto/json/model_matmuls.h"
#include "proto/json/tuning_spec.h"
#include "proto/types/device_info.h"
#include "server/tune/commands/model_command.h"
#include "server/tune/commands/row_tables.h"
#include "server/tune/report/model_text.h"

namespace mmtune {

/// The inputs of `tune model` other than the model: options, and the contents of the files that they name.
struct ModelInputs {
  TuningSpec old_spec;                      ///< The tuning spec that --spec replaces.
  std::optional<DimensionSizes> dimension;  ///< The sizes that --dim gives; absent without the option.
  std::optional<std::string> counts;        ///< The text of the file of --counts; absent without the option.
};

/// Reads the files. Errors have exit code kUsage.
absl::StatusOr<ModelInputs> ReadModelInputs(const TuneModelOptions& options);

/// Returns the rows of a model with these matmuls, each with the time of its present schedule. `present` is the spec of
/// the log's best records, with which `found` was compiled: it says which schedule the compiler chooses for each matmul
/// now. The time of a row is measured if `present` has that schedule for the problem. Otherwise it is estimated by the
/// formulas of the schedule's family, and scaled by how much measured times of the log differ from such estimates.
/// Problems for which no schedule is searched are left out, and `note` is called with a line about each. Returns an
/// error with exit code kUsage for a model that cannot be tuned.
absl::StatusOr<std::vector<MatmulResult>> RowsOfModel(ModelMatmuls found, const ModelInputs& inputs,
                                                      const TuningSpec& present, const TuneModelOptions& options,
                                                      const DeviceInfo& device,
                                                      const std::function<void(std::string_view)>& note);

}  // namespace mmtune
