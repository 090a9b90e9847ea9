// Lines of an untrusted stream for ImportJsonl.
#pragma once

#include <functional>
#include <istream>
#include <string>

namespace mmtune {

/// Gives the lines of `input` one by one, false at the end. Of a line too long for ImportJsonl only so much is read
/// that ImportJsonl refuses it: memory and time stay bounded whatever the input. `input` outlives the function.
std::function<bool(std::string* line)> ImportLines(std::istream& input);

}  // namespace mmtune
