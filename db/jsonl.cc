// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "db/jsonl.h"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <deque>
#include <future>
#include <iostream>
#include <memory>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "db/aborted_retry.h"
#include "db/sql_tuning_log.h"
#include "proto/base/json_tree.h"
#include "proto/base/plain_text.h"
#include "proto/base/status.h"
#include "proto/json/json_reader.h"
#include "proto/types/validate.h"

namespace mmtune {
namespace {

/// The "version" of every line written; lines of a greater one are refused.
constexpr int64_t kVersion = 1;
constexpr int kMaxDepth = 8;
constexpr int kPage = 500;
/// Bounds the memory that an import takes, together with what one line may have.
constexpr size_t kBytesAtOnce = size_t{1} << 18;
constexpr size_t kAhead = 3;

/// Returns true if the records differ in nothing but their ids, as copies in different logs may.
bool SameRecord(TuningRecord a, TuningRecord b) {
  a.id = b.id = 0;
  return RecordToJson(a) == RecordToJson(b);
}

/// Counts a record that was imported. One that was there before must say the same.
absl::Status CountImported(TuningLog& log, const TuningRecord& record, const InsertedRecord& inserted,
                           ImportResult* result) {
  if (!inserted.duplicate) {
    ++result->added;
    return absl::OkStatus();
  }
  ASSIGN_OR_RETURN(TuningRecord present, log.Get(record.uuid));
  if (!SameRecord(record, std::move(present))) {
    return InvalidArgument(absl::StrCat("the log already has a different record with uuid ", record.uuid));
  }
  ++result->present;
  return absl::OkStatus();
}

struct ParsedLine {
  int64_t number = 0;
  absl::StatusOr<TuningRecord> record;
  RecordColumns columns;
};

/// A batch of lines, parsed on a thread of its own while others are inserted.
using ParsedLines = std::future<std::vector<ParsedLine>>;

/// Begins to parse the next batch; `used` are lines that are done with, which that thread frees.
absl::StatusOr<ParsedLines> ParseNext(const LineSource& next_line, std::vector<ParsedLine> used, int64_t* number,
                                      bool* more) {
  std::vector<std::pair<int64_t, std::string>> lines;
  size_t bytes = 0;
  std::string line;
  while (bytes < kBytesAtOnce) {
    absl::StatusOr<bool> got = next_line(&line);
    if (!got.ok()) return WithContext(got.status(), absl::StrCat("after line ", *number));
    *more = *got;
    if (!*more) break;
    ++*number;
    bytes += line.size();
    if (line.find_first_not_of(" \t\r\n") != std::string::npos) lines.emplace_back(*number, std::move(line));
  }
  return std::async(std::launch::async, [lines = std::move(lines), parsed = std::move(used)]() mutable {
    parsed.clear();
    parsed.reserve(lines.size());
    for (const auto& [at, text] : lines) {
      ParsedLine& line = parsed.emplace_back(ParsedLine{at, RecordFromJson(text), {}});
      if (line.record.ok()) line.columns = MakeColumns(*line.record);
    }
    return std::move(parsed);
  });
}

absl::StatusOr<ImportResult> ImportAll(TuningLog& log, const LineSource& next_line) {
  ImportResult result;
  std::deque<ParsedLines> ahead;
  int64_t number = 0;
  std::vector<ParsedLine> lines;
  for (bool more = true; more || !ahead.empty();) {
    while (more && ahead.size() < kAhead) {
      ASSIGN_OR_RETURN(ParsedLines next, ParseNext(next_line, std::exchange(lines, {}), &number, &more));
      ahead.push_back(std::move(next));
    }
    lines = ahead.front().get();
    ahead.pop_front();
    for (const ParsedLine& line : lines) {
      absl::Status status = line.record.status();
      if (status.ok()) status = ImportRecord(log, *line.record, line.columns, &result);
      if (!status.ok()) return WithContext(status, absl::StrCat("line ", line.number));
    }
  }
  return result;
}

constexpr size_t kReadAtOnce = 65536;

/// The bytes read from the stream and not yet returned as lines.
struct Buffer {
  std::string bytes;
  size_t next = 0;
  bool begun = false;  ///< The first line was returned.
  bool ended = false;
  absl::Status error;

