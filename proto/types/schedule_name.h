// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The grammar of the names of kernel families and their parameters.
#pragma once

#include <string_view>

namespace mmtune {

/// True for 1 to 32 characters of [a-z0-9_]: what ParseSchedule accepts.
bool IsScheduleName(std::string_view name);

}  // namespace mmtune
