// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "proto/base/log.h"

#include <unistd.h>

#include <atomic>
#include <ctime>

#include "proto/base/plain_text.h"

namespace mmtune {
namespace {

std::atomic<LogLevel> g_level{LogLevel::kWarning};

constexpr std::string_view kNames[] = {"debug", "info", "warning", "error"};

constexpr size_t kMaxValue = 4096;

// Quoted when it would not stand as one word; plain and bounded, so that a line stays a line.
void AppendQuoted(std::string& line, std::string_view text) {
  const std::string value = PlainText(Shortened(text, kMaxValue));
  const bool plain = !value.empty() && value.find_first_of(" \"=\\") == std::string::npos;
  if (!plain) line += '"';
  for (char c : value) {
    if (c == '"' || c == '\\') line += '\\';
    line += c;
  }
  if (!plain) line += '"';
}

}  // namespace

void SetLogLevel(LogLevel level) { g_level = level; }

void Log(LogLevel level, std::string_view event, std::initializer_list<LogField> fields) {
  if (level < g_level.load()) return;
  timespec now;
  clock_gettime(CLOCK_REALTIME, &now);
  tm utc;
  gmtime_r(&now.tv_sec, &utc);
  char stamp[40];
  size_t n = strftime(stamp, sizeof stamp, "%Y-%m-%dT%H:%M:%SZ ", &utc);
  std::string line(stamp, n);
  line += kNames[static_cast<int>(level)];
  line += ' ';
  line += event;
  for (const LogField& field : fields) {
    line += ' ';
    line += field.key;
    line += '=';
    AppendQuoted(line, field.value);
  }
  line += '\n';
  (void)!write(STDERR_FILENO, line.data(), line.size());
}

}  // namespace mmtune
