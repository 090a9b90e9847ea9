// The functions of abi.h that are defined here.
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace mmtune::simt {

/// Names and addresses, for the linker of compiled objects.
std::vector<std::pair<std::string, void*>> OpSymbols();

}  // namespace mmtune::simt
