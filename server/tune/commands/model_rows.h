// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The rows of `tune model`: what is tuned of a model. A row is a matmul problem of the model, or a bucket of one whose
// number of rows is known at run time only.
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

/// Holds what the options and the files that they name say of a model.
struct ModelInputs {
  TuningSpec old_spec;                      ///< The one that --spec replaces.
  std::optional<DimensionSizes> dimension;  ///< That of --dim.
  std::optional<std::string> counts;        ///< The text of the file of --counts.
};

/// Reads the files. Errors have exit code kUsage.
absl::StatusOr<ModelInputs> ReadModelInputs(const TuneModelOptions& options);

/// Returns the rows of a model with these matmuls, with the times of the schedules that are used now: those of
/// `present`, the entries of the log, or estimates by the families' formulas, scaled as the times of the log differ
/// from theirs. Problems for which no schedule is searched are left out, and `note` is called with a line about each.
/// Returns an error with exit code kUsage for a model that cannot be tuned.
absl::StatusOr<std::vector<MatmulResult>> RowsOfModel(ModelMatmuls found, const ModelInputs& inputs,
                                                      const TuningSpec& present, const TuneModelOptions& options,
                                                      const DeviceInfo& device,
                                                      const std::function<void(std::string_view)>& note);

}  // namespace mmtune
