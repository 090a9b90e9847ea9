// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "server/tune/report/format.h"

#include "gtest/gtest.h"

namespace mmtune {
namespace {

TEST(NumberTest, SeparatesThousands) {
  EXPECT_EQ(Number(1234567.89, 1), "1,234,567.9");
  EXPECT_EQ(Number(-1234, 0), "-1,234");
  EXPECT_EQ(Number(999.5, 2), "999.50");
  EXPECT_EQ(Number(49141.2), "49,141");
  EXPECT_EQ(Number(0.1234), "0.123");
}

TEST(SpeedTextTest, HasAUnitThatSuits) {
  EXPECT_EQ(SpeedText(18.93), "18.9 GFLOP/s");
  EXPECT_EQ(SpeedText(49141), "49.1 TFLOP/s");
}

TEST(PlainTextTest, KeepsPrintableText) {
  EXPECT_EQ(PlainText("NVIDIA H200, 132 SMs"), "NVIDIA H200, 132 SMs");
  EXPECT_EQ(PlainText("\xc2\xb5s \xe2\x80\x93 \xf0\x9f\x98\x80"), "\xc2\xb5s \xe2\x80\x93 \xf0\x9f\x98\x80");
}

TEST(PlainTextTest, DropsColourSequences) { EXPECT_EQ(PlainText("a\x1b[31;1mred\x1b[0mz"), "aredz"); }

TEST(PlainTextTest, DropsTitleAndStringSequences) {
  EXPECT_EQ(PlainText("a\x1b]0;title\az"), "az");
  EXPECT_EQ(PlainText("a\x1b]8;;http://x\x1b\\z"), "az");
  EXPECT_EQ(PlainText("a\x1bP1$r\x1b\\z"), "az");
}

TEST(PlainTextTest, DropsUnfinishedSequences) {
  EXPECT_EQ(PlainText("a\x1b"), "a");
  EXPECT_EQ(PlainText("a\x1b["), "a");
  EXPECT_EQ(PlainText("a\x1b]0;never ends"), "a");
}

TEST(PlainTextTest, DropsControlsOfBothSets) {
  EXPECT_EQ(PlainText(std::string_view("a\0\b\x7f z", 6)), "a z");
  EXPECT_EQ(PlainText("a\xc2\x9b"
                      "31mz"),
            "a31mz");  // the one-character CSI
}

TEST(PlainTextTest, DropsDirectionOverrides) { EXPECT_EQ(PlainText("a\xe2\x80\xaez"), "az"); }

TEST(PlainTextTest, MakesOneLine) { EXPECT_EQ(PlainText("a\nb\tc\rd"), "a b c d"); }

TEST(PlainTextTest, MarksInvalidUtf8) {
  EXPECT_EQ(PlainText("a\xffz"), "a?z");
  EXPECT_EQ(PlainText("a\xc2"), "a?");
  EXPECT_EQ(PlainText("a\xc0\x9bz"), "a??z");            // overlong
  EXPECT_EQ(PlainText("a\xed\xa0\x80z"), "a???z");       // a surrogate
  EXPECT_EQ(PlainText("a\xf4\x90\x80\x80z"), "a????z");  // past the last character
}

TEST(DecimalsForTest, ShowsThreeSignificantDigits) {
  EXPECT_EQ(Fixed(8435.2, DecimalsFor(8435.2)), "8435");
  EXPECT_EQ(Fixed(123.45, DecimalsFor(123.45)), "123");
  EXPECT_EQ(Fixed(12.345, DecimalsFor(12.345)), "12.3");
  EXPECT_EQ(Fixed(0.0123, DecimalsFor(0.0123)), "0.0123");
  EXPECT_EQ(DecimalsFor(0), 1);
  EXPECT_EQ(DecimalsFor(1e-12), 6);
}

TEST(GroupedTest, PutsCommasBetweenThousands) {
  EXPECT_EQ(Grouped(0), "0");
  EXPECT_EQ(Grouped(999), "999");
  EXPECT_EQ(Grouped(1000), "1,000");
  EXPECT_EQ(Grouped(1234567), "1,234,567");
  EXPECT_EQ(Grouped(-123456), "-123,456");
}

TEST(SecondsTextTest, PicksTheUnit) {
  EXPECT_EQ(SecondsText(0.04), "0.0 s");
  EXPECT_EQ(SecondsText(9.94), "9.9 s");
  EXPECT_EQ(SecondsText(59.4), "59 s");
  EXPECT_EQ(SecondsText(59.6), "1 min 00 s");
  EXPECT_EQ(SecondsText(185), "3 min 05 s");
  EXPECT_EQ(SecondsText(3599), "59 min 59 s");
  EXPECT_EQ(SecondsText(3600), "1 h 00 min");
  EXPECT_EQ(SecondsText(7800), "2 h 10 min");
  EXPECT_EQ(SecondsText(-1), "?");
}

TEST(UtcTextTest, IsReadable) {
  EXPECT_EQ(UtcText(1769860805000), "2026-01-31 12:00:05");
  EXPECT_EQ(UtcText(0), "-");
}

TEST(BytesTextTest, PicksTheUnit) {
  EXPECT_EQ(BytesText(0), "0 B");
  EXPECT_EQ(BytesText(49152), "48 KiB");
  EXPECT_EQ(BytesText(1610612736), "1.5 GiB");
}

TEST(TimeUnitForTest, KeepsADigitBeforeThePoint) {
  EXPECT_EQ(TimeUnitFor(999).name, "ns");
  EXPECT_EQ(TimeUnitFor(1e3).name, "us");
  EXPECT_EQ(TimeUnitFor(1e6).name, "ms");
  EXPECT_EQ(TimeUnitFor(2e9).name, "s");
}

TEST(SpreadPercentTest, IsHalfTheIntervalOverTheMedian) {
  Timing timing;
  timing.median_ns = 200;
  timing.low_ns = 198;
  timing.high_ns = 202;
  EXPECT_DOUBLE_EQ(SpreadPercent(timing), 1.0);
  EXPECT_EQ(SpreadPercent(Timing{}), 0);
  timing.samples_ns = {200};
  EXPECT_EQ(SpreadText(timing), "-");
  timing.samples_ns = {198, 202};
  EXPECT_EQ(SpreadText(timing), "1.0");
}

TEST(SpaceTextTest, SaysWhatIsAnEstimate) {
  EXPECT_EQ(SpaceText({17956, false}), "17,956 valid schedules");
  EXPECT_EQ(SpaceText({17801216, false}), "17,801,216 valid schedules") << "counted by who needs the number";
  EXPECT_EQ(SpaceText({18000000, true}), "about 18,000,000 valid schedules");
}

}  // namespace
}  // namespace mmtune
