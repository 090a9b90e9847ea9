// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What `tune profile` prints.
#pragma once

#include <string>

#include "proto/json/request_json.h"

namespace mmtune {

/// The bound first, then a section for each kind of number; what is modelled is marked so.
std::string ProfileText(const ProfileRequest& request, const KernelProfile& profile);

/// The request's problem and schedule, and everything of the profile.
std::string ProfileJson(const ProfileRequest& request, const KernelProfile& profile);

}  // namespace mmtune
