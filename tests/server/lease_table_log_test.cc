// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Whatever happens to candidates, the table's memory and the log say the same of them: on the simulations' log and on
// the real one.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <functional>
#include <memory>
#include <optional>
#include <random>
#include <set>
#include <string>
#include <tuple>
#include <vector>

#include "absl/strings/str_cat.h"
#include "proto/base/status.h"
#include "server/coordinator/lease_table.h"
#include "server/coordinator/log_writer.h"
#include "tests/db/log_testing.h"
#include "tests/fake_clock.h"
#include "tests/server/fake_tuning_log.h"
#include "tests/test_seed.h"

namespace mmtune {
namespace {

using std::chrono::seconds;

constexpr int kJobs = 2;
constexpr int kSchedules = 12;
constexpr int kGroups = 40;

/// Opens the log over what was committed to it.
using OpenLog = std::function<std::unique_ptr<TuningLog>()>;

/// The part of a lease that the log has, too.
template <typename Lease>
auto Known(const Lease& lease, int64_t attempt) {
  return std::tuple(lease.token, lease.candidate_id, attempt, lease.worker, lease.device_uuid);
}
using KnownLeases = std::set<decltype(Known(LiveLease(), 0))>;

KnownLeases LeasesOf(const LeaseTable& table) {
  KnownLeases known;
  for (const LiveLease& lease : table.Leases()) known.insert(Known(lease, lease.attempt));
  return known;
}
KnownLeases LeasesOf(TuningLog& log) {
  KnownLeases known;
  const std::vector<AttemptRow> rows = log.LiveAttempts().value();
  for (const AttemptRow& row : rows) known.insert(Known(row, row.number));
  return known;
}

/// One life of a table and its log: groups of what happens, committed, undone or broken off.
class Life {
 public:
  Life(uint64_t seed, OpenLog open) : rng_(seed), open_(std::move(open)) {
    Restart();
    for (int i = 1; i <= kJobs; ++i) jobs_.push_back(*log_->InsertJob(testing::TestJob(absl::StrCat("job-", i))));
  }

  void Run() {
    for (int group = 0; group < kGroups && !::testing::Test::HasFailure(); ++group) {
      if (Draw(10) == 0) Restart();
      auto* fake = dynamic_cast<FakeTuningLog*>(log_.get());
      ASSERT_TRUE(log_->Begin().ok());
      if (fake != nullptr && Draw(3) == 0) fake->FailAfter(1 + Draw(12));
      absl::Status status = absl::OkStatus();
      for (int steps = 1 + Draw(8); status.ok() && steps > 0; --steps) status = Step();
      ASSERT_TRUE(status.ok() || (fake != nullptr && IsStorageFailure(status))) << status;
      if (fake != nullptr) fake->FailAfter(0);
      if (status.ok()) status = log_->UnfinishedJobs().status();  // it may have failed in a look of this test
      if (status.ok()) Compare();
      if (status.ok() && Draw(4) != 0) {
        ASSERT_TRUE(log_->Commit().ok());
        committed_ = done_;
      } else {
        log_->Rollback();
        Recover();
        ++undone_;
      }
      Compare();
      CompareReloaded();
    }
  }
  int undone() const { return undone_; }

 private:
  int Draw(int n) { return static_cast<int>(rng_() % static_cast<uint64_t>(n)); }
  int64_t AnyJob() { return jobs_[Draw(kJobs)]; }

  absl::Status Step();
  absl::Status Propose();
  absl::Status EndALease();
  absl::Status LetTimePass();
  void ExpectEnded(const std::string& token, AttemptState state) {
    const absl::StatusOr<std::optional<AttemptRow>> row = log_->FindAttempt(token);
    EXPECT_TRUE(!row.ok() || (*row)->state == state) << token;
  }

