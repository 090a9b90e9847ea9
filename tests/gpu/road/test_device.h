// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The device that the tests of this folder run on.
#pragma once

#include <cstdlib>
#include <string>

namespace mmtune {

/// $MMTUNE_TEST_DEVICE ("cuda:1", "simt"), else the first CUDA device.
inline std::string TestDevice() {
  const char* named = std::getenv("MMTUNE_TEST_DEVICE");
  return named != nullptr && *named != '\0' ? named : "cuda:0";
}

}  // namespace mmtune
