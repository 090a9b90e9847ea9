// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A program in place of nvdisasm.
#pragma once

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <cstdlib>
#include <fstream>
#include <string>

#include "proto/base/folders.h"

namespace mmtune {

class FakeDisassembler {
 public:
  /// The shell commands that replace it.
  explicit FakeDisassembler(const std::string& script) {
    const std::string path = folder_.path() + "/nvdisasm";
    std::ofstream(path) << "#!/bin/sh\n" << script << "\n";
    EXPECT_EQ(chmod(path.c_str(), 0755), 0);
    setenv("MMTUNE_NVDISASM", path.c_str(), 1);
  }
  ~FakeDisassembler() { unsetenv("MMTUNE_NVDISASM"); }

 private:
  const OwnedFolder folder_ = OwnedFolder::Temporary("mmtune-test-").value();
};

}  // namespace mmtune
