// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "proto/types/schedule.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <string>

#include "proto/base/digest.h"

namespace mmtune {
namespace {

using ::testing::HasSubstr;

const Schedule kFma{"fma", {{"bm", 128}, {"bk", 16}, {"split_k", 4}}};

TEST(Schedule, TextAndCanonicalJsonAreSorted) {
  EXPECT_EQ(kFma.Text(), "fma bk=16 bm=128 split_k=4");
  EXPECT_EQ(kFma.CanonicalJson(), R"({"family":"fma","params":{"bk":16,"bm":128,"split_k":4}})");
  EXPECT_EQ(kFma.Digest(), Sha256Hex(R"({"family":"fma","params":{"bk":16,"bm":128,"split_k":4}})"));
  EXPECT_EQ((Schedule{"direct", {}}).Text(), "direct");
  EXPECT_EQ((Schedule{"direct", {}}).CanonicalJson(), R"({"family":"direct","params":{}})");
}

TEST(Schedule, GetFallsBackForMissingParameters) {
  EXPECT_EQ(kFma.Get("bk"), 16);
  EXPECT_EQ(kFma.Get("bn"), 0);
  EXPECT_EQ(kFma.Get("bn", 7), 7);
}

TEST(ParseSchedule, RoundTripsBothForms) {
  for (const Schedule& schedule : {kFma, Schedule{"direct", {}}, Schedule{"f_2", {{"p_1", -3}, {"q", 0}}},
                                   Schedule{"edge", {{"high", INT64_MAX}, {"low", INT64_MIN}}}}) {
    auto from_text = ParseSchedule(schedule.Text());
    ASSERT_TRUE(from_text.ok()) << from_text.status();
    EXPECT_EQ(*from_text, schedule);
    auto from_json = ParseSchedule(schedule.CanonicalJson());
    ASSERT_TRUE(from_json.ok()) << from_json.status();
    EXPECT_EQ(*from_json, schedule);
  }
}

TEST(ParseSchedule, IsIndifferentToOrderAndBlanks) {
  EXPECT_EQ(*ParseSchedule("  fma split_k=4  bm=128 bk=16 "), kFma);
  EXPECT_EQ(*ParseSchedule(R"({ "params" : {"split_k":4, "bm":128, "bk":16}, "family":"fma" })"), kFma);
}

struct BadSchedule {
  std::string name, text, complaint;
};

class ParseScheduleRefuses : public ::testing::TestWithParam<BadSchedule> {};

TEST_P(ParseScheduleRefuses, WithTheOffendingPart) {
  auto schedule = ParseSchedule(GetParam().text);
  ASSERT_FALSE(schedule.ok()) << schedule->Text();
  EXPECT_EQ(schedule.status().code(), absl::StatusCode::kInvalidArgument);
  EXPECT_THAT(std::string(schedule.status().message()), HasSubstr(GetParam().complaint));
}

constexpr char kJsonForm[] = "the JSON of a schedule must be";

INSTANTIATE_TEST_SUITE_P(
    Text, ParseScheduleRefuses,
    ::testing::Values(BadSchedule{"Nothing", "", "empty"}, BadSchedule{"Blanks", "   ", "empty"},
                      BadSchedule{"FamilyInCapitals", "SIMT bm=1", "'SIMT'"},
                      BadSchedule{"NoFamily", "bm=128", "'bm=128' is not the name"},
                      BadSchedule{"WordWithoutValue", "fma bm", "'bm'"}, BadSchedule{"EmptyValue", "fma bm=", "'bm='"},
                      BadSchedule{"EmptyName", "fma =4", "'=4'"}, BadSchedule{"Fraction", "fma bm=1.5", "'bm=1.5'"},
                      BadSchedule{"Trailing", "fma bm=16k", "'bm=16k'"},
                      BadSchedule{"Past64Bits", "fma bm=9223372036854775808", "'bm=9223372036854775808'"},
                      BadSchedule{"Twice", "fma bm=1 bm=2", "'bm' twice"},
                      BadSchedule{"OddName", "fma b-m=1", "'b-m=1'"},
                      BadSchedule{"LongName", "fma " + std::string(33, 'n') + "=1", "nnn=1"},
                      BadSchedule{"Endless", "fma" + std::string(5000, ' '), "longer than 4096"}),
    [](const auto& info) { return info.param.name; });

INSTANTIATE_TEST_SUITE_P(
    Json, ParseScheduleRefuses,
    ::testing::Values(BadSchedule{"Broken", R"({"family":"fma")", kJsonForm},
                      BadSchedule{"NoFamily", R"({"params":{}})", kJsonForm},
                      BadSchedule{"NoParams", R"({"family":"fma"})", kJsonForm},
                      BadSchedule{"SomethingElse", R"({"family":"fma","params":{},"version":1})", kJsonForm},
                      BadSchedule{"FamilyNoText", R"({"family":1,"params":{}})", kJsonForm},
                      BadSchedule{"ParamsNoObject", R"({"family":"fma","params":[]})", kJsonForm},
                      BadSchedule{"FamilyNoName", R"({"family":"a b","params":{}})", "family must be a name"},
                      BadSchedule{"ParamNoName", R"({"family":"fma","params":{"a b":1}})", "'a b'"},
                      BadSchedule{"ValueText", R"({"family":"fma","params":{"bm":"1"}})", "'bm'"},
                      BadSchedule{"ValueFraction", R"({"family":"fma","params":{"bm":1.5}})", "'bm'"},
                      BadSchedule{"ValuePast63Bits", R"({"family":"fma","params":{"bm":9223372036854775808}})", "'bm'"},
                      BadSchedule{"ValuePast64Bits", R"({"family":"fma","params":{"bm":99999999999999999999}})",
                                  "'bm'"},
                      BadSchedule{"BadUtf8", "{\"family\":\"si\xff\",\"params\":{}}", kJsonForm}),
    [](const auto& info) { return info.param.name; });

}  // namespace
}  // namespace mmtune
