// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <stdlib.h>
#include <sys/stat.h>

#include <filesystem>
#include <fstream>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "server/tune/session/console.h"
#include "server/tune/session/local_worker.h"
#include "tests/temp_folder.h"

namespace mmtune {
namespace {

namespace fs = std::filesystem;

TEST(ProgramsOnPathTest, TheFirstThatCanBeRunIsTaken) {
  const TempFolder temporary;
  const std::string& folder = temporary.path();
  for (const char* name : {"none", "not_executable", "first", "second"}) {
    fs::create_directories(folder + "/" + name);
    if (name == std::string("none")) continue;
    for (const char* program : {"/mmtune-worker"}) {
      const std::string file = folder + "/" + name + program;
      std::ofstream(file) << "#!/bin/sh\n";
      ASSERT_EQ(chmod(file.c_str(), name == std::string("not_executable") ? 0600 : 0700), 0);
    }
  }
  const std::string old = getenv("PATH") ? getenv("PATH") : "";
  setenv("PATH", (folder + "/none:" + folder + "/not_executable::" + folder + "/first:" + folder + "/second").c_str(),
         1);
  const auto worker = FindWorkerExecutable();
  setenv("PATH", (folder + "/none").c_str(), 1);
  const auto no_worker = FindWorkerExecutable();
  setenv("PATH", old.c_str(), 1);
  EXPECT_EQ(worker.value_or(""), folder + "/first/mmtune-worker");
  EXPECT_EQ(ExitCodeOf(no_worker.status()), ExitCode::kDevice);
  EXPECT_THAT(std::string(no_worker.status().message()), testing::HasSubstr("there is no mmtune-worker in "));
}

}  // namespace
}  // namespace mmtune
