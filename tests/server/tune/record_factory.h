// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Records for the tests of tables.
#pragma once

#include "proto/types/measurement.h"

namespace mmtune {

inline TuningRecord OkRecord(double median_ns) {
  TuningRecord record;
  record.id = 7;
  record.uuid = "0123456789abcdef";
  record.problem = {128, 256, 64};
  record.schedule.family = "fma";
  record.schedule.params = {{"bm", 64},     {"bn", 32},       {"bk", 16},   {"tm", 8},        {"tn", 4},
                            {"stages", 3},  {"split_k", 2},   {"lm", 4},    {"reduction", 2}, {"kmajor_a", 0},
                            {"pad_a", 0},   {"pad_b", 0},     {"async", 1}, {"unroll_k", 4},  {"min_blocks", 1},
                            {"group_m", 1}, {"fragments", 1}, {"order", 1}, {"slice_k", 1},   {"stream_k", 1}};
  record.device.name = "simt-cpu (a CPU, 2 threads)";
  record.device.uuid = "simt-a-host";
  record.device.arch = "sm_80";
  record.device.multiprocessors = 2;
  record.device.memory_bytes = int64_t{1} << 30;
  record.measurement.check.performed = true;
  record.measurement.check.passed = true;
  record.measurement.verification.performed = true;
  record.measurement.verification.passed = true;
  record.measurement.verification.correct = record.measurement.verification.race_free = true;
  record.measurement.resources.threads = 64;
  record.measurement.resources.shared_bytes = 12288;
  record.measurement.timing.median_ns = median_ns;
  record.measurement.timing.low_ns = median_ns * 0.99;
  record.measurement.timing.high_ns = median_ns * 1.01;
  record.measurement.timing.samples_ns = {median_ns * 0.99, median_ns, median_ns * 1.01};
  record.unix_millis = 1769860805000;
  return record;
}

}  // namespace mmtune
