#include "db/import_lines.h"

#include "db/record_json.h"

namespace mmtune {

std::function<bool(std::string*)> ImportLines(std::istream& input) {
  return [&input, cut = false](std::string* line) mutable {
    constexpr int kEnd = std::istream::traits_type::eof();
    line->clear();
    std::streambuf* buffer = input.rdbuf();
    if (!input.good()) return false;
    int c = buffer->sbumpc();
    while (cut && c != kEnd && c != '\n') c = buffer->sbumpc();  // The rest of a line that was too long.
    if (cut && c == '\n') c = buffer->sbumpc();
    cut = false;
    if (c == kEnd) {
      input.setstate(std::ios::eofbit);
      return false;
    }
    for (; c != kEnd && c != '\n'; c = buffer->sbumpc()) {
      line->push_back(static_cast<char>(c));
      cut = line->size() > kMaxRecordJsonBytes;
      if (cut) return true;
    }
    if (c != '\n') input.setstate(std::ios::eofbit);
    if (!line->empty() && line->back() == '\r') line->pop_back();
    return true;
  };
}

}  // namespace mmtune
