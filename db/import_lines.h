// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Lines of an untrusted stream for ImportJsonl.
#pragma once

#include <istream>

#include "db/tuning_log.h"

namespace mmtune {

/// Gives the lines of `input` one by one, false at the end; InvalidArgument where it cannot be read on. A line too long
/// for ImportJsonl is the last one, and only so much of it is read that ImportJsonl refuses it: memory and time stay
/// bounded whatever the input. `input` outlives the function.
LineSource ImportLines(std::istream& input);

}  // namespace mmtune
