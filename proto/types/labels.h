// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Labels of workers and the selectors of jobs, by the rules of Kubernetes.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"

namespace mmtune {

/// Values by key: "rack" is "7". As a selector, what a worker must have.
using Labels = std::map<std::string, std::string>;

/// InvalidArgument in one line unless there are at most 16 of them, each key is a name of 1 to 63 letters, digits, '-',
/// '_' and '.' that begins and ends with a letter or digit, if need be behind a prefix, which is a DNS name of at most
/// 253 lower-case characters and a '/', and each value is such a name or empty.
absl::Status CheckLabels(const Labels& labels);

/// From texts such as "rack=7". InvalidArgument: as CheckLabels, no '=', or a key twice.
absl::StatusOr<Labels> ParseLabels(const std::vector<std::string>& texts);

/// "rack=7,zone=a"; empty for none.
std::string LabelsText(const Labels& labels);

/// Whether `labels` has everything that `selector` asks for.
bool Selects(const Labels& selector, const Labels& labels);

}  // namespace mmtune
