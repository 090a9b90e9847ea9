// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the tuning commands have in common: the problem, where it runs, how it is searched.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "mmtune/v1/tuning.pb.h"
#include "proto/types/measure_options.h"
#include "server/tune/commands/problem_options.h"
#include "server/tune/session/session.h"

namespace mmtune {

struct JobOptions {
  ProblemOptions problem;
  std::optional<int64_t> trials;  ///< Not given: 64, or no limit where `seconds` is given.
  double seconds = 0;
  double until_plateau = 0;  ///< In percent, as the next two; 0: no such limit.
  double until_baseline = 0;
  double until_bound = 0;
  std::string strategy = "model";
  uint64_t seed = 1;
  bool cold_start = false;
  std::vector<std::string> only;  ///< "fma bm=32,64", a family each; empty: all families that are for tuning.
  bool no_skip = false;
  bool no_compile_ahead = false;
  std::string device = "auto";
  std::string arch;
  std::string log;
  std::string server;
  TlsFiles tls;
  std::optional<double> wait;
  MeasureOptions measure;  ///< A budget of 0: the preset's. Its regime and precision are not given here.
  std::string regime = "warm";
  bool precise = false;
  bool quick = false;
  std::optional<int64_t> finalists;  ///< Not given: 4, or as the preset has it.
  bool allow_unproven = false;       ///< In the table. --no-proof implies it.
  bool remeasure = false;
  int weight = 1;
  int priority = 0;
  std::vector<std::string> select;  ///< "rack=7"
  std::string device_class;
  std::string trace_id;  ///< Empty: that of $TRACEPARENT, or one that the server makes.
  bool quiet = false;
  bool json = false;
};

/// Checked as far as possible without a device; errors are InvalidArgument, one line.
absl::StatusOr<v1::JobSpec> MakeJobSpec(const JobOptions& options);
/// How many of the fastest are compared with each other at the end; 0: none.
int64_t FinalistsOf(const JobOptions& options);
absl::StatusOr<SessionOptions> MakeSessionOptions(const JobOptions& options);

}  // namespace mmtune
