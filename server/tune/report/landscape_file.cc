// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "server/tune/report/landscape_file.h"

#include <filesystem>
#include <memory>
#include <sstream>
#include <utility>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "db/jsonl.h"
#include "kernels/families/common/registry.h"
#include "proto/base/plain_text.h"
#include "proto/base/status.h"
#include "proto/base/whole_file.h"
#include "server/tune/report/kernel_description.h"
#include "server/tune/report/kernel_tuner_cache.h"
#include "server/tune/report/record_landscape.h"

namespace mmtune {
namespace {

absl::StatusOr<Landscape> ReadRecords(const std::string& text) {
  RecordLandscape landscape;
  std::istringstream input(text);
  const LineSource next = ImportLines(input);
  std::string line;
  for (int number = 1;; ++number) {
    ASSIGN_OR_RETURN(const bool more, next(&line));
    if (!more) break;
    const std::string where = absl::StrCat("line ", number);
    auto record = RecordFromJson(line);
    if (!record.ok()) return WithContext(record.status(), where);
    RETURN_IF_ERROR(WithContext(landscape.Add(*std::move(record)), where));
  }
  return landscape.Make();
}

absl::StatusOr<CsvTable> ParseTable(const std::string& text, LandscapeColumns& columns) {
  const size_t first = text.find_first_not_of(" \t\r\n");
  if (first == text.npos || (text[first] != '{' && text[first] != '[')) return ParseCsv(text);
  ASSIGN_OR_RETURN(CsvTable table, ParseKernelTunerCache(text, columns.time));
  columns.time = table.columns.back();
  return table;
}

absl::StatusOr<Landscape> ReadTable(const std::string& text, LandscapeColumns columns) {
  Landscape landscape;
  ASSIGN_OR_RETURN(const CsvTable table, ParseTable(text, columns));
  ASSIGN_OR_RETURN(landscape.points, ReadLandscapeTable(table, columns));
  return landscape;
}

absl::StatusOr<std::string> ReadText(const std::string& path) {
  std::error_code error;
  if (std::filesystem::is_directory(path, error)) {
    return InvalidArgument(absl::StrCat(PlainText(path), " is a folder, not a file"));
  }
  absl::StatusOr<std::string> text = ReadWholeFile(path);
  if (!text.ok()) return InvalidArgument(std::string(text.status().message()));
  // As a table, it would be taken for one of odd names.
  if (text->find('\0') != text->npos) {
    return InvalidArgument(absl::StrCat(PlainText(path), ": it holds zero bytes, as UTF-16 does: save it in UTF-8"));
  }
  return std::string(WithoutByteOrderMark(*text));
}

/// Says that the points are schedules of a family of ours.
absl::Status UseFamily(const std::string& family, Landscape& landscape) {
  for (LandscapePoint& point : landscape.points) {
    point.schedule.family = family;
    RETURN_IF_ERROR(DescribeSchedule(landscape.problem, point.schedule).status());
  }
  return UseFamilies(landscape);
}

/// Says of the landscape what the description at `path` does.
absl::Status Apply(const std::string& path, Landscape& landscape) {
  ASSIGN_OR_RETURN(const std::string text, ReadText(path));
  auto description = ParseKernelDescription(text);
  if (description.ok() && description->family.empty()) {
    absl::Status known;
    for (const LandscapePoint& point : landscape.points) {
      known = description->CheckParameters(point.schedule);
      if (!known.ok()) break;
    }
    if (!known.ok()) description = known;
  }
  if (!description.ok()) return WithContext(description.status(), PlainText(path));
  landscape.problem = description->problem;
  landscape.device = description->device;
  if (!description->family.empty()) return WithContext(UseFamily(description->family, landscape), PlainText(path));
  const auto shared = std::make_shared<const KernelDescription>(*std::move(description));
  landscape.features = [shared](const Schedule& schedule) { return shared->Features(schedule); };
  landscape.predict = [shared](const Schedule& schedule) { return shared->Predict(schedule); };
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<Landscape> ReadLandscapeFile(const std::string& path, const LandscapeColumns& columns,
                                            const std::string& description) {
  ASSIGN_OR_RETURN(const std::string text, ReadText(path));
  const std::filesystem::path file(path);
  const bool records = file.extension() == ".jsonl";
  auto landscape = records ? ReadRecords(text) : ReadTable(text, columns);
  if (landscape.ok()) {
    if (absl::Status valid = ValidateLandscape(*landscape); !valid.ok()) landscape = valid;
  }
  if (!landscape.ok()) return WithContext(landscape.status(), PlainText(path));
  landscape->name = file.stem();
  const std::filesystem::path beside = std::filesystem::path(file).replace_extension(".json");
  std::error_code error;
  if (!records && !description.empty()) {
    RETURN_IF_ERROR(Apply(description, *landscape));
  } else if (!records && beside != file && std::filesystem::exists(beside, error)) {
    if (absl::Status known = Apply(beside, *landscape); !known.ok()) {
      return InvalidArgument(absl::StrCat(known.message(), "; it was read as it lies beside ", PlainText(path),
                                          " and would say what its columns mean: name another file of that by "
                                          "--features, or move it"));
    }
  }
  return landscape;
}

}  // namespace mmtune
