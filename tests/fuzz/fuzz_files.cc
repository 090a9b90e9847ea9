// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Files that programs read and others may have written: JSON, tables, PTX, PEM.
#include <sys/mman.h>
#include <unistd.h>

#include <sstream>

#include "absl/strings/str_cat.h"
#include "db/jsonl.h"
#include "db/log_lock.h"
#include "kernels/simulator/ptx/module.h"
#include "proto/command_line/settings.h"
#include "proto/json/tuning_spec.h"
#include "proto/tls/certificate.h"
#include "proto/types/validate.h"
#include "server/tune/report/landscape_table.h"
#include "tests/fuzz/fuzz_targets.h"

namespace mmtune {

void FuzzJsonl(std::string_view input) {
  std::istringstream stream{std::string(input)};
  const LineSource next_line = ImportLines(stream);
  std::string line;
  for (absl::StatusOr<bool> more = next_line(&line); more.ok() && *more; more = next_line(&line)) {
    absl::StatusOr<TuningRecord> record = RecordFromJson(line);
    if (!record.ok()) continue;
    Promise(Validate(*record).ok(), "an imported record is valid");
    const std::string text = RecordToJson(*record);
    const absl::StatusOr<TuningRecord> again = RecordFromJson(text);
    Promise(again.ok() && RecordToJson(*again) == text, "a record is read back as it was written");
  }
}

void FuzzTuningSpec(std::string_view input) {
  const absl::StatusOr<TuningSpec> spec = TuningSpecFromJson(input);
  if (!spec.ok()) return;
  const std::string text = TuningSpecToJson(*spec);
  const absl::StatusOr<TuningSpec> again = TuningSpecFromJson(text);
  Promise(again.ok() && TuningSpecToJson(*again) == text, "a spec is read back as it was written");
}

void FuzzConfig(std::string_view input) {
  static const int file = memfd_create("config", 0);
  static const std::string path = absl::StrCat("/proc/self/fd/", file);
  Promise(ftruncate(file, 0) == 0 && pwrite(file, input.data(), input.size(), 0) >= 0, "memory can be written");
  const absl::StatusOr<Settings> settings = Settings::Read(path);
  if (!settings.ok()) return;
  settings->CheckKeys({"server", "tls-ca", "tls-cert", "tls-key", "log"}).IgnoreError();
  settings->Find("server");
}

void FuzzLockFile(std::string_view input) { ParseLockOwner(input); }

void FuzzLandscape(std::string_view input) {
  for (const absl::StatusOr<CsvTable>& table : {ParseCsv(input), ParseKernelTunerCache(input, "")}) {
    if (!table.ok()) continue;
    Promise(table->rows.size() == table->lines.size(), "each row has a line");
    for (const auto& row : table->rows) Promise(row.size() == table->columns.size(), "each row has all cells");
    absl::StatusOr<std::vector<LandscapePoint>> points = ReadLandscapeTable(*table, {});
    if (!points.ok()) continue;
    Landscape landscape;
    landscape.points = *std::move(points);
    ValidateLandscape(landscape).IgnoreError();
  }
}

void FuzzPtx(std::string_view input) { ptx::parse(ptx::Source("fuzz.ptx", input)).status().IgnoreError(); }

void FuzzCertificates(std::string_view input) {
  for (const Certificate& certificate : ReadCertificates(input)) {
    certificate.Text();
    certificate.CheckTime(0).IgnoreError();
    IsoTime(certificate.not_after);
  }
  CheckIssuedBy(input, input, input, CertificateUse::kServer).IgnoreError();
  CheckAuthorityTime(input, "", input, CertificateUse::kClient, 0).IgnoreError();
  ParseRevoked(input).status().IgnoreError();
  const absl::StatusOr<Identity> identity = ParseIdentity(input);
  if (identity.ok()) Promise(identity->Uri() == input, "an identity is its URI");
}

}  // namespace mmtune
