// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Finds the processes a test has started, however deep.
#pragma once

#include <sys/types.h>

#include <functional>
#include <string>
#include <vector>

#include "proto/base/clock.h"

namespace mmtune {

/// Marks this process, and so all that it starts, through the environment. Call before anything is started.
void MarkProcessTree();

/// Living processes with the mark, this one excluded, whose command line contains `text`. Zombies do not count.
std::vector<pid_t> MarkedProcesses(const std::string& text);

/// True as soon as `condition` holds; false when it does not within `limit`.
bool Eventually(const std::function<bool()>& condition, Duration limit = std::chrono::seconds(20));

}  // namespace mmtune
