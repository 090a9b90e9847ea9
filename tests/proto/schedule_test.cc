#include "proto/types/schedule.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <string>

#include "proto/base/digest.h"

namespace mmtune {
namespace {

using ::testing::HasSubstr;

const Schedule kSimt{"simt", {{"bm", 128}, {"bk", 16}, {"split_k", 4}}};

TEST(Schedule, TextAndCanonicalJsonAreSorted) {
  EXPECT_EQ(kSimt.Text(), "simt bk=16 bm=128 split_k=4");
  EXPECT_EQ(kSimt.CanonicalJson(), R"({"family":"simt","params":{"bk":16,"bm":128,"split_k":4}})");
  EXPECT_EQ(kSimt.Digest(), Sha256Hex(R"({"family":"simt","params":{"bk":16,"bm":128,"split_k":4}})"));
  EXPECT_EQ((Schedule{"direct", {}}).Text(), "direct");
  EXPECT_EQ((Schedule{"direct", {}}).CanonicalJson(), R"({"family":"direct","params":{}})");
}

TEST(Schedule, GetFallsBackForWhatIsNotNamed) {
  EXPECT_EQ(kSimt.Get("bk"), 16);
  EXPECT_EQ(kSimt.Get("bn"), 0);
  EXPECT_EQ(kSimt.Get("bn", 7), 7);
}

TEST(ParseSchedule, RoundTripsBothForms) {
  for (const Schedule& schedule : {kSimt, Schedule{"direct", {}}, Schedule{"f_2", {{"p_1", -3}, {"q", 0}}},
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
  EXPECT_EQ(*ParseSchedule("  simt split_k=4  bm=128 bk=16 "), kSimt);
  EXPECT_EQ(*ParseSchedule(R"({ "params" : {"split_k":4, "bm":128, "bk":16}, "family":"simt" })"), kSimt);
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

constexpr char kJsonForm[] = "a schedule in JSON is";

INSTANTIATE_TEST_SUITE_P(
    Text, ParseScheduleRefuses,
    ::testing::Values(BadSchedule{"Nothing", "", "empty"}, BadSchedule{"Blanks", "   ", "empty"},
                      BadSchedule{"FamilyInCapitals", "SIMT bm=1", "'SIMT'"},
                      BadSchedule{"NoFamily", "bm=128", "'bm=128' is not the name"},
                      BadSchedule{"WordWithoutValue", "simt bm", "'bm'"},
                      BadSchedule{"EmptyValue", "simt bm=", "'bm='"}, BadSchedule{"EmptyName", "simt =4", "'=4'"},
                      BadSchedule{"Fraction", "simt bm=1.5", "'bm=1.5'"},
                      BadSchedule{"Trailing", "simt bm=16k", "'bm=16k'"},
                      BadSchedule{"Past64Bits", "simt bm=9223372036854775808", "'bm=9223372036854775808'"},
                      BadSchedule{"Twice", "simt bm=1 bm=2", "'bm' twice"},
                      BadSchedule{"OddName", "simt b-m=1", "'b-m=1'"},
                      BadSchedule{"LongName", "simt " + std::string(33, 'n') + "=1", "nnn=1"},
                      BadSchedule{"Endless", "simt" + std::string(5000, ' '), "longer than 4096"}),
    [](const auto& info) { return info.param.name; });

INSTANTIATE_TEST_SUITE_P(
    Json, ParseScheduleRefuses,
    ::testing::Values(
        BadSchedule{"Broken", R"({"family":"simt")", kJsonForm}, BadSchedule{"NoFamily", R"({"params":{}})", kJsonForm},
        BadSchedule{"NoParams", R"({"family":"simt"})", kJsonForm},
        BadSchedule{"SomethingElse", R"({"family":"simt","params":{},"version":1})", kJsonForm},
        BadSchedule{"FamilyNoText", R"({"family":1,"params":{}})", kJsonForm},
        BadSchedule{"ParamsNoObject", R"({"family":"simt","params":[]})", kJsonForm},
        BadSchedule{"FamilyNoName", R"({"family":"a b","params":{}})", "family is not a name"},
        BadSchedule{"ParamNoName", R"({"family":"simt","params":{"a b":1}})", "'a b'"},
        BadSchedule{"ValueText", R"({"family":"simt","params":{"bm":"1"}})", "'bm'"},
        BadSchedule{"ValueFraction", R"({"family":"simt","params":{"bm":1.5}})", "'bm'"},
        BadSchedule{"ValuePast63Bits", R"({"family":"simt","params":{"bm":9223372036854775808}})", "'bm'"},
        BadSchedule{"ValuePast64Bits", R"({"family":"simt","params":{"bm":99999999999999999999}})", "'bm'"},
        BadSchedule{"BadUtf8", "{\"family\":\"si\xff\",\"params\":{}}", kJsonForm}),
    [](const auto& info) { return info.param.name; });

}  // namespace
}  // namespace mmtune
