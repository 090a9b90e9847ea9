// What a kernel family and a parameter may be called.
#pragma once

#include <string_view>

namespace mmtune {

/// 1 to 32 of [a-z0-9_]: what ParseSchedule accepts.
bool IsScheduleName(std::string_view name);

}  // namespace mmtune
