// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <algorithm>
#include <functional>
#include <limits>

#include "nlohmann/json.hpp"
#include "proto/json/tuning_spec.h"

namespace mmtune {
namespace {

using ::testing::HasSubstr;
using Json = nlohmann::json;

TuningSpecEntry Entry(int64_t m, const char* arch = "sm_90") {
  TuningSpecEntry entry;
  entry.problem = {m, 5, 6, DataType::kF32};
  entry.device = ArchitectureLimits(arch).value();
  entry.device.name = "NVIDIA Ünïcode";
  entry.device.kind = DeviceKind::kCuda;
  entry.device.multiprocessors = 132;
  entry.schedule = {"fma", {{"bm", 128}, {"negative", std::numeric_limits<int64_t>::min()}}};
  entry.median_ns = 0.1 + 0.2;
  entry.code_digest = std::string(64, 'a');
  entry.toolchain = {"0.1.0", "22.1.8", "ptxas 13.0", "direct=1 fma=1"};
  return entry;
}

void SetDigests(TuningSpec& spec) {
  for (TuningSpecEntry& entry : spec.entries) entry.digest = EntryDigest(entry);
}

TuningSpec FullSpec() {
  TuningSpec spec;
  spec.entries = {Entry(9), Entry(10), Entry(10, "sm_80"), Entry(10)};
  spec.entries.back().problem.batch = 8;
  spec.entries.back().problem.transpose_b = true;
  spec.entries.back().problem.epilogue = ParseEpilogue("scale:0.1,bias,relu,gelu,clamp:-0.1:6").value();
  SetDigests(spec);
  return spec;
}

std::string ErrorOf(const std::string& text, absl::StatusCode code = absl::StatusCode::kInvalidArgument) {
  const auto spec = TuningSpecFromJson(text);
  EXPECT_EQ(spec.status().code(), code) << text.substr(0, 200);
  return std::string(spec.status().message());
}

/// The error of a full spec with something changed.
std::string ErrorAfter(const std::function<void(Json&)>& change) {
  Json json = Json::parse(TuningSpecToJson(FullSpec()));
  change(json);
  return ErrorOf(json.dump());
}

TEST(TuningSpecJson, SpecRoundTrips) {
  TuningSpec spec = FullSpec();
  for (double ns : {5e-324, 1.0 / 3, 1e18, std::numeric_limits<double>::max()}) {
    spec.entries[0].median_ns = ns;
    SetDigests(spec);
    const std::string text = TuningSpecToJson(spec);
    const auto back = TuningSpecFromJson(text);
    ASSERT_TRUE(back.ok()) << back.status();
    EXPECT_EQ(TuningSpecToJson(*back), text);
    EXPECT_TRUE(
        std::is_permutation(back->entries.begin(), back->entries.end(), spec.entries.begin(), spec.entries.end()));
  }
}

TEST(TuningSpecJson, EqualSpecsAreEqualFilesInAnyOrder) {
  TuningSpec spec = FullSpec();
  const std::string text = TuningSpecToJson(spec);
  std::reverse(spec.entries.begin(), spec.entries.end());
  EXPECT_EQ(TuningSpecToJson(spec), text);
  EXPECT_EQ(text.rfind("{\n  \"mmtune_tuning_spec\": 1,\n  \"entries\": [\n", 0), 0u) << text.substr(0, 100);
  EXPECT_EQ(text.substr(text.size() - 4), "]\n}\n");
  // Sizes sort as numbers, then batches, then devices.
  const auto back = TuningSpecFromJson(text);
  EXPECT_EQ(back->entries[0].problem.m, 9);
  EXPECT_EQ(back->entries[1].device.arch, "sm_80");
  EXPECT_EQ(back->entries[3].problem.batch, 8);
}

TEST(TuningSpecJson, IsIndentedAsTheJsonLibraryDoes) {
  TuningSpec spec = FullSpec();
  spec.entries[0].schedule.params.clear();
  spec.entries[1].device.name = "a \"name\" {with} [all], that: ends\\";
  spec.entries[2].toolchain.assembler = "tab\tline\n\xff";
  SetDigests(spec);
  for (const TuningSpec& each : {spec, TuningSpec()}) {
    const std::string text = TuningSpecToJson(each);
    EXPECT_EQ(text, nlohmann::ordered_json::parse(text).dump(2) + "\n");
  }
}

TEST(TuningSpecJson, EditedEntryIsReadAsNotVerified) {
  const Json whole = Json::parse(TuningSpecToJson(FullSpec()));
  const std::vector<std::function<void(Json&)>> edits = {
      [](Json& entry) { entry["schedule"]["params"]["bm"] = 32; },
      [](Json& entry) { entry["problem"]["k"] = 7; },
      [](Json& entry) { entry["device"]["arch"] = "sm_86"; },
      [](Json& entry) { entry["toolchain"]["mlir"] = "22.1.9"; },
      [](Json& entry) { entry["code_digest"] = std::string(64, 'b'); },
      [](Json& entry) { entry["median_ns"] = 1; },
      [](Json& entry) { entry["digest"] = std::string(64, 'b'); },
      [](Json& entry) { entry.erase("digest"); },
  };
  for (const auto& edit : edits) {
    Json json = whole;
    edit(json["entries"][0]);
    const auto spec = TuningSpecFromJson(json.dump());
    ASSERT_TRUE(spec.ok()) << spec.status();
    EXPECT_FALSE(spec->entries[0].verified) << json["entries"][0].dump();
    EXPECT_NE(spec->entries[0].digest, EntryDigest(spec->entries[0]));
    EXPECT_TRUE(spec->entries[1].verified);
    const auto again = TuningSpecFromJson(TuningSpecToJson(*spec));
    ASSERT_TRUE(again.ok()) << again.status();
    EXPECT_NE(again->entries[0].digest, EntryDigest(again->entries[0])) << "writing it again does not hide it";
  }
}

TEST(TuningSpecJson, EntryTimedWithoutVerificationSaysSo) {
  TuningSpec spec = FullSpec();
  EXPECT_EQ(TuningSpecToJson(spec).find("verified"), std::string::npos);
  spec.entries[1].verified = false;
  SetDigests(spec);
  Json json = Json::parse(TuningSpecToJson(spec));
  EXPECT_EQ(json["entries"][0].contains("verified"), false);
  const auto back = TuningSpecFromJson(json.dump());
  ASSERT_TRUE(back.ok()) << back.status();
  EXPECT_EQ(std::count_if(back->entries.begin(), back->entries.end(), [](const auto& e) { return !e.verified; }), 1);
}

TEST(TuningSpecJson, EmptySpecRoundTrips) { EXPECT_TRUE(TuningSpecFromJson(TuningSpecToJson({}))->entries.empty()); }

TEST(TuningSpecJson, RefusesTwoEntriesForAProblemAndClass) {
  TuningSpec spec = FullSpec();
  spec.entries.push_back(Entry(9));
  spec.entries.back().device.uuid = "another of its class";
  spec.entries.back().device.memory_bytes = 4711;
  EXPECT_THAT(ErrorOf(TuningSpecToJson(spec)), HasSubstr("entries[1] is a second entry for 9x5x6 on NVIDIA"));
  spec.entries.back().device.multiprocessors = 1;
  EXPECT_TRUE(TuningSpecFromJson(TuningSpecToJson(spec)).ok());
}

TEST(TuningSpecJson, RefusesANewerVersion) {
  Json json = Json::parse(TuningSpecToJson(FullSpec()));
  json["mmtune_tuning_spec"] = 2;
  json["entries"] = "in a new form";
  EXPECT_THAT(ErrorOf(json.dump(), absl::StatusCode::kFailedPrecondition), HasSubstr("newer than this program's 1"));
  EXPECT_THAT(ErrorAfter([](Json& spec) { spec["mmtune_tuning_spec"] = 0; }),
              HasSubstr("is 0; a version is 1 or more"));
  EXPECT_THAT(ErrorAfter([](Json& spec) { spec["mmtune_tuning_spec"] = "1"; }), HasSubstr("mmtune_tuning_spec is not"));
  EXPECT_THAT(ErrorAfter([](Json& spec) { spec.erase("mmtune_tuning_spec"); }),
              HasSubstr("mmtune_tuning_spec is miss"));
}

TEST(TuningSpecJson, RefusesMissingMistypedAndUnknownFields) {
  const Json good = Json::parse(TuningSpecToJson(FullSpec()));
  for (const auto& [key, value] : good["entries"][1].items()) {
    if (key == "digest") continue;  // an entry without one is not verified
    EXPECT_THAT(ErrorAfter([&key](Json& spec) { spec["entries"][1].erase(key); }),
                HasSubstr("entries[1]." + key + " is missing"));
    EXPECT_THAT(ErrorAfter([&key](Json& spec) { spec["entries"][1][key] = Json::array(); }),
                HasSubstr("entries[1]." + key));
  }
  EXPECT_THAT(ErrorAfter([](Json& spec) { spec["entries"][0]["more"] = 1; }),
              HasSubstr("entries[0].more is not a field of this version"));
  EXPECT_THAT(ErrorAfter([](Json& spec) { spec["more"] = 1; }), HasSubstr("more is not a field"));
  EXPECT_THAT(ErrorAfter([](Json& spec) { spec["entries"] = Json::object(); }), HasSubstr("entries is not an array"));
  EXPECT_THAT(ErrorAfter([](Json& spec) { spec["entries"][0] = 7; }), HasSubstr("entries[0] is not a JSON object"));
}

TEST(TuningSpecJson, RefusesInvalidValues) {
  EXPECT_THAT(ErrorAfter([](Json& spec) { spec["entries"][0]["problem"]["m"] = 0; }),
              HasSubstr("entries[0].problem: M=0"));
  EXPECT_THAT(ErrorAfter([](Json& spec) { spec["entries"][0]["problem"]["epilogue"] = "bias,bias"; }),
              HasSubstr("entries[0].problem.epilogue"));
  for (const Json& ns : {Json(0), Json(-1), Json("nan"), Json("inf")}) {
    EXPECT_THAT(ErrorAfter([&ns](Json& spec) { spec["entries"][0]["median_ns"] = ns; }),
                HasSubstr("entries[0].median_ns is not a positive time"));
  }
  for (const char* digest : {"", "abc", "A"}) {
    EXPECT_THAT(ErrorAfter([digest](Json& spec) { spec["entries"][0]["code_digest"] = digest; }),
                HasSubstr("entries[0].code_digest is not a SHA-256"));
  }
  EXPECT_THAT(ErrorAfter([](Json& spec) { spec["entries"][0]["schedule"]["params"]["\"x"] = 1; }),
              HasSubstr("entries[0].schedule"));
  EXPECT_THAT(ErrorAfter([](Json& spec) { spec["entries"][0]["device"]["kind"] = "tpu"; }),
              HasSubstr("entries[0].device.kind"));
}

TEST(TuningSpecJson, HostileTextIsAnError) {
  for (const std::string& text :
       {std::string(), std::string("not a spec"), std::string("[]"), std::string("7"), std::string("null"),
        std::string(10'000'000, '['), std::string("{\"mmtune_tuning_spec\":1,\"mmtune_tuning_spec\":1}"),
        std::string("\x00\x01\xff", 3)}) {
    EXPECT_THAT(ErrorOf(text), HasSubstr("the tuning spec"));
  }
  EXPECT_THAT(ErrorOf(std::string((64 << 20) + 1, ' ')), HasSubstr("longer than 64 MiB"));
}

TEST(TuningSpecJson, LinesOfATableDoNotOverlap) {
  TuningSpecEntry small = Entry(4), large = Entry(16);
  large.problem = small.problem;
  small.problem.m = 4;
  small.rows = RowRange{1, 4};
  large.problem.m = 16;
  large.rows = RowRange{5, 16};
  EXPECT_TRUE(BelongToSameTable(small, large));
  TuningSpecEntry own = large;  // The problem's own entry may stand beside them.
  own.rows.reset();
  TuningSpec spec{{small, large, own}};
  SetDigests(spec);
  const absl::StatusOr<TuningSpec> read = TuningSpecFromJson(TuningSpecToJson(spec));
  ASSERT_TRUE(read.ok()) << read.status();
  EXPECT_EQ(TuningSpecToJson(*read), TuningSpecToJson(spec));
  large.rows->from = 4;
  EXPECT_THAT(ErrorOf(TuningSpecToJson({{small, large}})),
              HasSubstr("entries[1].rows are 4 to 16, which overlaps those of another entry: 1 to 4"));
  large.rows->from = 17;
  EXPECT_THAT(ErrorOf(TuningSpecToJson({{large}})),
              HasSubstr("rows are 17 to 16; the first must be 1 or more, and not larger than the last"));
  ++large.problem.n;
  EXPECT_FALSE(BelongToSameTable(small, large));
}

// Every cut and every changed byte is an error or another spec, never a crash.
TEST(TuningSpecJson, BrokenTextNeverCrashes) {
  TuningSpec spec;
  spec.entries = {Entry(3)};
  const std::string text = TuningSpecToJson(spec);
  for (size_t at = 0; at + 3 < text.size(); ++at) EXPECT_FALSE(TuningSpecFromJson(text.substr(0, at)).ok()) << at;
  for (size_t at = 0; at < text.size(); ++at) {
    for (char c : {'\0', '"', '{', '}', '9', '-', '\xff'}) {
      std::string broken = text;
      broken[at] = c;
      (void)TuningSpecFromJson(broken);
    }
  }
}

}  // namespace
}  // namespace mmtune
