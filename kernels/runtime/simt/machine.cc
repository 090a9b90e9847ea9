// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "kernels/runtime/simt/machine.h"

#include <sys/utsname.h>

#include <fstream>

namespace mmtune::simt {
namespace {

utsname SystemNames() {
  utsname names{};
  uname(&names);
  return names;
}

}  // namespace

std::string ProcessorName() {
  std::ifstream cpuinfo("/proc/cpuinfo");
  for (std::string line; std::getline(cpuinfo, line);) {
    const size_t colon = line.find(": ");
    if (line.rfind("model name", 0) == 0 && colon != std::string::npos) return line.substr(colon + 2);
  }
  return SystemNames().machine;
}

std::string HostName() { return SystemNames().nodename; }

}  // namespace mmtune::simt
