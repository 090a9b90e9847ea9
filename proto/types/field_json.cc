// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "proto/types/field_json.h"

#include <algorithm>
#include <charconv>
#include <cmath>

namespace mmtune {

nlohmann::json DoubleToJson(double value) {
  if (std::isnan(value)) return "nan";
  if (std::isinf(value)) return value > 0 ? "inf" : "-inf";
  return value;
}

nlohmann::json ToJson(const Schedule& value) {
  nlohmann::json json = nlohmann::json::object();
  json["family"] = value.family;
  json["params"] = value.params;
  return json;
}

std::string Dump(const nlohmann::json& value) {
  return value.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

void AppendJson(std::string& text, bool value) { text += value ? "true" : "false"; }

void AppendJson(std::string& text, int64_t value) {
  char digits[24];
  text.append(digits, std::to_chars(digits, digits + sizeof digits, value).ptr);
}

void AppendJson(std::string& text, double value) {
  constexpr double kAllDigits = 1e15;  // below it the library writes whole numbers digit by digit
  if (!(std::abs(value) < kAllDigits) || value != std::trunc(value) || (value == 0 && std::signbit(value))) {
    text += Dump(DoubleToJson(value));
    return;
  }
  AppendJson(text, static_cast<int64_t>(value));
  text += ".0";
}

void AppendJson(std::string& text, std::string_view value) {
  const auto plain = [](char c) { return c >= ' ' && c <= '~' && c != '"' && c != '\\'; };
  if (!std::all_of(value.begin(), value.end(), plain)) {
    text += Dump(nlohmann::json(value));
    return;
  }
  text += '"';
  text += value;
  text += '"';
}

void AppendJson(std::string& text, const Schedule& value) {
  text += "{\"family\":";
  AppendJson(text, std::string_view(value.family));
  text += ",\"params\":{";
  for (const auto& [name, number] : value.params) {
    AppendJson(text, std::string_view(name));
    text += ':';
    AppendJson(text, number);
    text += ',';
  }
  if (!value.params.empty()) text.pop_back();
  text += "}}";
}

void JsonTextWriter::Finish() {
  const auto by_name = [](const Part& a, const Part& b) { return a.name < b.name; };
  if (!std::is_sorted(parts_.begin(), parts_.end(), by_name)) {
    const size_t begin = parts_.front().begin;
    const std::string visited = text_.substr(begin);
    std::sort(parts_.begin(), parts_.end(), by_name);
    text_.resize(begin);
    for (const Part& part : parts_) text_.append(visited, part.begin - begin, part.end - part.begin);
  }
  if (parts_.empty()) {
    text_ += '}';
  } else {
    text_.back() = '}';  // in the place of the last comma
  }
}

}  // namespace mmtune
