// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "server/tune/commands/model_spec.h"

#include <unistd.h>

#include <algorithm>

#include "absl/strings/str_cat.h"
#include "proto/base/whole_file.h"
#include "server/tune/session/console.h"

namespace mmtune {
namespace {

/// True if `spec` has entries for the entry's class of devices, and the toolchain of none of them makes its code.
bool HasAnotherToolchain(const TuningSpecEntry& entry, const TuningSpec& spec) {
  const std::string& family = entry.schedule.family;
  bool another = false;
  for (const TuningSpecEntry& found : spec.entries) {
    if (found.device.ClassKey() != entry.device.ClassKey()) continue;
    if (found.toolchain.ForFamily(family) == entry.toolchain.ForFamily(family)) return false;
    another = true;
  }
  return another;
}

}  // namespace

absl::StatusOr<TuningSpec> ReadOldSpec(const std::string& path, bool force) {
  if (path.empty() || force || access(path.c_str(), F_OK) != 0) return TuningSpec();
  const absl::StatusOr<std::string> text = ReadTextFile(path);
  if (!text.ok()) return ExitWith(ExitCode::kUsage, std::string(text.status().message()));
  absl::StatusOr<TuningSpec> spec = TuningSpecFromJson(*text);
  if (spec.ok()) return spec;
  return ExitWith(ExitCode::kUsage, absl::StrCat(path, " is no tuning spec, and is not replaced without --force: ",
                                                 std::string(spec.status().message())));
}

absl::Status CheckSpecMatchesModel(const std::vector<ModelMatmul>& matmuls, const TuningSpec& spec,
                                   const std::string& path) {
  for (const TuningSpecEntry& entry : spec.entries) {
    const bool is_own = std::any_of(matmuls.begin(), matmuls.end(), [&entry](const ModelMatmul& matmul) {
      MatmulProblem problem = matmul.problem;
      if (matmul.rows_step > 0) problem.m = entry.problem.m;
      if (matmul.batch_step > 0) problem.batch = entry.problem.batch;
      return problem == entry.problem && (matmul.rows_step > 0) == entry.rows.has_value();
    });
    if (is_own) continue;
    return ExitWith(ExitCode::kUsage,
                    absl::StrCat(path, " is the spec of another model: this one has no ", entry.problem.Text(),
                                 entry.rows ? " with rows known at run time only" : "",
                                 "; give another file, or --force to replace it"));
  }
  return absl::OkStatus();
}

MergedSpec MergeOldEntries(const TuningSpec& spec, const TuningSpec& old) {
  MergedSpec merged = {spec};
  for (const TuningSpecEntry& entry : old.entries) {
    const bool replaced = std::any_of(spec.entries.begin(), spec.entries.end(), [&entry](const TuningSpecEntry& found) {
      if (entry.rows || found.rows) return BelongToSameTable(found, entry);
      return found.problem == entry.problem && found.device.ClassKey() == entry.device.ClassKey();
    });
    if (replaced) continue;
    const bool dropped = std::any_of(old.entries.begin(), old.entries.end(), [&](const TuningSpecEntry& other) {
      return (&other == &entry || BelongToSameTable(other, entry)) && HasAnotherToolchain(other, spec);
    });
    if (dropped) {
      ++merged.dropped;
    } else {
      merged.spec.entries.push_back(entry);
    }
  }
  return merged;
}

TuningSpecEntry SpecEntryOf(const RankedRecord& ranked, std::optional<RowRange> rows) {
  const TuningRecord& record = ranked.record;
  TuningSpecEntry entry = {record.problem,
                           record.device,
                           record.schedule,
                           ranked.ranked_ns,
                           record.measurement.code_digest,
                           record.toolchain,
                           IsVerified(record.measurement.verification),
                           "",
                           rows};
  entry.digest = EntryDigest(entry);
  return entry;
}

}  // namespace mmtune
