// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "worker/agent/lease_loop.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <thread>

namespace mmtune {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

TEST(LeaseBook, HoldsEachTokenOnce) {
  LeaseBook book;
  EXPECT_TRUE(book.Add("t", 0, std::make_shared<StopToken>()));
  EXPECT_FALSE(book.Add("t", 0, std::make_shared<StopToken>()));
  EXPECT_THAT(book.Tokens(), ElementsAre("t"));
  EXPECT_TRUE(book.IsWanted("t"));
  book.Remove("t");
  EXPECT_FALSE(book.IsWanted("t"));
  EXPECT_THAT(book.Tokens(), IsEmpty());
}

TEST(LeaseBook, CancelledLeasesAreStoppedAndNotReported) {
  LeaseBook book;
  auto stop = std::make_shared<StopToken>();
  book.Add("t", 0, stop);
  book.Cancel({"t", "unknown"});
  EXPECT_TRUE(stop->now());
  EXPECT_THAT(book.Tokens(), IsEmpty());
  EXPECT_FALSE(book.IsWanted("t"));
}

TEST(LeaseBook, RoomIsCountedByDevice) {
  LeaseBook book;
  book.Add("a", 0, std::make_shared<StopToken>());
  EXPECT_EQ(book.WaitForRoom(0, 3), 2);
  EXPECT_EQ(book.WaitForRoom(1, 3), 3);
}

TEST(LeaseBook, WaitsForRoom) {
  LeaseBook book;
  book.Add("a", 0, std::make_shared<StopToken>());
  int room = 0;
  std::thread waiter([&] { room = book.WaitForRoom(0, 1); });
  book.Remove("a");
  waiter.join();
  EXPECT_EQ(room, 1);
}

TEST(LeaseBook, ClosingEndsWaitsAndAsksTheHeldToStop) {
  LeaseBook book;
  auto stop = std::make_shared<StopToken>();
  book.Add("a", 0, stop);
  int room = -1;
  std::thread waiter([&] { room = book.WaitForRoom(0, 1); });
  book.Close(StopToken::Level::kUnlessMeasuring);
  waiter.join();
  EXPECT_EQ(room, 0);
  EXPECT_TRUE(stop->unless_measuring());
  EXPECT_FALSE(stop->now());
  EXPECT_FALSE(book.Add("b", 0, std::make_shared<StopToken>()));
  EXPECT_FALSE(book.WaitEmpty(std::chrono::milliseconds(1)));
  book.Close(StopToken::Level::kNow);
  EXPECT_TRUE(stop->now());
  book.Remove("a");
  EXPECT_TRUE(book.WaitEmpty(std::chrono::seconds(1)));
}

}  // namespace
}  // namespace mmtune
