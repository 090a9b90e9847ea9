// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "db/copy_records.h"

#include "tests/db/log_testing.h"

namespace mmtune::testing {
namespace {

class CopyRecordsTest : public ::testing::Test {
 protected:
  void SetUp() override {
    from_ = OpenOrFail(folder_.File("from.db"));
    to_ = OpenOrFail(folder_.File("to.db"));
    ASSERT_NE(from_, nullptr);
    ASSERT_NE(to_, nullptr);
  }
  absl::StatusOr<ImportResult> Copy() {
    return CopyRecords(*from_, *to_, [this](const ImportResult&) { ++groups_; });
  }
  int64_t Count() {
    int64_t count = 0;
    RecordFilter all;
    all.include_non_canonical = true;
    EXPECT_OK(to_->ForEachBrief(all, [&count](const RecordBrief&) { ++count; }));
    return count;
  }

  TempFolder folder_;
  std::unique_ptr<TuningLog> from_, to_;
  int groups_ = 0;
};

TEST_F(CopyRecordsTest, EveryRecordIsCopiedAndARepetitionAddsNothing) {
  TuningRecord late = TestRecord(2);
  late.canonical = false;
  for (const TuningRecord& record : {TestRecord(1), late}) ASSERT_OK(from_->InsertRecord("", record));
  ASSERT_OK(to_->InsertRecord("", TestRecord(3)));
  const absl::StatusOr<ImportResult> first = Copy();
  ASSERT_OK(first);
  EXPECT_EQ(first->added, 2);
  EXPECT_EQ(WithoutId(*to_->Get(TestUuid(2))), WithoutId(late));
  const absl::StatusOr<ImportResult> again = Copy();
  ASSERT_OK(again);
  EXPECT_EQ(again->added, 0);
  EXPECT_EQ(again->present, 2);
  EXPECT_EQ(Count(), 3);
}

TEST_F(CopyRecordsTest, OfManyRecordsThoseThatAreMissingAreAdded) {
  constexpr int kRecords = 120;
  for (int number = 1; number <= kRecords; ++number) ASSERT_OK(from_->InsertRecord("", TestRecord(number)));
  for (const int number : {1, 7, 49, 50, 51, 110}) ASSERT_OK(to_->InsertRecord("", TestRecord(number)));
  const absl::StatusOr<ImportResult> copied = Copy();
  ASSERT_OK(copied);
  EXPECT_EQ(copied->added, kRecords - 6);
  EXPECT_EQ(copied->present, 6);
  EXPECT_EQ(Count(), kRecords);
  for (const int number : {7, 8, 50, 119})
    EXPECT_EQ(WithoutId(*to_->Get(TestUuid(number))), WithoutId(TestRecord(number)));
}

TEST_F(CopyRecordsTest, ARecordThatSaysSomethingElseIsAnErrorAndEarlierGroupsStay) {
  constexpr int kGroup = 10'000;
  ASSERT_OK(from_->Begin());
  for (int number = 1; number <= kGroup + 1; ++number) ASSERT_OK(from_->InsertRecord("", TestRecord(number)));
  ASSERT_OK(from_->Commit());
  TuningRecord other = TestRecord(kGroup + 1);
  other.worker = "another one";
  ASSERT_OK(to_->InsertRecord("", other));
  EXPECT_EQ(CodeOf(Copy()), absl::StatusCode::kInvalidArgument);
  EXPECT_EQ(groups_, 1);
  EXPECT_EQ(Count(), kGroup + 1);
}

}  // namespace
}  // namespace mmtune::testing