  /// Returns false at the end, and when an error prevents further reading.
  bool Fill(std::istream& input) {
    if (next < bytes.size()) return true;
    if (ended || !input.good()) return false;
    bytes.resize(kReadAtOnce);
    errno = 0;
    input.read(bytes.data(), kReadAtOnce);
    // Standard input is read through stdio, and its stream reports an error as an end.
    if (input.bad() || (&input == &std::cin && ferror(stdin) != 0)) {
      error = InvalidArgument(
          absl::StrCat("cannot be read further", errno != 0 ? ": " : "", errno != 0 ? strerror(errno) : ""));
    }
    bytes.resize(error.ok() ? static_cast<size_t>(input.gcount()) : 0);
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

absl::Status ImportRecord(TuningLog& log, const TuningRecord& record, const RecordColumns& columns,
                          ImportResult* result) {
  ASSIGN_OR_RETURN(const InsertedRecord inserted, log.ImportRecord(record, columns));
  return CountImported(log, record, inserted, result);
}

absl::Status ImportRecords(TuningLog& log, const std::vector<TuningRecord>& records,
                           const std::vector<RecordColumns>& columns, ImportResult* result) {
  ASSIGN_OR_RETURN(const std::vector<InsertedRecord> inserted, log.ImportRecords(records, columns));
  for (size_t i = 0; i < records.size(); ++i) RETURN_IF_ERROR(CountImported(log, records[i], inserted[i], result));
  return absl::OkStatus();
}

std::string RecordToJson(const TuningRecord& record) {
  nlohmann::json json = ToJson(record);
  json["version"] = kVersion;
  json["gflops"] = DoubleToJson(record.Gflops());
  return Dump(json);
}

absl::StatusOr<TuningRecord> RecordFromJson(std::string_view line) {
  if (line.size() > kMaxRecordJsonBytes) {
    return InvalidArgument(absl::StrCat("the record is longer than ", kMaxRecordJsonBytes, " bytes"));
  }
  ASSIGN_OR_RETURN(JsonTree json, ParseStrictJson(line, kMaxDepth));
  absl::Status status;
  ObjectReader reader(json, "", &status);
  int64_t version = 0;
  reader.Read("version", &version);
  if (status.ok() && version != kVersion) {
    return InvalidArgument(absl::StrCat("the record's version ", version, " is not one this program reads (", kVersion,
                                        ")", version > kVersion ? "; update this program" : ""));
  }
  TuningRecord record;
  ReadFields(reader, &record);
  reader.Ignore("gflops");  // follows from the rest
  reader.Finish();
  if (!status.ok()) return status;
  RETURN_IF_ERROR(ValidateOrMarkSuspect(&record));
  return record;
}

absl::StatusOr<int64_t> ExportJsonl(TuningLogReader& log, const RecordFilter& filter,
                                    const std::function<absl::Status(std::string_view line)>& write) {
  int64_t written = 0;
  int64_t after_id = 0;
  while (true) {
    ASSIGN_OR_RETURN(std::vector<TuningRecord> page, log.Query(filter, after_id, kPage));
    if (page.empty()) return written;
    for (const TuningRecord& record : page) {
      RETURN_IF_ERROR(write(RecordToJson(record)));
      ++written;
    }
    after_id = page.back().id;
  }
}

absl::StatusOr<ImportResult> ImportJsonl(TuningLog& log, LineSource next_line, const LineRestart& restart) {
  for (AbortedRetry retry;;) {
    RETURN_IF_ERROR(log.Begin());
    absl::StatusOr<ImportResult> result = ImportAll(log, next_line);
    if (result.ok()) {
      const absl::Status stored = log.Commit();
      if (stored.ok()) return result;
      if (MayBeStored(stored)) return stored;
      result = stored;
    } else {
      log.Rollback();
    }
    std::optional<LineSource> again;
    if (restart != nullptr && retry.RetryAfter(result.status())) again = restart();
    if (!again) return WithContext(result.status(), "nothing was imported");
    next_line = *std::move(again);
  }
}

LineSource ImportLines(std::istream& input) {
  return [&input, buffer = std::make_shared<Buffer>()](std::string* line) -> absl::StatusOr<bool> {
    line->clear();
    if (!buffer->Fill(input)) return buffer->error.ok() ? absl::StatusOr<bool>(false) : buffer->error;
    while (buffer->Fill(input)) {
      const size_t end = buffer->bytes.find('\n', buffer->next);
      const size_t size = std::min(end, buffer->bytes.size()) - buffer->next;
      line->append(buffer->bytes, buffer->next, std::min(size, kMaxRecordJsonBytes + 1 - line->size()));
      buffer->next += size + (end == std::string::npos ? 0 : 1);
      if (line->size() > kMaxRecordJsonBytes) buffer->End();
      if (end != std::string::npos) break;
    }
    RETURN_IF_ERROR(buffer->error);
    if (!std::exchange(buffer->begun, true)) *line = std::string(WithoutByteOrderMark(*line));
    if (!line->empty() && line->back() == '\r') line->pop_back();
    return true;
  };
}

std::optional<LineSource> RestartLines(std::istream& input, std::streampos begin) {
  if (begin == std::streampos(-1)) return std::nullopt;
  input.clear();
  input.seekg(begin);
  if (!input) return std::nullopt;
  return ImportLines(input);
}

}  // namespace mmtune
