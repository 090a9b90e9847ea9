// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A writer killed at random: what it acknowledged is in the log, and groups are whole.
#include <cstdio>
#include <random>
#include <thread>

#include "absl/strings/str_cat.h"
#include "proto/base/subprocess.h"
#include "tests/db/log_testing.h"
#include "tests/test_seed.h"

namespace mmtune::testing {
namespace {

constexpr int kKills = 30;
constexpr int64_t kNumbersPerRound = 1000000;
constexpr std::chrono::seconds kFrameTimeout{60};

absl::StatusOr<Subprocess> StartWriter(const std::string& path, const std::string& mode, int round, uint32_t seed) {
  SubprocessOptions options;
  options.argv = {MMTUNE_LOG_WRITER_CHILD, path, mode, absl::StrCat(round * kNumbersPerRound), absl::StrCat(seed)};
  options.channel_fd = 3;
  return Subprocess::Spawn(options);
}

bool ReadAck(int channel, std::vector<Group>* acked) {
  absl::StatusOr<std::string> frame = ReadFrame(channel, kFrameTimeout);
  if (!frame.ok()) return false;
  Group group;
  EXPECT_EQ(sscanf(frame->c_str(), "%ld %ld", &group.first, &group.last), 2);
  acked->push_back(group);
  return true;
}

/// Kills a writer of this seed some acknowledgements and `delay` after its start; all it acknowledged is added to
/// `acked`.
void RunAndKill(const std::string& path, const std::string& mode, int round, uint32_t seed, int acks,
                std::chrono::microseconds delay, std::vector<Group>* acked) {
  absl::StatusOr<Subprocess> writer = StartWriter(path, mode, round, seed);
  ASSERT_OK(writer);
  for (int ack = 0; ack < acks; ++ack) ASSERT_TRUE(ReadAck(writer->channel(), acked)) << "the writer died by itself";
  // Not to wait for anything: to hit the writer at another point of its work every time.
  std::this_thread::sleep_for(delay);
  ExitStatus exit = writer->Kill();
  ASSERT_EQ(exit.signal, 9) << exit.Text();
  while (ReadAck(writer->channel(), acked)) {
  }
}

TEST(LogCrashTest, KilledWritersLoseNothingAcknowledged) {
  TempFolder folder;
  std::string path = folder.File("log.db");
  std::mt19937_64 random(FreshTestSeed());
  std::vector<Group> acked;
  for (int round = 0; round < kKills; ++round) {
    SCOPED_TRACE(absl::StrCat("kill ", round));
    const auto seed = static_cast<uint32_t>(random() % 1000000);
    const int acks = static_cast<int>(random() % 12);
    RunAndKill(path, "commit", round, seed, acks, std::chrono::microseconds(random() % 4000), &acked);
    ASSERT_EQ(CheckLog(path, acked), 0);
    if (HasFailure()) return;
  }
  EXPECT_GT(acked.size(), static_cast<size_t>(kKills));
}

// The control: the same kills find out a writer that acknowledges too early.
TEST(LogCrashTest, AcknowledgingBeforeTheCommitIsCaught) {
  TempFolder folder;
  std::string path = folder.File("log.db");
  const auto seed = static_cast<uint32_t>(TestSeed(0));
  std::vector<Group> acked;
  int64_t lost = 0;
  for (int round = 0; round < kKills && lost == 0; ++round) {
    RunAndKill(path, "ack-first", round, seed + round, 1 + round % 5, std::chrono::microseconds(0), &acked);
    lost = CheckLog(path, acked);
    ASSERT_GE(lost, 0);
  }
  EXPECT_GT(lost, 0);
}

}  // namespace
}  // namespace mmtune::testing
