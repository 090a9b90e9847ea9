// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Every value type states all of its fields, and messages and JSON carry every one of them.
#include <set>
#include <string>

#include "gtest/gtest.h"
#include "proto/base/json_tree.h"
#include "proto/json/json_reader.h"
#include "proto/json/request_json.h"
#include "proto/json/tuning_spec.h"
#include "proto/types/field_json.h"
#include "proto/types/fields.h"
#include "proto/types/measurement.h"
#include "proto/wire/convert.h"
#include "tests/value_fields.h"

namespace mmtune {
namespace {

template <typename T>
class FieldsTest : public testing::Test {};

using ValueTypes =
    testing::Types<MatmulProblem, DeviceInfo, Toolchain, KernelResources, PhaseTimes, CheckReport, VerificationReport,
                   Timing, FailedAttempt, HealthSample, HealthReport, Baseline, Comparison, Conditions, MeasureOptions,
                   Measurement, TuningRecord, TuningSpecEntry, VerifyRequest, VerifyAnswer, NamedShare,
                   InstructionCount, ProfiledPoint, ProfiledCounters, ProfiledOccupancy, ProfiledLoop, ModelledLoop,
                   ProfiledBounds, KernelProfile, ProfileRequest>;
TYPED_TEST_SUITE(FieldsTest, ValueTypes);

TYPED_TEST(FieldsTest, NoMemberIsForgotten) { EXPECT_EQ(FieldNames<TypeParam>().size(), CountMembers<TypeParam>()); }

TYPED_TEST(FieldsTest, JsonCarriesEveryField) {
  const auto value = Filled<TypeParam>();
  const nlohmann::json json = ToJson(value);
  TypeParam back;
  absl::Status status;
  const absl::StatusOr<JsonTree> tree = ParseStrictJson(Dump(json), 16);
  ASSERT_TRUE(tree.ok()) << tree.status();
  FromJson(ObjectReader(*tree, "value", &status), &back);
  EXPECT_EQ(status, absl::OkStatus());
  EXPECT_EQ(ToJson(back), json);
  for (const std::string& name : FieldNames<TypeParam>()) EXPECT_TRUE(json.contains(name)) << name;
}

TYPED_TEST(FieldsTest, JsonAsTextIsThatOfTheTree) {
  for (const TypeParam& value : {TypeParam(), Filled<TypeParam>()}) EXPECT_EQ(JsonText(value), Dump(ToJson(value)));
}

TYPED_TEST(FieldsTest, EveryTextIsFound) {
  auto value = Filled<TypeParam>();
  int texts = 0;
  ForEachText(value, [&texts](std::string& text) {
    ++texts;
    text = "cleaned";
  });
  std::string left = ToJson(value).dump();
  EXPECT_EQ(left.find("text "), std::string::npos) << left;
  EXPECT_EQ(texts > 0, ToJson(Filled<TypeParam>()).dump().find("text ") != std::string::npos);
}

template <typename Type, typename MessageType>
void ExpectSameFields() {
  std::set<std::string> in_message;
  const google::protobuf::Descriptor& descriptor = *MessageType::descriptor();
  for (int i = 0; i < descriptor.field_count(); ++i) in_message.insert(descriptor.field(i)->name());
  EXPECT_EQ(FieldNames<Type>(), in_message) << descriptor.name();
}

TEST(MessageTest, HasTheFieldsOfItsType) {
  ExpectSameFields<MatmulProblem, v1::MatmulProblem>();
  ExpectSameFields<DeviceInfo, v1::DeviceInfo>();
  ExpectSameFields<Toolchain, v1::Toolchain>();
  ExpectSameFields<KernelResources, v1::KernelResources>();
  ExpectSameFields<PhaseTimes, v1::PhaseTimes>();
  ExpectSameFields<CheckReport, v1::CheckReport>();
  ExpectSameFields<VerificationReport, v1::VerificationReport>();
  ExpectSameFields<Timing, v1::Timing>();
  ExpectSameFields<FailedAttempt, v1::FailedAttempt>();
  ExpectSameFields<HealthSample, v1::HealthSample>();
  ExpectSameFields<HealthReport, v1::HealthReport>();
  ExpectSameFields<Baseline, v1::Baseline>();
  ExpectSameFields<Comparison, v1::Comparison>();
  ExpectSameFields<Conditions, v1::Conditions>();
  ExpectSameFields<MeasureOptions, v1::MeasureOptions>();
  ExpectSameFields<Measurement, v1::Measurement>();
  ExpectSameFields<TuningRecord, v1::TuningRecord>();
}

TEST(MessageTest, CarriesEveryField) {
  auto record = Filled<TuningRecord>();
  record.problem.math = MathMode::kIeee;  // the other one is for f32, which has no other output
  Comparison& comparison = *record.measurement.conditions.comparison;
  comparison.low = comparison.ratio;  // in order, or it is refused
  comparison.high = comparison.ratio + 1;
  const absl::StatusOr<TuningRecord> back = FromWire(ToWire(record));
  ASSERT_TRUE(back.ok()) << back.status();
  EXPECT_EQ(ToJson(*back), ToJson(record));
  MeasureOptions options = Filled<MeasureOptions>();
  options.precision = 0.25;
  EXPECT_EQ(*FromWire(ToWire(options)), options);
}

TEST(MessageTest, UnsetFieldsHaveDefaults) {
  EXPECT_EQ(*FromWire(v1::MeasureOptions()), MeasureOptions());
  v1::MatmulProblem problem;
  problem.set_m(2);
  problem.set_n(3);
  problem.set_k(4);
  problem.set_dtype("f32");
  EXPECT_EQ(*FromWire(problem), (MatmulProblem{2, 3, 4}));
}

}  // namespace
}  // namespace mmtune
