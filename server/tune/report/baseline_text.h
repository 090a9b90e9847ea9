// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How fast records are compared with the vendor's library and the device's peak.
#pragma once

#include <string>
#include <vector>

#include "nlohmann/json.hpp"
#include "proto/types/measurement.h"

namespace mmtune {

/// "cuBLAS 13.1.0: 49.1 TFLOPS, drift +0.3 %" of the latest of `records` that has a baseline, or "none (<why>)".
std::string BaselineText(const std::vector<TuningRecord>& records);
/// The same: library, median_ns, gflops and drift, or reason.
nlohmann::ordered_json BaselineJson(const std::vector<TuningRecord>& records);

}  // namespace mmtune
