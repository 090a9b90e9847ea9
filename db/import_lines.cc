#include "db/import_lines.h"

#include <algorithm>
#include <memory>

#include "db/record_json.h"

namespace mmtune {
namespace {

constexpr size_t kReadAtOnce = 65536;

/// What was read of the stream and not yet given as a line.
struct Buffer {
  std::string bytes;
  size_t next = 0;
  bool ended = false;

  /// False at the end.
  bool Fill(std::istream& input) {
    if (next < bytes.size()) return true;
    if (ended || !input.good()) return false;
    bytes.resize(kReadAtOnce);
    bytes.resize(static_cast<size_t>(input.rdbuf()->sgetn(bytes.data(), kReadAtOnce)));
    next = 0;
    ended = bytes.size() < kReadAtOnce;
    return !bytes.empty();
  }

  void End() {
    next = bytes.size();
    ended = true;
  }
};

}  // namespace

std::function<bool(std::string*)> ImportLines(std::istream& input) {
  return [&input, buffer = std::make_shared<Buffer>()](std::string* line) {
    line->clear();
    if (!buffer->Fill(input)) return false;
    while (buffer->Fill(input)) {
      const size_t end = buffer->bytes.find('\n', buffer->next);
      const size_t size = std::min(end, buffer->bytes.size()) - buffer->next;
      line->append(buffer->bytes, buffer->next, std::min(size, kMaxRecordJsonBytes + 1 - line->size()));
      buffer->next += size + (end == std::string::npos ? 0 : 1);
      if (line->size() > kMaxRecordJsonBytes) buffer->End();
      if (end != std::string::npos) break;
    }
    if (!line->empty() && line->back() == '\r') line->pop_back();
    return true;
  };
}

}  // namespace mmtune
