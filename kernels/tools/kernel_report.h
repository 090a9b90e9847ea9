// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What mmtune-compile prints about a compilation.
#pragma once

#include <string>
#include <vector>

#include "kernels/model/model_compiler.h"

namespace mmtune {

/// One row for each kernel module: the problem, where its schedule is from, the first 12 digits of its code digest,
/// whether that is the code that was measured, the schedule. Empty when there are none.
std::string KernelTable(const std::vector<ModelKernel>& kernels);

/// "time      parse 1.2 ms, to-gpu 3.4 ms, total 4.6 ms".
std::string StageTimesText(const std::vector<StageTime>& times);

}  // namespace mmtune
