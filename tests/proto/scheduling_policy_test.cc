// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "proto/types/scheduling_policy.h"

namespace mmtune {
namespace {

using testing::HasSubstr;

std::string Refused(const Labels& labels) {
  const absl::Status status = CheckLabels(labels);
  EXPECT_TRUE(absl::IsInvalidArgument(status)) << status;
  EXPECT_EQ(std::string(status.message()).find('\n'), std::string::npos);
  EXPECT_LT(status.message().size(), 600u);
  return std::string(status.message());
}

TEST(LabelsTest, AcceptsLabelsOfKubernetes) {
  for (const Labels& labels :
       {Labels{}, Labels{{"rack", "7"}}, Labels{{"a", ""}}, Labels{{"example.org/Some_Key.x-y", "A.b_c-9"}},
        Labels{{std::string(63, 'k'), std::string(63, 'v')}}, Labels{{std::string(63, 'p') + "/k", "v"}}}) {
    EXPECT_TRUE(CheckLabels(labels).ok()) << LabelsText(labels) << CheckLabels(labels);
  }
}

TEST(LabelsTest, RefusesOtherLabelsInOneLine) {
  for (const char* key : {"", "-a", "a-", "a b", "a=b", "a/", "/a", "a/b/c", "Upper.org/a", "-x.org/a", "x..org/a", "ä",
                          "a\nb", "\x1b[31m"}) {
    EXPECT_THAT(Refused({{key, "v"}}), HasSubstr("label")) << key;
  }
  for (const char* value : {"-", " ", "a b", "a=b", "a/b", ".a", "a\n"}) {
    EXPECT_THAT(Refused({{"key", value}}), HasSubstr("of label 'key'")) << value;
  }
  EXPECT_THAT(Refused({{std::string(64, 'k'), ""}}), HasSubstr("1 to 63"));
  EXPECT_THAT(Refused({{"k", std::string(100000, 'v')}}), HasSubstr("..."));
  EXPECT_THAT(Refused({{std::string(300, 'p') + "/k", ""}}), HasSubstr("253"));
  Labels many;
  for (int i = 0; i < 17; ++i) many["l" + std::to_string(i)] = "";
  EXPECT_THAT(Refused(many), HasSubstr("at most 16"));
}

TEST(LabelsTest, ParsesTexts) {
  const Labels labels = *ParseLabels({"rack=7", "zone="});
  EXPECT_EQ(labels, (Labels{{"rack", "7"}, {"zone", ""}}));
  EXPECT_EQ(LabelsText(labels), "rack=7,zone=");
  EXPECT_THAT(std::string(ParseLabels({"rack"}).status().message()), HasSubstr("label 'rack' has no '='"));
  EXPECT_THAT(std::string(ParseLabels({"rack=7", "rack=8"}).status().message()), HasSubstr("'rack' is given twice"));
  EXPECT_TRUE(absl::IsInvalidArgument(ParseLabels({"ra ck=7"}).status()));
}

TEST(LabelsTest, SelectorNeedsAllItsLabels) {
  const Labels labels = {{"rack", "7"}, {"zone", "a"}};
  EXPECT_TRUE(Selects({}, labels));
  EXPECT_TRUE(Selects({{"rack", "7"}}, labels));
  EXPECT_TRUE(Selects(labels, labels));
  EXPECT_FALSE(Selects({{"rack", "8"}}, labels));
  EXPECT_FALSE(Selects({{"rack", "7"}, {"row", "1"}}, labels));
  EXPECT_FALSE(Selects({{"rack", ""}}, {}));
}

TEST(DeviceClassTest, RoundTripsAsText) {
  for (const char* text : {"", "cuda", "simt", "cuda:sm_90", "cuda:sm_90:NVIDIA H200", "simt:sm_80:a: b"}) {
    ASSERT_TRUE(ParseDeviceClass(text).ok()) << text;
    EXPECT_EQ(ParseDeviceClass(text)->Text(), text);
  }
  for (const char* text : {"gpu", ":", "cuda:", "cuda:sm_7", "cuda:sm_90:", "CUDA", " cuda"}) {
    const absl::Status refused = ParseDeviceClass(text).status();
    EXPECT_TRUE(absl::IsInvalidArgument(refused)) << text;
    EXPECT_THAT(std::string(refused.message()), HasSubstr(std::string("device class '") + text)) << text;
  }
  EXPECT_FALSE(ParseDeviceClass("cuda:sm_90:" + std::string(1000, 'x')).ok());
}

TEST(DeviceClassTest, MatchesKindArchAndName) {
  DeviceInfo device;
  device.kind = DeviceKind::kCuda;
  device.arch = "sm_90";
  device.name = "NVIDIA H200";
  for (const char* text : {"", "cuda", "cuda:sm_90", "cuda:sm_90:NVIDIA H200"}) {
    EXPECT_TRUE(ParseDeviceClass(text)->Has(device)) << text;
  }
  for (const char* text : {"simt", "cuda:sm_80", "cuda:sm_90:NVIDIA H100"}) {
    EXPECT_FALSE(ParseDeviceClass(text)->Has(device)) << text;
  }
}

TEST(SchedulingPolicyTest, WeightAndPriorityHaveLimits) {
  SchedulingPolicy policy;
  EXPECT_TRUE(policy.Validate().ok());
  for (int weight : {-1, 0, 1001}) {
    policy.weight = weight;
    EXPECT_THAT(std::string(policy.Validate().message()), HasSubstr("spec.weight is " + std::to_string(weight)));
  }
  policy.weight = 1000;
  for (int priority : {-101, 101}) {
    policy.priority = priority;
    EXPECT_THAT(std::string(policy.Validate().message()), HasSubstr("spec.priority is " + std::to_string(priority)));
  }
}

TEST(SchedulingPolicyTest, TextNamesSelectorAndDeviceClass) {
  SchedulingPolicy policy;
  EXPECT_EQ(policy.RequirementsText(), "");
  policy.device_class = *ParseDeviceClass("cuda:sm_90");
  EXPECT_EQ(policy.RequirementsText(), "--device-class cuda:sm_90");
  policy.select = {{"rack", "7"}};
  EXPECT_EQ(policy.RequirementsText(), "--select rack=7 and --device-class cuda:sm_90");
}

}  // namespace
}  // namespace mmtune
