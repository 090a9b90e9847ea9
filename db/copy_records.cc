// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "db/copy_records.h"

#include <future>
#include <utility>
#include <vector>

#include "proto/base/status.h"

namespace mmtune {
namespace {

constexpr int kPage = 1000;
/// Pages that one transaction stores: each one ranks its records at its end.
constexpr int kPagesInGroup = 10;

struct Page {
  std::vector<TuningRecord> records;
  std::vector<RecordColumns> columns;
};

absl::StatusOr<Page> ReadPage(TuningLogReader& from, int64_t after_id) {
  RecordFilter all;
  all.include_non_canonical = true;
  Page page;
  ASSIGN_OR_RETURN(page.records, from.Query(all, after_id, kPage));
  page.columns.reserve(page.records.size());
  for (const TuningRecord& record : page.records) page.columns.push_back(MakeColumns(record));
  return page;
}

}  // namespace

absl::StatusOr<ImportResult> CopyRecords(TuningLogReader& from, TuningLog& to, const CopyProgress& progress) {
  ImportResult result;
  ASSIGN_OR_RETURN(Page page, ReadPage(from, 0));
  int pages = 0;
  while (!page.records.empty()) {
    // The next page is read while this one is stored.
    std::future<absl::StatusOr<Page>> next =
        std::async(std::launch::async, [&from, after_id = page.records.back().id] { return ReadPage(from, after_id); });
    if (pages == 0) RETURN_IF_ERROR(to.Begin());
    absl::Status status = ImportRecords(to, page.records, page.columns, &result);
    absl::StatusOr<Page> read = next.get();
    if (status.ok()) status = read.status();
    if (!status.ok()) {
      to.Rollback();
      return status;
    }
    page = *std::move(read);
    if (++pages < kPagesInGroup && !page.records.empty()) continue;
    RETURN_IF_ERROR(to.Commit());
    pages = 0;
    progress(result);
  }
  return result;
}

}  // namespace mmtune
