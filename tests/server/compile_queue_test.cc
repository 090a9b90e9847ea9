// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "absl/strings/str_cat.h"
#include "server/coordinator/compile_queue.h"
#include "tests/fake_clock.h"

namespace mmtune {
namespace {

using std::chrono::seconds;
using testing::ElementsAre;
using testing::IsEmpty;
using testing::SizeIs;

class CompileQueueTest : public testing::Test {
 protected:
  void Ask(int64_t job, int64_t x) { tasks_.Enqueue(job, Schedule{"free", {{"x", x}}}); }
  std::vector<std::string> Give(int64_t job, std::string_view worker, std::string_view request, int most = 100) {
    return Tokens(tasks_.Assign(job, worker, request, most));
  }
  std::vector<std::string> Repeat(std::string_view worker, std::string_view request) {
    return Tokens(tasks_.AssignedTo(worker, request));
  }

  FakeClock clock_;
  int tokens_ = 0;
  CompileQueue tasks_{clock_, [this] { return absl::StrCat("t", ++tokens_); }};

 private:
  static std::vector<std::string> Tokens(const std::vector<const CompileTask*>& tasks) {
    std::vector<std::string> tokens;
    for (const CompileTask* task : tasks) tokens.push_back(task->token);
    return tokens;
  }
};

TEST_F(CompileQueueTest, AssignsEachTaskOnceOldestFirst) {
  for (int x = 1; x <= 3; ++x) Ask(7, x);
  EXPECT_THAT(Give(8, "a", "r"), IsEmpty()) << "of another job";
  EXPECT_THAT(Give(7, "a", "r", 0), IsEmpty());
  EXPECT_THAT(Give(7, "a", "r", 2), ElementsAre("t1", "t2"));
  EXPECT_THAT(Give(7, "b", "s"), ElementsAre("t3"));
  EXPECT_THAT(Give(7, "a", "r2"), IsEmpty());
  EXPECT_EQ(tasks_.HeldBy("a"), 2);
  EXPECT_EQ(tasks_.HeldBy("b"), 1);
  EXPECT_EQ(tasks_.HeldBy("c"), 0);
}

TEST_F(CompileQueueTest, CompletedTasksAreRemoved) {
  Ask(7, 1);
  Ask(7, 2);
  EXPECT_FALSE(tasks_.Complete("t1", "a")) << "nobody has got it";
  Give(7, "a", "r");
  EXPECT_FALSE(tasks_.Complete("t1", "thief"));
  EXPECT_FALSE(tasks_.Complete("t9", "a"));
  const std::optional<CompileTask> done = tasks_.Complete("t1", "a");
  ASSERT_TRUE(done);
  EXPECT_EQ(done->job_id, 7);
  EXPECT_EQ(done->schedule.params.at("x"), 1);
  EXPECT_FALSE(tasks_.Complete("t1", "a"));
  EXPECT_THAT(Repeat("a", "r"), ElementsAre("t2"));
}

TEST_F(CompileQueueTest, RepeatedRequestGetsTheSameTasks) {
  Ask(7, 1);
  Ask(9, 2);
  Give(7, "a", "r");
  Give(9, "a", "r");
  Ask(9, 3);
  Give(9, "a", "r2");
  EXPECT_THAT(Repeat("a", "r"), ElementsAre("t1", "t2"));
  EXPECT_THAT(Repeat("a", "r2"), ElementsAre("t3"));
  EXPECT_THAT(Repeat("b", "r"), IsEmpty());
  EXPECT_THAT(Repeat("a", "r3"), IsEmpty());
}

TEST_F(CompileQueueTest, ReassignsATaskAfterTheWorkerTimeout) {
  Ask(7, 1);
  Give(7, "a", "r");
  clock_.Advance(seconds(20) - std::chrono::milliseconds(1));
  EXPECT_THAT(Give(7, "b", "s"), IsEmpty());
  clock_.Advance(std::chrono::milliseconds(1));
  EXPECT_THAT(Give(7, "a", "r2"), IsEmpty()) << "it has it";
  EXPECT_THAT(Give(7, "b", "s"), ElementsAre("t1"));
  EXPECT_EQ(tasks_.HeldBy("a"), 0);
  EXPECT_EQ(tasks_.HeldBy("b"), 1);
  EXPECT_TRUE(tasks_.Complete("t1", "a")) << "who was late may still be the first";
  EXPECT_FALSE(tasks_.Complete("t1", "b"));
}

TEST_F(CompileQueueTest, ReturnsATaskAfterThreeAssignments) {
  Ask(7, 1);
  for (const char* request : {"r1", "r2"}) {
    ASSERT_THAT(Give(7, "a", request), SizeIs(1));
    EXPECT_FALSE(tasks_.Return("t1", "a")) << "somebody else may";
    EXPECT_EQ(tasks_.HeldBy("a"), 0);
  }
  ASSERT_THAT(Give(7, "b", "r3"), SizeIs(1));
  const std::optional<CompileTask> hopeless = tasks_.Return("t1", "b");
  ASSERT_TRUE(hopeless);
  EXPECT_EQ(hopeless->schedule.params.at("x"), 1);
  EXPECT_THAT(Give(7, "c", "r4"), IsEmpty());
  EXPECT_FALSE(tasks_.Return("t1", "b"));
  EXPECT_FALSE(tasks_.NextDeadline());
}

TEST_F(CompileQueueTest, AssignsATaskToAtMostThreeSilentWorkers) {
  Ask(7, 1);
  for (const char* worker : {"a", "b", "c"}) {
    EXPECT_THAT(Give(7, worker, "r"), SizeIs(1));
    // Each has its time, and the task has not yet had all of its own.
    if (*worker != 'c') clock_.Advance(seconds(20));
  }
  clock_.Advance(seconds(19));
  EXPECT_THAT(Give(7, "d", "r"), IsEmpty());
}

TEST_F(CompileQueueTest, HandingBackAReassignedTaskChangesNothing) {
  Ask(7, 1);
  Give(7, "a", "r");
  EXPECT_FALSE(tasks_.Return("t1", "thief"));
  EXPECT_EQ(tasks_.HeldBy("a"), 1);
  for (const char* next : {"b", "c"}) {
    clock_.Advance(seconds(20));
    ASSERT_THAT(Give(7, next, "s"), SizeIs(1));
    EXPECT_FALSE(tasks_.Return("t1", "a"));
    EXPECT_EQ(tasks_.HeldBy(next), 1);
  }
}

TEST_F(CompileQueueTest, ForgettingAWorkerFreesItsTasks) {
  Ask(7, 1);
  Ask(7, 2);
  Give(7, "a", "r", 1);
  Give(7, "b", "s", 1);
  tasks_.ForgetWorker("a");
  EXPECT_EQ(tasks_.HeldBy("a"), 0);
  EXPECT_EQ(tasks_.HeldBy("b"), 1);
  EXPECT_THAT(Repeat("a", "r"), IsEmpty());
  EXPECT_THAT(Give(7, "a", "r2"), ElementsAre("t1"));
}

TEST_F(CompileQueueTest, TasksExpireAfterTheTaskTimeout) {
  Ask(7, 1);
  clock_.Advance(seconds(5));
  Ask(9, 2);
  Ask(7, 3);
  EXPECT_EQ(tasks_.NextDeadline(), clock_.Now() + seconds(55));
  clock_.Advance(seconds(55) - std::chrono::milliseconds(1));
  EXPECT_THAT(tasks_.TakeOverdue(), IsEmpty());
  clock_.Advance(std::chrono::milliseconds(1));
  Give(7, "a", "r", 1);  // that somebody has it does not count
  std::vector<CompileTask> overdue = tasks_.TakeOverdue();
  ASSERT_THAT(overdue, SizeIs(1));
  EXPECT_EQ(overdue[0].token, "t1");
  EXPECT_FALSE(tasks_.Complete("t1", "a"));
  EXPECT_EQ(tasks_.NextDeadline(), clock_.Now() + seconds(5));
  clock_.Advance(seconds(5));
  overdue = tasks_.TakeOverdue();
  ASSERT_THAT(overdue, SizeIs(2));
  EXPECT_EQ(overdue[0].token, "t3") << "by jobs, in their order";
  EXPECT_EQ(overdue[1].token, "t2");
  EXPECT_FALSE(tasks_.NextDeadline());
  EXPECT_THAT(tasks_.TakeOverdue(), IsEmpty());
}

TEST_F(CompileQueueTest, DroppingAJobRemovesItsTasks) {
  Ask(7, 1);
  Ask(9, 2);
  Give(7, "a", "r");
  Give(9, "a", "r");
  tasks_.DropJob(7);
  EXPECT_FALSE(tasks_.Complete("t1", "a"));
  EXPECT_EQ(tasks_.HeldBy("a"), 1);
  tasks_.Clear();
  EXPECT_EQ(tasks_.HeldBy("a"), 0);
  EXPECT_FALSE(tasks_.NextDeadline());
}

}  // namespace
}  // namespace mmtune
