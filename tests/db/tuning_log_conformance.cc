// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tests/db/tuning_log_conformance.h"

#include <functional>
#include <vector>

#include "absl/strings/str_cat.h"
#include "proto/base/status.h"

namespace mmtune::testing {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::SizeIs;

TEST_P(TuningLogConformance, JobsComeBackAsInserted) {
  JobRow second = TestJob("job-2");
  second.state = JobState::kRunning;
  second.message = "why";
  absl::StatusOr<int64_t> id = log_->InsertJob(second);
  ASSERT_OK(id);
  Reopen();
  absl::StatusOr<std::vector<JobRow>> jobs = log_->UnfinishedJobs();
  ASSERT_OK(jobs);
  ASSERT_THAT(*jobs, SizeIs(2));
  const JobRow& job = (*jobs)[1];
  EXPECT_EQ(job.id, *id);
  EXPECT_EQ(job.uuid, "job-2");
  EXPECT_EQ(log_->FindJob("job-2")->value().id, *id);
  EXPECT_EQ(log_->FindJobById(*id)->value().uuid, "job-2");
  EXPECT_EQ(log_->FindJobByRequest(second.client_request_id)->value().uuid, "job-2");
  EXPECT_FALSE(log_->FindJob("job")->has_value());
  EXPECT_FALSE(log_->FindJobById(*id + 1)->has_value());
  EXPECT_FALSE(log_->FindJobByRequest("job-2")->has_value());
  EXPECT_EQ(job.client_request_id, second.client_request_id);
  EXPECT_EQ(job.spec, second.spec);
  EXPECT_EQ(job.spec_digest, "digest");
  EXPECT_EQ(job.problem, second.problem);
  EXPECT_EQ(job.state, JobState::kRunning);
  EXPECT_EQ(job.message, "why");
  EXPECT_EQ(job.created_unix_millis, second.created_unix_millis);
}

TEST_P(TuningLogConformance, AClientRequestIdNamesOneJob) {
  JobRow again = TestJob("job-2");
  again.client_request_id = TestJob("job-1").client_request_id;
  EXPECT_EQ(CodeOf(log_->InsertJob(again)), absl::StatusCode::kAlreadyExists);
  EXPECT_EQ(log_->FindJobByRequest(again.client_request_id)->value().uuid, "job-1");
  EXPECT_THAT(*log_->UnfinishedJobs(), SizeIs(1));
}

TEST_P(TuningLogConformance, EveryJobStateIsKept) {
  for (JobState state : {JobState::kWaiting, JobState::kRunning, JobState::kDone, JobState::kCancelled,
                         JobState::kFailed, JobState::kInterrupted}) {
    ASSERT_OK(log_->SetJobState(job_id_, state, JobStateName(state)));
    const JobRow job = log_->FindJobById(job_id_)->value();
    EXPECT_EQ(job.state, state);
    EXPECT_EQ(job.message, JobStateName(state));
    EXPECT_THAT(*log_->UnfinishedJobs(), SizeIs(IsFinal(state) ? 0 : 1));
    EXPECT_EQ(*ParseJobState(JobStateName(state)), state);
  }
  EXPECT_EQ(CodeOf(log_->SetJobState(999, JobState::kDone, "")), absl::StatusCode::kNotFound);
}

TEST_P(TuningLogConformance, ACandidateIsInsertedOnce) {
  absl::StatusOr<int64_t> first = log_->InsertCandidate(job_id_, TestSchedule(1));
  absl::StatusOr<int64_t> other = log_->InsertCandidate(job_id_, TestSchedule(2));
  absl::StatusOr<int64_t> again = log_->InsertCandidate(job_id_, TestSchedule(1));
  ASSERT_OK(first);
  ASSERT_OK(other);
  ASSERT_OK(again);
  EXPECT_EQ(*first, *again);
  EXPECT_NE(*first, *other);
  ASSERT_OK(log_->SetCandidateState(*other, CandidateState::kDone));
  const int64_t third = log_->InsertCandidate(job_id_, TestSchedule(3)).value();
  // As it is already, then not, and then again.
  for (CandidateState state : {CandidateState::kQueued, CandidateState::kLeased, CandidateState::kQueued}) {
    ASSERT_OK(log_->SetCandidateState(third, state));
    EXPECT_EQ(log_->FindCandidate(third).value()->state, state);
  }
  Reopen();
  std::vector<CandidateRow> candidates = *log_->Candidates(job_id_);
  ASSERT_THAT(candidates, SizeIs(3));
  EXPECT_EQ(candidates[0].schedule, TestSchedule(1));
  EXPECT_EQ(candidates[0].state, CandidateState::kQueued);
  EXPECT_EQ(candidates[0].job_id, job_id_);
  EXPECT_EQ(candidates[1].state, CandidateState::kDone);
  EXPECT_EQ(candidates[2].state, CandidateState::kQueued);
  EXPECT_EQ(CodeOf(log_->InsertCandidate(999, TestSchedule(1))), absl::StatusCode::kNotFound);
  EXPECT_EQ(CodeOf(log_->SetCandidateState(999, CandidateState::kDone)), absl::StatusCode::kNotFound);
}

TEST_P(TuningLogConformance, ACandidateHasOneLiveAttempt) {
  int64_t candidate = AddLeasedCandidate(*log_, job_id_, 1);
  AttemptRow second{TestToken(1, 2), candidate, 2, "worker-2", "GPU-1", AttemptState::kLive, ""};
  EXPECT_EQ(CodeOf(log_->InsertAttempt(second)), absl::StatusCode::kFailedPrecondition);
  ASSERT_OK(log_->EndAttempt(TestToken(1), AttemptState::kExpired, "lease ran out"));
  ASSERT_OK(log_->InsertAttempt(second));
  Reopen();
  std::vector<AttemptRow> live = *log_->LiveAttempts();
  ASSERT_THAT(live, SizeIs(1));
  EXPECT_EQ(live[0].token, TestToken(1, 2));
  EXPECT_EQ(live[0].candidate_id, candidate);
  EXPECT_EQ(live[0].number, 2);
  EXPECT_EQ(live[0].worker, "worker-2");
  EXPECT_EQ(live[0].device_uuid, "GPU-1");
  std::optional<AttemptRow> ended = *log_->FindAttempt(TestToken(1));
  ASSERT_TRUE(ended.has_value());
  EXPECT_EQ(ended->state, AttemptState::kExpired);
  EXPECT_EQ(ended->detail, "lease ran out");
  EXPECT_FALSE(log_->FindAttempt("nobody's")->has_value());
  EXPECT_EQ(CodeOf(log_->EndAttempt("nobody's", AttemptState::kFailed, "")), absl::StatusCode::kNotFound);
  EXPECT_EQ(CodeOf(log_->InsertAttempt({"t", 999, 1, "w", "d", AttemptState::kLive, ""})), absl::StatusCode::kNotFound);
}

TEST_P(TuningLogConformance, AnAttemptDoesNotEndAsLive) {
  AddLeasedCandidate(*log_, job_id_, 1);
  EXPECT_EQ(CodeOf(log_->EndAttempt(TestToken(1), AttemptState::kLive, "")), absl::StatusCode::kInvalidArgument);
  EXPECT_THAT(*log_->LiveAttempts(), SizeIs(1));
}

TEST_P(TuningLogConformance, ChangesOfAGroupAreReadInTheGroup) {
  ASSERT_OK(log_->Begin());
  const int64_t candidate = AddLeasedCandidate(*log_, job_id_, 1);
  EXPECT_EQ(log_->FindCandidate(candidate).value()->state, CandidateState::kLeased);
  EXPECT_THAT(*log_->LiveAttempts(), SizeIs(1));
  ASSERT_OK(log_->EndAttempt(TestToken(1), AttemptState::kExpired, "lease ran out"));
  ASSERT_OK(log_->InsertAttempt({TestToken(1, 2), candidate, 2, "worker-2", "GPU-1", AttemptState::kLive, ""}));
  EXPECT_EQ(log_->FindAttempt(TestToken(1)).value()->state, AttemptState::kExpired);
  EXPECT_EQ(log_->FindAttempt(TestToken(1, 2)).value()->state, AttemptState::kLive);
  ASSERT_OK(log_->InsertRecord(TestToken(1, 2), RecordOfJob("job-1", 1)));
  ASSERT_OK(log_->EndAttempt(TestToken(1, 2), AttemptState::kReported, ""));
  ASSERT_OK(log_->SetCandidateState(candidate, CandidateState::kDone));
  EXPECT_EQ(log_->Candidates(job_id_)->at(0).state, CandidateState::kDone);
  EXPECT_THAT(*log_->LiveAttempts(), IsEmpty());
  ASSERT_OK(log_->Commit());
  Reopen();
  EXPECT_EQ(log_->FindCandidate(candidate).value()->state, CandidateState::kDone);
  EXPECT_EQ(log_->FindAttempt(TestToken(1, 2)).value()->state, AttemptState::kReported);
}

TEST_P(TuningLogConformance, AnAttemptThatBeginsAndEndsInAGroupIsStored) {
  ASSERT_OK(log_->Begin());
  const int64_t candidate = AddLeasedCandidate(*log_, job_id_, 1);
  ASSERT_OK(log_->EndAttempt(TestToken(1), AttemptState::kFailed, "why \"so\""));
  ASSERT_OK(log_->InsertAttempt({TestToken(1, 2), candidate, 2, "worker-2", "GPU-1", AttemptState::kLive, ""}));
  ASSERT_OK(log_->Commit());
  EXPECT_EQ(log_->FindAttempt(TestToken(1)).value()->state, AttemptState::kFailed);
  EXPECT_EQ(log_->FindAttempt(TestToken(1)).value()->detail, "why \"so\"");
  EXPECT_THAT(*log_->LiveAttempts(), SizeIs(1));
}

TEST_P(TuningLogConformance, AGroupThatChangesWhatIsNotThereIsNotStored) {
  const int64_t candidate = AddLeasedCandidate(*log_, job_id_, 1);
  const auto code_of = [&](const std::function<absl::Status()>& change) {
    EXPECT_OK(log_->Begin());
    Import(TestRecord(7));
    absl::Status status = change();
    if (status.ok()) status = log_->Commit();
    log_->Rollback();
    EXPECT_THAT(Uuids(log_->Query({}, 0, 10)), IsEmpty());
    return status.code();
  };
  EXPECT_EQ(code_of([&] { return log_->SetCandidateState(999, CandidateState::kDone); }), absl::StatusCode::kNotFound);
  EXPECT_EQ(code_of([&] { return log_->EndAttempt("nobody's", AttemptState::kReported, ""); }),
            absl::StatusCode::kNotFound);
  EXPECT_EQ(
      code_of([&] { return log_->InsertAttempt({TestToken(1, 2), candidate, 2, "w", "d", AttemptState::kLive, ""}); }),
      absl::StatusCode::kFailedPrecondition);
  EXPECT_EQ(
      code_of([&] { return log_->InsertAttempt({TestToken(1), candidate, 2, "w", "d", AttemptState::kReported, ""}); }),
      absl::StatusCode::kAlreadyExists);
}

TEST_P(TuningLogConformance, ARepeatedGroupFindsWhatIsStored) {
  const TuningRecord import = TestRecord(7);
  const auto repeat = [&](const std::function<absl::Status(int64_t candidate)>& lease) -> absl::Status {
    EXPECT_OK(log_->Begin());
    const absl::StatusOr<int64_t> candidate = log_->InsertCandidate(job_id_, TestSchedule(1));
    EXPECT_OK(candidate);
    absl::Status status = lease(*candidate);
    if (status.ok()) status = log_->SetCandidateState(*candidate, CandidateState::kDone);
    if (status.ok()) status = log_->InsertRecord(TestToken(1), RecordOfJob("job-1", 1)).status();
    if (status.ok()) status = log_->EndAttempt(TestToken(1), AttemptState::kReported, "");
    if (status.ok()) status = log_->InsertRecord("", import).status();
    if (status.ok()) status = log_->Commit();
    log_->Rollback();
    return status;
  };
  const auto insert = [&](int64_t candidate) {
    return log_->InsertAttempt({TestToken(1), candidate, 1, "w", "d", AttemptState::kLive, ""});
  };
  const auto insert_if_new = [&](int64_t candidate) {
    const absl::StatusOr<std::optional<AttemptRow>> attempt = log_->FindAttempt(TestToken(1));
    EXPECT_OK(attempt);
    return attempt->has_value() ? absl::OkStatus() : insert(candidate);
  };
  ASSERT_OK(repeat(insert));
  EXPECT_EQ(repeat(insert).code(), absl::StatusCode::kAlreadyExists);
  EXPECT_OK(repeat(insert_if_new));
  EXPECT_THAT(*log_->Candidates(job_id_), SizeIs(1));
  EXPECT_THAT(Uuids(log_->Query({}, 0, 10)), SizeIs(2));
  EXPECT_EQ(log_->FindAttempt(TestToken(1)).value()->state, AttemptState::kReported);
}

TEST_P(TuningLogConformance, AJobOfNoProblemIsRefused) {
  JobRow job = TestJob("job-2");
  job.problem.m = 0;
  EXPECT_EQ(CodeOf(log_->InsertJob(job)), absl::StatusCode::kInvalidArgument);
  EXPECT_THAT(*log_->UnfinishedJobs(), SizeIs(1));
}

TEST_P(TuningLogConformance, AGroupIsStoredTogether) {
  ASSERT_OK(log_->Begin());
  Import(TestRecord(1));
  Import(TestRecord(2));
  EXPECT_THAT(Uuids(log_->Query({}, 0, 10)), SizeIs(2)) << "the writer reads what it wrote";
  auto reader = GetParam().open_reader(folder_.path());
  ASSERT_NE(reader, nullptr);
  EXPECT_THAT(Uuids(reader->Query({}, 0, 10)), IsEmpty());
  ASSERT_OK(log_->Commit());
  EXPECT_THAT(Uuids(reader->Query({}, 0, 10)), SizeIs(2));
}

TEST_P(TuningLogConformance, ARollbackLeavesNothing) {
  ASSERT_OK(log_->Begin());
  TuningRecord record = TestRecord(1);
  record.device.name = "gone with the rollback";
  Import(record);
  EXPECT_OK(log_->Get(record.uuid));
  log_->Rollback();
  EXPECT_THAT(Uuids(log_->Query({}, 0, 10)), IsEmpty());
  // Its device's row id is free again: the next device must not be taken for the old one.
  TuningRecord next = TestRecord(2);
  next.device.name = "the next device";
  Import(next);
  EXPECT_EQ(log_->Get(next.uuid)->device.name, "the next device");
}

TEST_P(TuningLogConformance, AnUncommittedGroupIsLostOnClose) {
  ASSERT_OK(log_->Begin());
  Import(TestRecord(1));
  Reopen();
  EXPECT_THAT(Uuids(log_->Query({}, 0, 10)), IsEmpty());
  EXPECT_THAT(*log_->UnfinishedJobs(), SizeIs(1));
}

TEST_P(TuningLogConformance, ARefusedCallDoesNotSpoilItsGroup) {
  ASSERT_OK(log_->Begin());
  Import(TestRecord(1));
  EXPECT_EQ(CodeOf(log_->InsertJob(TestJob("job-1"))), absl::StatusCode::kAlreadyExists);
  EXPECT_EQ(CodeOf(log_->InsertRecord("nobody's", TestRecord(2))), absl::StatusCode::kNotFound);
  EXPECT_OK(log_->Commit());
  Reopen();
  EXPECT_THAT(Uuids(log_->Query({}, 0, 10)), ElementsAre(TestUuid(1)));
}

TEST_P(TuningLogConformance, GroupsDoNotNest) {
  EXPECT_EQ(CodeOf(log_->Commit()), absl::StatusCode::kFailedPrecondition);
  ASSERT_OK(log_->Begin());
  EXPECT_EQ(CodeOf(log_->Begin()), absl::StatusCode::kFailedPrecondition);
  EXPECT_OK(log_->Commit());
  log_->Rollback();  // of nothing
  EXPECT_OK(log_->Begin());
  log_->Rollback();
}

TEST_P(TuningLogConformance, NotesAboutWorkersAreKeptInTheirOrder) {
  EXPECT_THAT(*log_->WorkerNotes(), IsEmpty());
  ASSERT_OK(log_->AddWorkerNote({WorkerNoteKind::kContradicted, "gpu-a/\"x\"\n1", "gpu-b at ipv4:10.0.0.2", 17}));
  ASSERT_OK(log_->AddWorkerNote({WorkerNoteKind::kCleared, "7", "", 16}));
  ASSERT_OK(log_->Begin());
  ASSERT_OK(log_->AddWorkerNote({WorkerNoteKind::kQuarantined, "undone", "", 18}));
  log_->Rollback();
  ASSERT_OK(log_->AddWorkerNote({WorkerNoteKind::kQuarantined, "gpu-c", "it lied", 19}));
  Reopen();
  const auto texts = [](const std::vector<WorkerNote>& notes) {
    std::vector<std::string> lines;
    for (const WorkerNote& note : notes) {
      lines.push_back(absl::StrCat(ToAbsl(WorkerNoteKindName(note.kind)), "|", note.worker, "|", note.about, "|",
                                   note.unix_millis));
    }
    return lines;
  };
  EXPECT_THAT(texts(*log_->WorkerNotes()), ElementsAre("worker_contradicted|gpu-a/\"x\"\n1|gpu-b at ipv4:10.0.0.2|17",
                                                       "worker_cleared|7||16", "worker_quarantined|gpu-c|it lied|19"));
}

TEST_P(TuningLogConformance, ReadersSeeWhatTheWriterCommits) {
  auto reader = GetParam().open_reader(folder_.path());
  ASSERT_NE(reader, nullptr);
  EXPECT_THAT(*reader->UnfinishedJobs(), SizeIs(1));
  int64_t candidate = AddLeasedCandidate(*log_, job_id_, 1);
  ASSERT_OK(log_->InsertRecord(TestToken(1), RecordOfJob("job-1", 1)));
  EXPECT_THAT(Uuids(reader->Best({}, 10)), ElementsAre(TestUuid(1)));
  EXPECT_EQ(reader->Candidates(job_id_)->at(0).id, candidate);
  EXPECT_THAT(*reader->LiveAttempts(), SizeIs(1));
}

}  // namespace mmtune::testing
