// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What must be equal for two candidates to run the same.
#pragma once

#include <string>

#include "worker/children/child.pb.h"
#include "worker/common/evaluator.h"

namespace mmtune {

/// SHA-256 over the device's code, the launches with their geometry and buffers, the problem, the device with its
/// driver, the regime, and the way of measuring. Not over the schedule or the toolchain: code is what runs.
std::string TimingKey(const Candidate& candidate, const worker::CompiledKernel& kernel);

}  // namespace mmtune
