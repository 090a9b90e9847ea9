// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <gtest/gtest.h>

#include "absl/strings/str_cat.h"
#include "server/coordinator/event_feed.h"
#include "tests/ok_measurement.h"

namespace mmtune {
namespace {

v1::JobEvent Event(const std::string& message) {
  v1::JobEvent event;
  event.set_message(message);
  return event;
}

TEST(JobFeedTest, ReadsInOrderFromAnyNumberToTheEnd) {
  JobFeed feed(100);
  feed.Append(Event("a"), false);
  feed.Append(Event("b"), true);
  JobFeed::Read first = feed.ReadAfter(0);
  ASSERT_NE(first.event, nullptr);
  EXPECT_EQ(first.event->seq(), 100);
  EXPECT_EQ(feed.ReadAfter(100).event->message(), "b");
  JobFeed::Read end = feed.ReadAfter(101);
  EXPECT_EQ(end.event, nullptr);
  EXPECT_TRUE(end.ended);
  EXPECT_FALSE(end.abandoned);
}

TEST(JobFeedTest, UnusedNumberReadsFromTheBeginning) {
  JobFeed feed(100);
  feed.Append(Event("a"), false);
  EXPECT_EQ(feed.ReadAfter(5000).event->message(), "a");
}

TEST(JobFeedTest, WakesWatchersUntilUnwatch) {
  JobFeed feed(1);
  int woken = 0;
  int64_t id = feed.Watch([&] { ++woken; });
  feed.Append(Event("a"), false);
  EXPECT_EQ(woken, 1);
  feed.Unwatch(id);
  feed.Append(Event("b"), false);
  EXPECT_EQ(woken, 1);
}

TEST(JobFeedTest, KeepsTheNewestEvents) {
  JobFeed feed(1);
  for (size_t i = 0; i < JobFeed::kKept + 10; ++i) feed.Append(Event(""), false);
  EXPECT_EQ(feed.ReadAfter(1).event->seq(), 11);
}

TEST(JobFeedTest, LimitsItsMemory) {
  JobFeed feed(1);
  const std::string large(JobFeed::kKeptBytes / 8, 'x');
  for (int i = 0; i < 100; ++i) feed.Append(Event(large), false);
  EXPECT_GT(feed.ReadAfter(0).event->seq(), 90);
  feed.Append(Event(std::string(2 * JobFeed::kKeptBytes, 'x')), false);
  EXPECT_EQ(feed.ReadAfter(0).event->seq(), 101) << "the newest stays, whatever its size";
}

TEST(JobFeedTest, ReaderGetsRecordAndBestScheduleAsMessages) {
  auto record = std::make_shared<TuningRecord>();
  record->uuid = "one";
  record->measurement = OkMeasurement(5, 3);
  const auto best = std::make_shared<const Schedule>(Schedule{"fma", {{"bm", 64}}});
  JobFeed feed(1);
  EventDraft draft = Event("a");
  draft.record = record;
  draft.best = best;
  feed.Append(std::move(draft), false);
  EXPECT_EQ(record.use_count(), 2) << "it is kept as it is";
  const JobFeed::Event first = feed.ReadAfter(0).event, again = feed.ReadAfter(0).event;
  EXPECT_EQ(first, again) << "and written out once";
  EXPECT_EQ(record.use_count(), 1);
  EXPECT_EQ(first->seq(), 1);
  EXPECT_EQ(first->record().uuid(), "one");
  EXPECT_EQ(first->record().measurement().timing().samples_ns_size(), 3);
  EXPECT_EQ(first->progress().best_schedule().params().at("bm"), 64);
}

TEST(JobFeedTest, MemoryOfAnUnreadRecordCounts) {
  auto record = std::make_shared<TuningRecord>();
  record->measurement = OkMeasurement(5, JobFeed::kKeptBytes / sizeof(double) / 8);
  record->measurement.message = std::string(JobFeed::kKeptBytes / 8, 'x');
  JobFeed feed(1);
  for (int i = 0; i < 100; ++i) {
    EventDraft draft = Event("a");
    draft.record = record;
    feed.Append(std::move(draft), false);
  }
  EXPECT_GT(feed.ReadAfter(0).event->seq(), 95);
}

TEST(JobFeedTest, MemoryOfAnUnreadScheduleCounts) {
  auto best = std::make_shared<Schedule>();
  for (size_t i = 0; i < JobFeed::kKeptBytes / 400; ++i) best->params[absl::StrCat("p", i)] = 1;
  JobFeed feed(1);
  for (int i = 0; i < 100; ++i) {
    EventDraft draft = Event("a");
    draft.best = best;
    feed.Append(std::move(draft), false);
  }
  EXPECT_GT(feed.ReadAfter(0).event->seq(), 90);
}

TEST(JobFeedTest, ShortenKeepsTheLastEvent) {
  JobFeed feed(1);
  feed.Append(Event("a"), false);
  feed.Append(Event("b"), true);
  feed.Shorten();
  EXPECT_EQ(feed.ReadAfter(0).event->message(), "b");
  EXPECT_TRUE(feed.ReadAfter(2).ended);
}

TEST(JobFeedsTest, LimitsTheMemoryOfAllFeeds) {
  constexpr size_t kFeeds = 300, kEvent = 10'000;
  JobFeeds feeds;
  std::vector<std::shared_ptr<JobFeed>> all;
  // The first ones grow large before the others come, and are not written to any more.
  for (size_t i = 0; i < kFeeds; ++i) {
    all.push_back(feeds.Open(std::to_string(i), 1));
    for (size_t n = 0; n < 900; ++n) all.back()->Append(Event(std::string(kEvent, 'x')), false);
  }
  size_t kept = 0;
  for (const auto& feed : all) {
    int64_t seq = 0;
    while (const auto event = feed->ReadAfter(seq).event) {
      seq = event->seq();
      ++kept;
    }
  }
  EXPECT_LE(kept * kEvent, JobFeeds::kKeptBytes);
  EXPECT_GE(kept * kEvent, JobFeeds::kKeptBytes / 2);
  for (size_t i = 1; i < kFeeds; ++i) feeds.Drop(std::to_string(i));
  for (size_t n = 0; n < 100; ++n) all[0]->Append(Event(std::string(kEvent, 'x')), false);
  EXPECT_EQ(all[0]->ReadAfter(900).event->seq(), 901) << "there is room again";
}

TEST(JobFeedsTest, ClearAbandonsTheFeeds) {
  JobFeeds feeds;
  std::shared_ptr<JobFeed> feed = feeds.Open("job", 1);
  EXPECT_EQ(feeds.Open("job", 7), feed);
  feeds.Clear();
  EXPECT_TRUE(feed->ReadAfter(0).abandoned);
  EXPECT_EQ(feeds.Find("job"), nullptr);
}

}  // namespace
}  // namespace mmtune
