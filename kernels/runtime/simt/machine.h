// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the machine calls itself.
#pragma once

#include <string>

namespace mmtune::simt {

/// "AMD EPYC 9655"; the architecture's name when the system does not tell more.
std::string ProcessorName();
std::string HostName();

}  // namespace mmtune::simt
