// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Bytes of protobuf messages that can be compared and digested.
#pragma once

#include <string>

#include "google/protobuf/io/coded_stream.h"
#include "google/protobuf/io/zero_copy_stream_impl_lite.h"
#include "google/protobuf/message_lite.h"

namespace mmtune {

/// Returns the serialised message. Equal messages have equal bytes, because maps are written in the order of their
/// keys; SerializeAsString() does not promise that.
inline std::string DeterministicBytes(const google::protobuf::MessageLite& message) {
  std::string bytes;
  {
    google::protobuf::io::StringOutputStream stream(&bytes);
    google::protobuf::io::CodedOutputStream coded(&stream);
    coded.SetSerializationDeterministic(true);
    message.SerializeToCodedStream(&coded);
  }
  return bytes;
}

}  // namespace mmtune
