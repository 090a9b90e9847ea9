// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "worker/children/timing_key.h"

#include "google/protobuf/io/coded_stream.h"
#include "google/protobuf/io/zero_copy_stream_impl_lite.h"
#include "proto/base/digest.h"
#include "proto/wire/convert.h"

namespace mmtune {
namespace {

/// Changes with the way in which samples are taken.
constexpr char kMethod[] = "batches between events, 1";

}  // namespace

std::string TimingKey(const Candidate& candidate, const worker::CompiledKernel& kernel) {
  std::string bytes;
  {
    google::protobuf::io::StringOutputStream stream(&bytes);
    google::protobuf::io::CodedOutputStream coded(&stream);
    coded.SetSerializationDeterministic(true);
    const auto add = [&coded](const std::string& text) {
      coded.WriteVarint64(text.size());
      coded.WriteString(text);
    };
    add(kMethod);
    add(kernel.code_digest());
    add(candidate.problem.CanonicalJson());
    add(candidate.target.uuid);
    add(candidate.target.name);
    add(candidate.target.driver);
    add(candidate.target.arch);
    add(std::string(RegimeName(candidate.measure.regime)));
    coded.WriteVarint64(static_cast<uint64_t>(kernel.workspace_bytes()));
    for (const worker::PlanStep& step : kernel.steps()) add(step.SerializeAsString());
  }
  return Sha256Hex(bytes);
}

}  // namespace mmtune
