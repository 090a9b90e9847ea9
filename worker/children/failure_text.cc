// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "worker/children/failure_text.h"

#include <fstream>
#include <sstream>

namespace mmtune {
namespace {

constexpr std::streamoff kEndBytes = 64 << 10;

std::string ReadEnds(const std::string& path) {
  std::ifstream file(path, std::ios::binary | std::ios::ate);
  if (!file) return "";
  std::streamoff size = file.tellg();
  auto read = [&file](std::streamoff from, std::streamoff bytes) {
    std::string text(static_cast<size_t>(bytes), '\0');
    file.seekg(from);
    file.read(text.data(), bytes);
    text.resize(static_cast<size_t>(file.gcount()));
    return text;
  };
  if (size <= 2 * kEndBytes) return read(0, size);
  std::string head = read(0, kEndBytes);
  return head + "\n" + read(size - kEndBytes, kEndBytes);
}

bool HasErrorMarker(std::string_view line) {
  for (std::string_view marker : {"LLVM ERROR", "Assertion", "error:", "what():", "runtime error", "ERROR: "}) {
    if (line.find(marker) != std::string_view::npos) return true;
  }
  return false;
}

}  // namespace

std::string OneLine(std::string_view text, size_t limit) {
  std::string line;
  for (char c : text) {
    auto byte = static_cast<unsigned char>(c);
    if (byte > 0x7e) {
      line += '?';
    } else if (byte > 0x20) {
      line += c;
    } else if (!line.empty() && line.back() != ' ') {
      line += ' ';
    }
    if (line.size() > limit) {
      line.resize(limit - 3);
      return line + "...";
    }
  }
  while (!line.empty() && line.back() == ' ') line.pop_back();
  return line;
}

std::string TellingLine(const std::string& path) {
  std::istringstream lines(ReadEnds(path));
  std::string line, last;
  while (std::getline(lines, line)) {
    std::string clean = OneLine(line);
    if (clean.empty()) continue;
    if (HasErrorMarker(clean)) return clean;
    last = clean;
  }
  return last;
}

}  // namespace mmtune
