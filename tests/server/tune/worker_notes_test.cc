// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "server/tune/session/local_worker.h"

#include <unistd.h>

#include <cstdio>
#include <fstream>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "proto/base/log.h"
#include "proto/wire/convert.h"

namespace mmtune {
namespace {

class WorkerNotesTest : public testing::Test {
 protected:
  WorkerNotesTest() { std::remove(path_.c_str()); }
  ~WorkerNotesTest() override { std::remove(path_.c_str()); }

  void Write(const std::string& text) { std::ofstream(path_, std::ios::app) << text; }
  /// A line of the worker's log.
  static std::string WaitLine(const std::string& holder) {
    testing::internal::CaptureStderr();
    LogWarning(kWaitsForDevice, {{"held_by", holder}, {"lock", "/run/lock/x.lock"}});
    return testing::internal::GetCapturedStderr();
  }

  const std::string path_ = testing::TempDir() + "/worker-notes-" + std::to_string(getpid());
  WorkerNotes notes_{path_};
};

TEST_F(WorkerNotesTest, EveryWaitIsToldOnceAndInPlainText) {
  EXPECT_THAT(notes_.Read(), testing::IsEmpty()) << "no file yet";
  const std::string line = WaitLine("process 7 (mmtune-worker)");
  Write("2026-01-01T00:00:00Z warning measured_again lease=x\n" + line.substr(0, 30));
  EXPECT_THAT(notes_.Read(), testing::IsEmpty()) << "half a line";
  Write(line.substr(30));
  EXPECT_THAT(notes_.Read(), testing::ElementsAre("waiting for the device: held by process 7 (mmtune-worker), lock "
                                                  "/run/lock/x.lock; --wait bounds this"));
  EXPECT_THAT(notes_.Read(), testing::IsEmpty());
  Write(WaitLine("process 8 (\x1b[1mx)"));
  EXPECT_THAT(notes_.Read(), testing::ElementsAre(testing::Not(testing::HasSubstr("\x1b"))));
}

}  // namespace
}  // namespace mmtune
