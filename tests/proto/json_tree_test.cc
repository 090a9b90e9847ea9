// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "proto/base/json_tree.h"
#include "proto/base/status.h"

namespace mmtune {
namespace {

using ::testing::HasSubstr;

std::string ErrorOf(std::string_view text, int depth = 8) {
  const auto json = ParseStrictJson(text, depth);
  EXPECT_EQ(json.status().code(), absl::StatusCode::kInvalidArgument) << text.substr(0, 80);
  return std::string(json.status().message());
}

/// Returns a tree as the library has it.
nlohmann::json ToLibrary(JsonValue value) {
  if (value.is_object()) {
    auto object = nlohmann::json::object();
    for (JsonValue member : value) object[std::string(member.name())] = ToLibrary(member);
    return object;
  }
  if (value.is_array()) {
    auto array = nlohmann::json::array();
    for (JsonValue element : value) array.push_back(ToLibrary(element));
    return array;
  }
  if (value.is_string()) return std::string(value.Text());
  if (value.is_boolean()) return value.Bool();
  if (const std::optional<int64_t> integer = value.Int()) return *integer;
  if (const std::optional<double> real = value.Real()) return *real;
  return nullptr;
}

std::string CopyOf(std::string_view text, int depth = 8) {
  const absl::StatusOr<JsonTree> tree = ParseStrictJson(text, depth);
  return ToLibrary(JsonValue(*tree)).dump();
}

/// Returns the text as the library reads and writes it, with integers beyond int64_t as floating-point numbers.
std::string LibraryCopyOf(std::string_view text) {
  nlohmann::json json = nlohmann::json::parse(text);
  const std::function<void(nlohmann::json&)> visit = [&visit](nlohmann::json& value) {
    if (value.is_structured()) {
      for (nlohmann::json& child : value) visit(child);
    } else if (value.is_number_unsigned() && value.get<uint64_t>() > uint64_t{INT64_MAX}) {
      value = static_cast<double>(value.get<uint64_t>());
    }
  };
  visit(json);
  return json.dump();
}

TEST(ParseStrictJson, AcceptsJson) {
  EXPECT_EQ(CopyOf(R"({"a": [1, {"a": 2}], "b": null})"), R"({"a":[1,{"a":2}],"b":null})");
  EXPECT_EQ(CopyOf("[[[]]]", 3), "[[[]]]");
}

TEST(ParseStrictJson, ReadsValuesAsTheyAreWritten) {
  for (std::string_view text :
       {"0", "-0", "-1", "9223372036854775807", "-9223372036854775808", "9223372036854775808", "18446744073709551615",
        "18446744073709551616", "0.1", "1e22", "5e-324", "1.7976931348623157e308", "-0.0", "true", "false", "null",
        R"("")", R"("a\"\\\/\b\f\n\r\t\u00fc\ud83d\ude00ü")", R"({"":{"":[]},"b":[{},{"c":[1,[2]]},"d"]})"}) {
    EXPECT_EQ(CopyOf(text), LibraryCopyOf(text)) << text;
    EXPECT_EQ(CopyOf(absl::StrCat("[[", ToAbsl(text), "],1]")), absl::StrCat("[[", LibraryCopyOf(text), "],1]"));
  }
  const JsonTree tree =
      *ParseStrictJson(R"({"high":18446744073709551615,"low":-9223372036854775808,"x":[0.5,"y"]})", 8);
  const JsonValue value(tree);
  EXPECT_EQ(value.Find("high")->Int(), std::nullopt);
  EXPECT_EQ(value.Find("high")->Real(), 18446744073709551615.0);
  EXPECT_EQ(value.Find("low")->Int(), INT64_MIN);
  EXPECT_EQ(value.Find("x")->size(), 2u);
  EXPECT_EQ((*value.Find("x")->begin()).Real(), 0.5);
  EXPECT_FALSE(value.Find("y"));
}

/// Checks that a text, and every text with one byte changed, is read as the library reads it.
TEST(ParseStrictJson, AgreesWithTheLibraryOnEveryDamagedByte) {
  const std::string good =
      R"({"a":[0,-1,2.5,1e5,-0.25e-3,9223372036854775808],"b":{"c":"text","d":true,"e":false,"f":null},"g":[],"h":{}})";
  const std::string spaced = "\t{ \"a\" : [ 1 ,\r\n 2.5 ] , \"b\" : { \"c\" : \"x\" } , \"d\" : [ ] , \"e\" : { } } \n";
  int taken = 0, refused = 0;
  for (size_t at = 0; at < good.size() + spaced.size(); ++at) {
    for (int byte = 0; byte < 256; ++byte) {
      std::string text = at < good.size() ? good : spaced;
      text[at < good.size() ? at : at - good.size()] = static_cast<char>(byte);
      const auto tree = ParseStrictJson(text, 8);
      const bool twice = !tree.ok() && absl::StrContains(tree.status().message(), "twice");
      const nlohmann::json json = nlohmann::json::parse(text, nullptr, /*allow_exceptions=*/false);
      ASSERT_EQ(tree.ok() || twice, !json.is_discarded() && byte != 0) << text;
      if (tree.ok()) {
        ASSERT_EQ(ToLibrary(JsonValue(*tree)).dump(), LibraryCopyOf(text)) << text;
      }
      ++(tree.ok() ? taken : refused);
    }
  }
  EXPECT_GT(taken, 1000);
  EXPECT_GT(refused, 1000);
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
  std::string many = "{";
  for (int i = 0; i < 100'000; ++i) absl::StrAppend(&many, "\"", i, "\":0,");
  EXPECT_THAT(ErrorOf(many + "\"77777\":0}"), HasSubstr("'77777' twice")) << "without comparing each with each";
  EXPECT_TRUE(ParseStrictJson(many + "\"x\":0}", 8).ok());
  EXPECT_LT(ErrorOf("{\"" + std::string(9999, 'k') + "\":1,\"" + std::string(9999, 'k') + "\":1}").size(), 200u);
}

}  // namespace
}  // namespace mmtune
