// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "search/space/restricted_family.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/search/fake_family.h"

namespace mmtune {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Pair;

TEST(ParseFamilyPartTest, AFamilyAndTheValuesOfSomeParameters) {
  const FamilyPart part = ParseFamilyPart(" fma bm=64,32,64  stages=1 ").value();
  EXPECT_EQ(part.family, "fma");
  EXPECT_THAT(part.values, ElementsAre(Pair("bm", ElementsAre(32, 64)), Pair("stages", ElementsAre(1))));
  EXPECT_THAT(ParseFamilyPart("fma")->values, IsEmpty());
}

TEST(ParseFamilyPartTest, WhatIsWrongIsSaid) {
  const std::pair<std::string, std::string> cases[] = {
      {"", "no kernel family is named"},         {"fma bm", "'bm' is not a parameter with values"},
      {"fma =3", "'=3' is not a parameter"},     {"fma bm=", "'' is not a value of bm"},
      {"fma bm=32,", "'' is not a value of bm"}, {"fma bm=32;64", "'32;64' is not a value of bm"},
      {"fma bm=1 bm=2", "bm is given twice"},    {"fma bm=99999999999999999999", "is not a value of bm"},
  };
  for (const auto& [text, problem] : cases) {
    EXPECT_THAT(std::string(ParseFamilyPart(text).status().message()), HasSubstr(problem)) << text;
  }
}

class RestrictedFamilyTest : public testing::Test {
 protected:
  absl::StatusOr<std::unique_ptr<RestrictedFamily>> Restricted(const std::string& part) {
    return RestrictedFamily::Create(family_, ParseFamilyPart(part).value(), {}, {});
  }

  FakeFamily family_{"pair",
                     {{"x", {1, 2, 4}}, {"y", {1, 2, 3}}},
                     {{"larger", 2, [](const int64_t* values) { return values[1] >= values[0]; }}}};
};

TEST_F(RestrictedFamilyTest, ItsSpaceIsThePartThatIsValid) {
  const auto part = Restricted("pair x=2,4 y=1,2,3").value();
  std::vector<std::string> texts;
  for (const Schedule& schedule : EnumerateAll(*MakeSpace({part.get()}))) texts.push_back(schedule.Text());
  EXPECT_THAT(texts, ElementsAre("pair x=2 y=2", "pair x=2 y=3"));
  EXPECT_EQ(MakeSpace({Restricted("pair")->get()})->Count(), MakeSpace({&family_})->Count());
}

TEST_F(RestrictedFamilyTest, WhatIsOutsideStaysValidAndIsNotInTheSpace) {
  const auto part = Restricted("pair x=2").value();
  const Schedule outside{"pair", {{"x", 1}, {"y", 1}}};
  EXPECT_TRUE(part->Validate({}, outside, {}).ok());
  EXPECT_FALSE(MakeSpace({part.get()})->Contains(outside));
}

TEST_F(RestrictedFamilyTest, UnknownParametersAndValuesAreRefusedWithThoseThereAre) {
  EXPECT_EQ(Restricted("pair z=1").status().message(), "family pair has no parameter z; it has x, y");
  EXPECT_EQ(Restricted("pair x=2,3").status().message(),
            "family pair is not searched with x=3 for this problem on this device; values of x: 1, 2, 4");
}

TEST_F(RestrictedFamilyTest, APartWithoutAValidScheduleIsNoSpace) {
  const auto part = Restricted("pair x=4 y=3").value();
  EXPECT_THAT(std::string(SearchSpace::Create({}, {}, {part.get()}).status().message()), HasSubstr("pair: larger"));
}

TEST_F(RestrictedFamilyTest, AFurtherRuleHoldsToo) {
  ScheduleConstraint rule{"odd x", 1, [](const int64_t* values) { return values[0] % 2 == 1; }};
  const auto odd = RestrictedFamily::Create(family_, {"pair", {}}, {}, {}, rule).value();
  std::vector<std::string> texts;
  for (const Schedule& schedule : EnumerateAll(*MakeSpace({odd.get()}))) texts.push_back(schedule.Text());
  EXPECT_THAT(texts, ElementsAre("pair x=1 y=1", "pair x=1 y=2", "pair x=1 y=3"));
  rule.holds = [](const int64_t*) { return false; };
  const auto none = RestrictedFamily::Create(family_, {"pair", {}}, {}, {}, rule).value();
  EXPECT_THAT(std::string(SearchSpace::Create({}, {}, {none.get()}).status().message()), HasSubstr("pair: odd x"));
}

}  // namespace
}  // namespace mmtune
