#include "db/import_lines.h"

#include <algorithm>
#include <memory>
#include <utility>

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
};

/// A line without its ending; true.
bool Complete(std::string* line) {
  if (!line->empty() && line->back() == '\r') line->pop_back();
  return true;
}

}  // namespace

std::function<bool(std::string*)> ImportLines(std::istream& input) {
  return [&input, buffer = std::make_shared<Buffer>(), cut = false](std::string* line) mutable {
    line->clear();
    while (buffer->Fill(input)) {
      const size_t end = buffer->bytes.find('\n', buffer->next);
      const size_t size = std::min(end, buffer->bytes.size()) - buffer->next;
      const size_t room = cut ? 0 : kMaxRecordJsonBytes + 1 - line->size();
      line->append(buffer->bytes, buffer->next, std::min(size, room));
      buffer->next += size + (end == std::string::npos ? 0 : 1);
      if (end == std::string::npos && line->size() > kMaxRecordJsonBytes) {
        cut = true;  // Its rest is passed over by the next call.
        return true;
      }
      if (end == std::string::npos) continue;
      if (!std::exchange(cut, false)) return Complete(line);
    }
    return !line->empty() && Complete(line);
  };
}

}  // namespace mmtune
