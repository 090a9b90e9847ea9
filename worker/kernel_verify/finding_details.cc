// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "worker/kernel_verify/finding_details.h"

#include <algorithm>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"

namespace mmtune {

void FindingDetails::Add(const simt::Finding& finding, const std::string& shape) {
  auto found = std::find_if(details_.begin(), details_.end(),
                            [&](const Detail& other) { return simt::AreAtSamePoints(other.finding, finding); });
  if (found == details_.end()) found = details_.insert(found, {finding, {}});
  if (std::find(found->shapes.begin(), found->shapes.end(), shape) == found->shapes.end())
    found->shapes.push_back(shape);
}

std::string FindingDetails::Text(size_t most) const {
  std::string text;
  for (const Detail& detail : details_) {
    absl::StrAppend(&text, text.empty() ? "" : "\n", simt::FindingText(detail.finding));
    if (detail.shapes.size() > 1) absl::StrAppend(&text, "\n  at ", absl::StrJoin(detail.shapes, ", "));
  }
  return text.substr(0, most);
}

}  // namespace mmtune
