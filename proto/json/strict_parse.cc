#include "proto/json/strict_parse.h"

#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "proto/base/status.h"

namespace mmtune {
namespace {

using nlohmann::json;

/// Builds the value; refuses what is nested too deep or named twice. As nlohmann::json_sax wants it.
class StrictBuilder {
 public:
  explicit StrictBuilder(int max_depth) : max_depth_(static_cast<size_t>(max_depth)) {}

  bool null() { return Add(nullptr); }
  bool boolean(bool value) { return Add(value); }
  bool number_integer(json::number_integer_t value) { return Add(value); }
  bool number_unsigned(json::number_unsigned_t value) { return Add(value); }
  bool number_float(json::number_float_t value, const std::string&) { return Add(value); }
  // Copied: the parser goes on with its buffer.
  bool string(const std::string& value) { return Add(value); }
  bool binary(json::binary_t&) { return false; }
  bool start_object(size_t) { return Open(json::object()); }
  bool start_array(size_t) { return Open(json::array()); }
  bool end_object() { return Close(); }
  bool end_array() { return Close(); }
  bool key(const std::string& name) {
    auto& object = open_.back()->get_ref<json::object_t&>();
    const size_t size = object.size();
    member_ = &object.try_emplace(object.end(), name, nullptr)->second;  // names come sorted more often than not
    const bool added = object.size() > size;
    if (!added) status_ = InvalidArgument(absl::StrCat("names the field '", name.substr(0, 64), "' twice"));
    return added;
  }
  bool parse_error(size_t, const std::string&, const json::exception&) { return false; }

  const absl::Status& status() const { return status_; }
  json& root() { return root_; }

 private:
  template <typename T>
  bool Add(T value) {
    json* at = &root_;
    if (!open_.empty() && open_.back()->is_array()) {
      at = &open_.back()->get_ref<json::array_t&>().emplace_back();
    } else if (!open_.empty()) {
      at = member_;
    }
    *at = std::move(value);
    last_ = at;
    return true;
  }
  bool Open(json value) {
    if (open_.size() >= max_depth_) {
      status_ = InvalidArgument(absl::StrCat("nested deeper than ", max_depth_, " levels"));
      return false;
    }
    Add(std::move(value));
    open_.push_back(last_);
    return true;
  }
  bool Close() {
    open_.pop_back();
    return true;
  }

  const size_t max_depth_;
  json root_;
  std::vector<json*> open_;  ///< What is open stays where it is: nothing else is added to what holds it.
  json* member_ = nullptr;   ///< The value of the last key.
  json* last_ = nullptr;
  absl::Status status_;
};

}  // namespace

absl::StatusOr<nlohmann::json> ParseStrictJson(std::string_view text, int max_depth) {
  // The parser takes a NUL for the end of its input.
  if (text.find('\0') != std::string_view::npos) return InvalidArgument("not valid JSON");
  StrictBuilder builder(max_depth);
  const bool parsed = json::sax_parse(text, &builder);
  RETURN_IF_ERROR(builder.status());
  if (!parsed) return InvalidArgument("not valid JSON");
  return std::move(builder.root());
}

}  // namespace mmtune
