// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the tests of the coordinator's work begin with: a job, and workers for it.
#pragma once

#include <gtest/gtest.h>

#include <string>

#include "tests/server/coordinator_harness.h"

namespace mmtune {

class CoordinatorWorkTest : public testing::Test {
 protected:
  std::string StartJob(const v1::JobSpec& spec = FreeJob()) { return h_.StartJob(spec); }

  CoordinatorHarness h_;
};

}  // namespace mmtune
