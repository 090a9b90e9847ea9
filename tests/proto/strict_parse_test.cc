#include "proto/json/strict_parse.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

namespace mmtune {
namespace {

using ::testing::HasSubstr;

std::string ErrorOf(std::string_view text, int depth = 8) {
  const auto json = ParseStrictJson(text, depth);
  EXPECT_EQ(json.status().code(), absl::StatusCode::kInvalidArgument) << text.substr(0, 80);
  return std::string(json.status().message());
}

TEST(ParseStrictJson, TakesJson) {
  EXPECT_EQ(ParseStrictJson(R"({"a": [1, {"a": 2}], "b": null})", 8)->dump(), R"({"a":[1,{"a":2}],"b":null})");
  EXPECT_EQ(ParseStrictJson("[[[]]]", 3)->dump(), "[[[]]]");
}

TEST(ParseStrictJson, RefusesWhatIsNotJson) {
  for (std::string_view text :
       {"", " ", "{", "}", "{\"a\":}", "[1,]", "nul", "{}{}", "\"\x80\"", "{'a':1}", "1e999999 x"}) {
    EXPECT_THAT(ErrorOf(text), HasSubstr("not valid JSON")) << text;
  }
  EXPECT_THAT(ErrorOf(std::string_view("{}\0{}", 5)), HasSubstr("not valid JSON"));
}

TEST(ParseStrictJson, RefusesDepthBeforeItTakesMemory) {
  EXPECT_THAT(ErrorOf("[[[[]]]]", 3), HasSubstr("nested deeper than 3 levels"));
  EXPECT_THAT(ErrorOf(std::string(10'000'000, '[')), HasSubstr("deeper than 8"));
  std::string objects;
  for (int i = 0; i < 100'000; ++i) objects += "{\"a\":";
  EXPECT_THAT(ErrorOf(objects), HasSubstr("deeper than 8"));
}

TEST(ParseStrictJson, RefusesAFieldTwiceAtAnyDepth) {
  EXPECT_THAT(ErrorOf(R"({"a":1,"a":1})"), HasSubstr("names the field 'a' twice"));
  EXPECT_THAT(ErrorOf(R"({"x":[{"b":1},{"b":1,"c":{},"b":2}]})"), HasSubstr("'b' twice"));
  EXPECT_LT(ErrorOf("{\"" + std::string(9999, 'k') + "\":1,\"" + std::string(9999, 'k') + "\":1}").size(), 200u);
}

}  // namespace
}  // namespace mmtune
