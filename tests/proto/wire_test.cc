// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>
#include <string>

#include "proto/wire/convert.h"

namespace mmtune {
namespace {

using ::testing::HasSubstr;

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
constexpr double kInfinity = std::numeric_limits<double>::infinity();

// Values with every field set to something that is neither the default nor any other field's value.

MatmulProblem FullProblem() {
  return {101,
          102,
          103,
          DataType::kBf16,
          104,
          true,
          ParseEpilogue("scale:0.1,bias,add,relu,gelu,clamp:-0.1:6,silu,gelu_tanh").value(),
          true,
          OutputType::kF32};
}
/// An output other than that of the elements is of those of 16 bits, a math mode of f32: no problem has both.
constexpr int kUnsetOfProblem = 1;

Schedule FullSchedule() { return {"fma", {{"bm", 128}, {"bk", 16}, {"split_k", -4}}}; }

DeviceInfo FullDevice() {
  DeviceInfo info;
  info.kind = DeviceKind::kCuda;
  info.name = "NVIDIA Ünïcode";
  info.uuid = "GPU-1";
  info.arch = "sm_86";
  info.multiprocessors = 72;
  info.memory_bytes = 73;
  info.max_threads_per_block = 74;
  info.max_threads_per_multiprocessor = 75;
  info.registers_per_multiprocessor = 76;
  info.shared_bytes_per_block = 77;
  info.shared_bytes_per_multiprocessor = 78;
  info.l2_bytes = 79;
  info.driver = "13.0";
  info.clock_khz = 80;
  info.active_clusters_of_2 = 81;
  info.active_clusters_of_4 = 82;
  return info;
}

Measurement FullMeasurement() {
  Measurement m;
  m.outcome = Outcome::kWrongResult;
  m.message = "element 3,4 differs";
  m.code_digest = "c0de";
  m.resources = {128, 16, 55296, 256, 9, 10, 11};
  m.check = {true, true, "exact", 3, 4, 1.5, 2.5, "first of 7", 0.25, 1.5e-7, true};
  m.verification = {true, true,     "turned off", true,        true, true, {"64x64x96", "61x53x40"},
                    3,    "d16e57", "a race",     "line\nline"};
  m.timing = {{10.5, 11.5, 12.5}, 11.5, 10.25, 12.75, "warm", "cuda-event"};
  m.timing_key = "ke7";
  m.conditions.run = "a1";
  m.conditions.shared = true;
  m.conditions.ended = "precise";
  m.conditions.delayed = true;
  m.conditions.health = {"NVML 13.0", "why", {1, 2, 3, 4, 5, {"power cap"}}, {6, 7, 8, 9, 10, {"hot", "idle"}}, "hot"};
  m.conditions.baseline = {"cuBLAS 13.1.0", "reason", 12.5, 12.25, 12.75, -0.25};
  m.conditions.comparison =
      Comparison{FullSchedule(), 1.25, 1.125, 1.5, {1.125, 1.25, 1.5}, {13.5}, {14.5, 15.5}, "HW slowdown"};
  m.conditions.precision = 0.125;
  m.conditions.budget_seconds = 0.5;
  m.conditions.failed_attempts = {{Outcome::kCrashed, "signal 11", Provenance::kPoisonedByPrevious},
                                  {Outcome::kTimedOut, "30 s", Provenance::kWorker}};
  m.phases = {1.5, 2.5, 3.5, 4.5, 5.5, 6.5, 7.5, 8.5, 9.5};
  return m;
}

Toolchain FullToolchain() { return {"0.1.0", "22.1.8", "ptxas 13.0", "direct=1 fma=1"}; }

// How many fields of the message, and of the messages in it, are unset or at their default.
int UnsetFields(const google::protobuf::Message& message) {
  int unset = 0;
  const google::protobuf::Reflection* reflection = message.GetReflection();
  for (int i = 0; i < message.GetDescriptor()->field_count(); ++i) {
    const google::protobuf::FieldDescriptor* field = message.GetDescriptor()->field(i);
    if (field->is_repeated()) {
      unset += reflection->FieldSize(message, field) == 0;
    } else if (!reflection->HasField(message, field)) {
      ++unset;
    } else if (field->cpp_type() == google::protobuf::FieldDescriptor::CPPTYPE_MESSAGE) {
      unset += UnsetFields(reflection->GetMessage(message, field));
    }
  }
  return unset;
}

// Through bytes, as it travels.
template <typename Message>
Message ThroughBytes(const Message& message) {
  Message copy;
  EXPECT_TRUE(copy.ParseFromString(message.SerializeAsString()));
  return copy;
}

template <typename T>
class RoundTrip : public ::testing::Test {};

template <typename T>
T Full();
template <>
MatmulProblem Full() {
  return FullProblem();
}
template <>
Schedule Full() {
  return FullSchedule();
}
template <>
DeviceInfo Full() {
  return FullDevice();
}
template <>
DeviceSelector Full() {
  return {DeviceSelector::Kind::kCuda, 3, "sm_89"};
}
template <>
Toolchain Full() {
  return FullToolchain();
}
template <>
KernelResources Full() {
  return FullMeasurement().resources;
}
template <>
CheckReport Full() {
  return FullMeasurement().check;
}
template <>
VerificationReport Full() {
  return FullMeasurement().verification;
}
template <>
Conditions Full() {
  return FullMeasurement().conditions;
}
template <>
Timing Full() {
  return FullMeasurement().timing;
}
template <>
PhaseTimes Full() {
  return FullMeasurement().phases;
}
template <>
Measurement Full() {
  return FullMeasurement();
}

using ValueTypes = ::testing::Types<MatmulProblem, Schedule, DeviceInfo, DeviceSelector, Toolchain, KernelResources,
                                    CheckReport, VerificationReport, Timing, PhaseTimes, Conditions, Measurement>;
TYPED_TEST_SUITE(RoundTrip, ValueTypes);

TYPED_TEST(RoundTrip, KeepsEveryField) {
  const TypeParam value = Full<TypeParam>();
  const auto message = ToWire(value);
  EXPECT_EQ(UnsetFields(message), (std::is_same_v<TypeParam, MatmulProblem> ? kUnsetOfProblem : 0))
      << message.DebugString() << "(a new field must be set here, and converted)";
  auto back = FromWire(ThroughBytes(message));
  ASSERT_TRUE(back.ok()) << back.status();
  EXPECT_TRUE(*back == value) << message.DebugString() << "against " << ToWire(*back).DebugString();
}

TEST(RoundTripRecord, KeepsEveryField) {
  TuningRecord record{.id = 12,
                      .uuid = "record",
                      .job_uuid = "job",
                      .problem = FullProblem(),
                      .schedule = FullSchedule(),
                      .device = FullDevice(),
                      .toolchain = FullToolchain(),
                      .measurement = FullMeasurement(),
                      .worker = "host:1",
                      .attempt = 2,
                      .canonical = true,
                      .unix_millis = 1'700'000'000'123};
  const v1::TuningRecord message = ToWire(record);
  EXPECT_EQ(UnsetFields(message), kUnsetOfProblem) << message.DebugString();
  auto back = FromWire(ThroughBytes(message));
  ASSERT_TRUE(back.ok()) << back.status();
  EXPECT_EQ(ToWire(*back).DebugString(), message.DebugString());
  EXPECT_EQ(back->id, 12);
  EXPECT_EQ(back->uuid, "record");
  EXPECT_EQ(back->job_uuid, "job");
  EXPECT_EQ(back->problem, FullProblem());
  EXPECT_EQ(back->schedule, FullSchedule());
  EXPECT_EQ(back->device, FullDevice());
  EXPECT_EQ(back->toolchain, FullToolchain());
  EXPECT_EQ(back->measurement, FullMeasurement());
  EXPECT_EQ(back->worker, "host:1");
  EXPECT_EQ(back->attempt, 2);
  EXPECT_EQ(back->unix_millis, 1'700'000'000'123);
  record.canonical = false;
  EXPECT_FALSE(FromWire(ToWire(record))->canonical);
}

TEST(RoundTripProblem, KeepsItsMath) {
  MatmulProblem problem{4, 5, 6};
  problem.math = MathMode::kTf32;
  EXPECT_EQ(ToWire(problem).math(), "tf32");
  EXPECT_EQ(*FromWire(ThroughBytes(ToWire(problem))), problem);
}

TEST(RoundTripDefaults, UnknownResourcesStayUnknown) {
  auto back = FromWire(ThroughBytes(ToWire(KernelResources{})));
  ASSERT_TRUE(back.ok());
  EXPECT_EQ(back->registers, -1);
  EXPECT_EQ(back->spill_bytes, -1);
}

TEST(RoundTripOutcomes, AllOfThem) {
  for (Outcome outcome : kAllOutcomes) {
    Measurement measurement = FullMeasurement();
    measurement.outcome = outcome;
    auto back = FromWire(ToWire(measurement));
    ASSERT_TRUE(back.ok()) << OutcomeName(outcome);
    EXPECT_EQ(back->outcome, outcome);
  }
}

TEST(RoundTripDefaults, ProblemWithoutBatchHasBatchOne) {
  v1::MatmulProblem message;
  message.set_m(4);
  message.set_n(5);
  message.set_k(6);
  message.set_dtype("f32");
  auto problem = FromWire(message);
  ASSERT_TRUE(problem.ok()) << problem.status();
  EXPECT_EQ(*problem, (MatmulProblem{4, 5, 6, DataType::kF32}));
}

template <typename Message>
void ExpectRefused(const Message& message, const std::string& complaint) {
  auto value = FromWire(message);
  EXPECT_EQ(value.status().code(), absl::StatusCode::kInvalidArgument) << message.DebugString();
  EXPECT_THAT(std::string(value.status().message()), HasSubstr(complaint));
}

TEST(FromWireRefuses, ProblemsThatAreNone) {
  v1::MatmulProblem message = ToWire(FullProblem());
  message.set_dtype("f8");
  ExpectRefused(message, "'f8'");
  message = ToWire(FullProblem());
  message.set_batch(-1);
  ExpectRefused(message, "batch=-1");
  message.set_batch(int64_t{1} << 40);
  ExpectRefused(message, "batch");
  message = ToWire(FullProblem());
  for (const char* epilogue :
       {"elu", "clamp:6:0", "clamp:nan:1", "gelu:2", "bias,bias", "relu,", ",", "scale", "scale:0", "scale:nan"}) {
    message.set_epilogue(epilogue);
    ExpectRefused(message, "");
  }
  message = ToWire(FullProblem());
  message.set_n(0);
  ExpectRefused(message, "N=0");
  message.set_n(-1);
  ExpectRefused(message, "N=-1");
  message.set_n(int64_t{1} << 39);
  ExpectRefused(message, "matrix B");
  ExpectRefused(v1::MatmulProblem(), "");
}

TEST(FromWireRefuses, SchedulesThatCouldNotBeWritten) {
  v1::Schedule message = ToWire(FullSchedule());
  message.set_family("");
  ExpectRefused(message, "");
  message.set_family("two words");
  ExpectRefused(message, "");
  message.set_family("{}");
  ExpectRefused(message, "");
  for (const char* name : {"", "a b", "a=1", "A", "x=1 y"}) {
    message = ToWire(FullSchedule());
    (*message.mutable_params())[name] = 1;
    ExpectRefused(message, "");
  }
  ExpectRefused(v1::Schedule(), "");
}

TEST(FromWireRefuses, UnknownNames) {
  v1::DeviceInfo device = ToWire(FullDevice());
  device.set_kind("rocm");
  ExpectRefused(device, "'rocm'");
  v1::Measurement measurement = ToWire(FullMeasurement());
  measurement.set_outcome("fine");
  ExpectRefused(measurement, "'fine'");
  ExpectRefused(v1::Measurement(), "unknown outcome ''");
  v1::DeviceSelector selector = ToWire(Full<DeviceSelector>());
  selector.set_device("cuda:x");
  ExpectRefused(selector, "'cuda:x'");
  selector = ToWire(Full<DeviceSelector>());
  selector.set_arch("sm_1");
  ExpectRefused(selector, "'sm_1'");
}

TEST(FromWireRefuses, TimesThatAreNone) {
  for (double bad : {kNan, kInfinity, -1.0}) {
    v1::Timing timing = ToWire(FullMeasurement().timing);
    timing.set_samples_ns(1, bad);
    ExpectRefused(timing, "timing.samples_ns");
    for (void (v1::Timing::*set)(double) :
         {&v1::Timing::set_median_ns, &v1::Timing::set_low_ns, &v1::Timing::set_high_ns}) {
      timing = ToWire(FullMeasurement().timing);
      (timing.*set)(bad);
      ExpectRefused(timing, "_ns is ");
    }
    v1::PhaseTimes phases = ToWire(FullMeasurement().phases);
    phases.set_timing_ms(bad);
    ExpectRefused(phases, "phases.");
  }
}

TEST(FromWireRefuses, RecordsWithAnyBadPart) {
  TuningRecord record;
  record.problem = FullProblem();
  record.schedule = FullSchedule();
  record.device = FullDevice();
  record.measurement = FullMeasurement();
  const v1::TuningRecord good = ToWire(record);
  ASSERT_TRUE(FromWire(good).ok());
  v1::TuningRecord bad = good;
  bad.mutable_problem()->set_m(0);
  ExpectRefused(bad, "M=0");
  bad = good;
  bad.clear_schedule();
  ExpectRefused(bad, "schedule");
  bad = good;
  bad.mutable_device()->set_kind("tpu");
  ExpectRefused(bad, "'tpu'");
  bad = good;
  bad.mutable_measurement()->set_outcome("great");
  ExpectRefused(bad, "'great'");
}

TEST(FromWire, EmptySelectorIsAuto) {
  auto selector = FromWire(v1::DeviceSelector());
  ASSERT_TRUE(selector.ok());
  EXPECT_EQ(*selector, DeviceSelector{});
}

TEST(ToWire, MakesEveryStringValidUtf8) {
  struct Case {
    const char* text;
    const char* wire;
  };
  for (const Case& c : {Case{"plain", "plain"},
                        Case{"\xc3\xbc \xe2\x82\xac \xf0\x9f\x98\x80", "\xc3\xbc \xe2\x82\xac \xf0\x9f\x98\x80"},
                        Case{"a\xff"
                             "b",
                             "a?b"},
                        Case{"\xc0\xaf", "??"}, Case{"cut \xe2\x82", "cut ??"}, Case{"\xed\xa0\x80", "???"},
                        Case{"\xf4\x90\x80\x80", "????"}, Case{"\xe0\x80\x80", "???"}, Case{"\xf0\x80\x80\x80", "????"},
                        Case{"\x80", "?"}}) {
    Measurement measurement = FullMeasurement();
    measurement.message = c.text;
    v1::Measurement copy;
    EXPECT_TRUE(copy.ParseFromString(ToWire(measurement).SerializeAsString())) << c.wire;
    EXPECT_EQ(copy.message(), c.wire);
  }
}

}  // namespace
}  // namespace mmtune
