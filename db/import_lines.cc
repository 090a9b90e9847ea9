#include "db/import_lines.h"

#include "db/record_json.h"

namespace mmtune {

std::function<bool(std::string*)> ImportLines(std::istream& input) {
  return [&input](std::string* line) {
    line->clear();
    std::streambuf* buffer = input.rdbuf();
    if (!input.good()) return false;
    int c = buffer->sbumpc();
    if (c == std::istream::traits_type::eof()) {
      input.setstate(std::ios::eofbit);
      return false;
    }
    for (; c != std::istream::traits_type::eof() && c != '\n'; c = buffer->sbumpc()) {
      if (line->size() <= kMaxRecordJsonBytes) line->push_back(static_cast<char>(c));
    }
    if (c != '\n') input.setstate(std::ios::eofbit);
    if (!line->empty() && line->back() == '\r') line->pop_back();
    return true;
  };
}

}  // namespace mmtune
