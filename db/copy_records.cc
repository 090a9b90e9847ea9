// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "db/copy_records.h"

#include <future>
#include <utility>
#include <vector>

#include "db/aborted_retry.h"
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

/// Copies a group, which begins with `*page`, in one transaction. Sets `*page` to the page behind the group.
absl::Status CopyGroup(TuningLogReader& from, TuningLog& to, Page* page, ImportResult* result) {
  RETURN_IF_ERROR(to.Begin());
  for (int pages = 0; pages < kPagesInGroup && !page->records.empty(); ++pages) {
    // The next page is read while this one is stored.
    std::future<absl::StatusOr<Page>> next = std::async(
        std::launch::async, [&from, after_id = page->records.back().id] { return ReadPage(from, after_id); });
    absl::Status status = ImportRecords(to, page->records, page->columns, result);
    absl::StatusOr<Page> read = next.get();
    if (status.ok()) status = read.status();
    if (!status.ok()) {
      to.Rollback();
      return status;
    }
    *page = *std::move(read);
  }
  return to.Commit();
}

}  // namespace

absl::StatusOr<ImportResult> CopyRecords(TuningLogReader& from, TuningLog& to, const CopyProgress& progress) {
  ImportResult result;
  ASSIGN_OR_RETURN(Page page, ReadPage(from, 0));
  while (!page.records.empty()) {
    const ImportResult before = result;
    const int64_t after_id = page.records.front().id - 1;
    absl::Status copied = CopyGroup(from, to, &page, &result);
    for (AbortedRetry retry; retry.RetryAfter(copied);) {
      result = before;
      ASSIGN_OR_RETURN(page, ReadPage(from, after_id));
      copied = CopyGroup(from, to, &page, &result);
    }
    RETURN_IF_ERROR(copied);
    progress(result);
  }
  return result;
}

}  // namespace mmtune
