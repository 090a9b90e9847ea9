// Lines of an untrusted stream for ImportJsonl.
#pragma once

#include <functional>
#include <istream>
#include <string>

namespace mmtune {

/// Gives the lines of `input` one by one, false at the end. A line too long for ImportJsonl is the last one, and only
/// so much of it is read that ImportJsonl refuses it: memory and time stay bounded whatever the input. `input` outlives
/// the function.
std::function<bool(std::string* line)> ImportLines(std::istream& input);

}  // namespace mmtune
