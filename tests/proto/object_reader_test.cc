// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A field that is missing, or of another type, is the first error, by its full name.
#include "proto/json/object_reader.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <string>

#include "proto/json/strict_parse.h"

namespace mmtune {
namespace {

template <typename T>
std::string ErrorOf(const char* text) {
  const JsonTree json = *ParseStrictJson(text, 4);
  absl::Status status;
  T value{};
  ObjectReader reader(json, "outer", &status);
  reader.Read("x", &value);
  reader.Finish();
  return std::string(status.message());
}

TEST(ObjectReaderTest, AMissingFieldOfAnyTypeIsNamed) {
  for (const char* text : {"{}", R"({"y": 1})"}) {
    EXPECT_EQ(ErrorOf<int64_t>(text), "outer.x is missing");
    EXPECT_EQ(ErrorOf<double>(text), "outer.x is missing");
    EXPECT_EQ(ErrorOf<bool>(text), "outer.x is missing");
    EXPECT_EQ(ErrorOf<std::string>(text), "outer.x is missing");
    EXPECT_EQ(ErrorOf<std::vector<double>>(text), "outer.x is missing");
    EXPECT_EQ(ErrorOf<std::vector<std::string>>(text), "outer.x is missing");
  }
}

TEST(ObjectReaderTest, AFieldOfAnotherTypeIsNamed) {
  EXPECT_EQ(ErrorOf<int64_t>(R"({"x": 9223372036854775808})"), "outer.x is not a 64-bit integer");
  EXPECT_EQ(ErrorOf<int64_t>(R"({"x": 1.5})"), "outer.x is not a 64-bit integer");
  EXPECT_EQ(ErrorOf<double>(R"({"x": "1.5"})"), "outer.x is not a number");
  EXPECT_EQ(ErrorOf<bool>(R"({"x": 1})"), "outer.x is neither true nor false");
  EXPECT_EQ(ErrorOf<std::string>(R"({"x": 1})"), "outer.x is not a string");
  EXPECT_EQ(ErrorOf<std::vector<double>>(R"({"x": [1, true]})"), "outer.x is not an array of numbers");
  EXPECT_EQ(ErrorOf<std::vector<std::string>>(R"({"x": "a"})"), "outer.x is not an array of strings");
  EXPECT_EQ(ErrorOf<std::vector<std::string>>(R"({"x": ["a", 1]})"), "outer.x is not an array of strings");
}

TEST(ObjectReaderTest, ANumberThatJsonLacksIsAWord) {
  auto read = [](const char* text) {
    const JsonTree json = *ParseStrictJson(text, 4);
    absl::Status status;
    double value = 0;
    ObjectReader(json, "", &status).Read("x", &value);
    EXPECT_TRUE(status.ok()) << status;
    return value;
  };
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  EXPECT_EQ(read(R"({"x": "inf"})"), kInfinity);
  EXPECT_EQ(read(R"({"x": "-inf"})"), -kInfinity);
  EXPECT_TRUE(std::isnan(read(R"({"x": "nan"})")));
  // Before, between and after the three in the alphabet.
  for (const char* other : {"", "+inf", "-", "-infinity", "INF", "infinity", "nano", "x"}) {
    EXPECT_EQ(ErrorOf<double>(("{\"x\": \"" + std::string(other) + "\"}").c_str()), "outer.x is not a number") << other;
  }
}

TEST(ObjectReaderTest, MissingChildrenAreNamedAndNone) {
  const JsonTree json = *ParseStrictJson("{}", 4);
  absl::Status status;
  ObjectReader reader(json, "", &status);
  EXPECT_TRUE(reader.Children("rows").empty());
  EXPECT_EQ(status.message(), "rows is missing");
}

}  // namespace
}  // namespace mmtune