  std::unique_ptr<LeaseTable> MakeTable() {
    auto table = std::make_unique<LeaseTable>(LeaseOptions(), *transaction_, clock_,
                                              [this] { return absl::StrCat("token-", ++tokens_); });
    EXPECT_TRUE(table->Restore([](int64_t) { return std::chrono::hours(1); }).ok());
    return table;
  }
  void Recover() {
    leases_ = MakeTable();
    done_ = committed_;
  }
  void Restart() {
    leases_.reset();
    log_.reset();
    log_ = open_();
    transaction_ = std::make_unique<LogTransaction>(*log_);
    Recover();
  }
  void Compare();
  void CompareReloaded();

  std::mt19937_64 rng_;
  const OpenLog open_;
  FakeClock clock_;
  int tokens_ = 0;
  std::unique_ptr<TuningLog> log_;
  std::unique_ptr<LogTransaction> transaction_;
  std::unique_ptr<LeaseTable> leases_;
  std::vector<int64_t> jobs_;
  std::set<int64_t> done_, committed_;  ///< Candidates.
  int undone_ = 0;
};

absl::Status Life::Step() {
  switch (Draw(8)) {
    case 0:
    case 1:
      return Propose();
    case 2:
    case 3: {
      const std::string worker = absl::StrCat("worker-", Draw(3));
      return leases_
          ->Grant({worker, worker, "device", "", AnyJob(), 1 + Draw(3),
                   [others = Draw(2) == 0](const std::vector<std::string>&, std::string_view) { return others; }})
          .status();
    }
    case 4:
    case 5:
      return EndALease();
    case 6:
      return LetTimePass();
    default:
      if (Draw(4) != 0) return absl::OkStatus();
      if (Draw(2) == 0) return leases_->DropJob(AnyJob(), "its job was cancelled").status();
      leases_->DropQueued(AnyJob());
      return absl::OkStatus();
  }
}

absl::Status Life::Propose() {
  PendingCandidate candidate;
  candidate.job_id = AnyJob();
  candidate.schedule = testing::TestSchedule(Draw(kSchedules));
  candidate.start_to_close = seconds(50);
  candidate.awaited = true;
  ASSIGN_OR_RETURN(candidate.id, leases_->AddCandidate(candidate.job_id, candidate.schedule));
  if (leases_->Find(candidate.id) != nullptr) {
    leases_->MarkAwaited(candidate.id);
    return absl::OkStatus();
  }
  const int what = Draw(6);
  if (what > 1) {
    done_.erase(candidate.id);
    return leases_->Enqueue(candidate);
  }
  done_.insert(candidate.id);
  if (what == 0) return leases_->CompleteFromLog(candidate.id);
  const std::string token = absl::StrCat("own-", ++tokens_);
  RETURN_IF_ERROR(leases_->CompleteWithoutLease({token, candidate.id, 7, "server", "device", AttemptState::kLive, ""}));
  ExpectEnded(token, AttemptState::kReported);
  return absl::OkStatus();
}

absl::Status Life::EndALease() {
  const std::vector<LiveLease> leases = leases_->Leases();
  if (leases.empty()) return absl::OkStatus();
  const LiveLease& lease = leases[Draw(static_cast<int>(leases.size()))];
  switch (Draw(4)) {
    case 0:
      RETURN_IF_ERROR(leases_->Complete(lease.token));
      done_.insert(lease.candidate_id);
      ExpectEnded(lease.token, AttemptState::kReported);
      break;
    case 1:
      RETURN_IF_ERROR(leases_->Release(lease.token));
      ExpectEnded(lease.token, AttemptState::kReleased);
      break;
    case 2:
      if (!leases_->Disputed(lease.token).empty()) break;
      RETURN_IF_ERROR(leases_->Dispute(lease.token, {.worker = lease.worker, .trust_domain = lease.worker}));
      ExpectEnded(lease.token, AttemptState::kReported);
      break;
    default:
      ASSIGN_OR_RETURN(const LeaseOutcome outcome, leases_->Fail(lease.token, "out of disk"));
      if (outcome == LeaseOutcome::kGivenUp) done_.insert(lease.candidate_id);
      ExpectEnded(lease.token, AttemptState::kFailed);
  }
  return absl::OkStatus();
}

absl::Status Life::LetTimePass() {
  for (const LiveLease& lease : leases_->Leases()) {
    if (Draw(3) != 0) leases_->Extend(lease.token, lease.worker);
  }
  clock_.Advance(seconds(Draw(40)));
  while (true) {
    ASSIGN_OR_RETURN(const std::optional<LostLease> lost, leases_->ExpireNext());
    if (!lost) return absl::OkStatus();
    if (lost->outcome == LeaseOutcome::kGivenUp) done_.insert(lost->candidate.id);
    ExpectEnded(lost->lease.token, AttemptState::kExpired);
  }
}

void Life::Compare() {
  const KnownLeases live = LeasesOf(*leases_);
  EXPECT_EQ(LeasesOf(*log_), live);
  std::set<int64_t> leased;
  for (const LiveLease& lease : leases_->Leases()) leased.insert(lease.candidate_id);
  for (int64_t job : jobs_) {
    int64_t held = 0, awaited = 0;
    const std::vector<CandidateRow> rows = log_->Candidates(job).value();
    for (const CandidateRow& row : rows) {
      const PendingCandidate* candidate = leases_->Find(row.id);
      held += candidate != nullptr;
      awaited += candidate != nullptr && candidate->awaited;
      const CandidateState expected = leased.contains(row.id)  ? CandidateState::kLeased
                                      : done_.contains(row.id) ? CandidateState::kDone
                                                               : CandidateState::kQueued;
      EXPECT_EQ(row.state, expected) << "candidate " << row.id;
      EXPECT_TRUE(candidate == nullptr || !done_.contains(row.id)) << "candidate " << row.id;
    }
    EXPECT_EQ(leases_->Queued(job) + leases_->Live(job), held);
    EXPECT_EQ(leases_->Awaited(job), awaited);
  }
}

void Life::CompareReloaded() {
  const std::unique_ptr<LeaseTable> reloaded = MakeTable();
  ASSERT_EQ(LeasesOf(*reloaded), LeasesOf(*leases_));
  for (const LiveLease& lease : reloaded->Leases()) {
    const PendingCandidate *again = reloaded->Find(lease.candidate_id), *held = leases_->Find(lease.candidate_id);
    EXPECT_EQ(again->job_id, held->job_id);
    EXPECT_EQ(again->schedule, held->schedule);
    EXPECT_EQ(again->attempts, held->attempts);
    // Memory forgets those of a job that was dropped and comes again.
    EXPECT_THAT(reloaded->Disputed(lease.token), ::testing::IsSupersetOf(leases_->Disputed(lease.token)));
  }
  for (int64_t job : jobs_) EXPECT_EQ(reloaded->Live(job), leases_->Live(job));
}

TEST(LeaseTableLog, MatchesMemoryAfterAnyFailingCall) {
  const uint64_t first = FreshTestSeed(), count = TestCount(300, 10000);
  uint64_t undone = 0;
  for (uint64_t seed = first; seed < first + count && !HasFailure(); ++seed) {
    SCOPED_TRACE(absl::StrCat("MMTUNE_TEST_SEED=", seed, " MMTUNE_TEST_COUNT=1"));
    FakeLogStorage storage;
    Life life(seed, [&storage] { return std::make_unique<FakeTuningLog>(storage); });
    life.Run();
    undone += life.undone();
  }
  EXPECT_GE(undone, count);
}

TEST(LeaseTableLog, MatchesMemoryInAFile) {
  const uint64_t first = FreshTestSeed(), count = TestCount(4, 200);
  for (uint64_t seed = first; seed < first + count && !HasFailure(); ++seed) {
    SCOPED_TRACE(absl::StrCat("MMTUNE_TEST_SEED=", seed, " MMTUNE_TEST_COUNT=1"));
    TempFolder folder;
    Life life(seed, [&folder] { return testing::OpenOrFail(folder.File("tuning.db")); });
    life.Run();
  }
}

}  // namespace
}  // namespace mmtune
