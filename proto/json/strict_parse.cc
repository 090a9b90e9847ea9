#include "proto/json/strict_parse.h"

#include <set>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "proto/base/status.h"

namespace mmtune {

absl::StatusOr<nlohmann::json> ParseStrictJson(std::string_view text, int max_depth) {
  // The parser takes a NUL for the end of its input.
  if (text.find('\0') != std::string_view::npos) return InvalidArgument("not valid JSON");
  absl::Status status;                      // the first thing wrong
  std::vector<std::set<std::string>> keys;  // of the objects open now
  auto watch = [&](int depth, nlohmann::json::parse_event_t event, nlohmann::json& parsed) {
    using Event = nlohmann::json::parse_event_t;
    if (!status.ok()) return false;
    bool opens = event == Event::object_start || event == Event::array_start;
    if (opens && depth >= max_depth) {
      status = InvalidArgument(absl::StrCat("nested deeper than ", max_depth, " levels"));
      return false;
    }
    if (event == Event::object_start) keys.emplace_back();
    if (event == Event::object_end) keys.pop_back();
    if (event == Event::key && !keys.back().insert(parsed.get_ref<const std::string&>()).second) {
      status = InvalidArgument(absl::StrCat("names the field '", parsed.get<std::string>().substr(0, 64), "' twice"));
    }
    return true;
  };
  nlohmann::json json = nlohmann::json::parse(text, watch, /*allow_exceptions=*/false);
  RETURN_IF_ERROR(status);
  if (json.is_discarded()) return InvalidArgument("not valid JSON");
  return json;
}

}  // namespace mmtune
