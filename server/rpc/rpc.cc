// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "server/rpc/rpc.h"

#include <algorithm>
#include <string>

#include "absl/strings/str_cat.h"
#include "absl/strings/strip.h"
#include "google/protobuf/descriptor.h"
#include "proto/base/status.h"

namespace mmtune {
namespace {

using grpc::experimental::InterceptionHookPoints;

/// Returns the error for a call of the method with a path such as "/mmtune.v1.Tuning/GetJob".
absl::Status Explanation(absl::string_view path) {
  std::string name(absl::StripPrefix(path, "/"));
  std::replace(name.begin(), name.end(), '/', '.');
  const auto* method = google::protobuf::DescriptorPool::generated_pool()->FindMethodByName(name);
  if (method == nullptr) return absl::UnimplementedError(absl::StrCat("this server has no method ", path));
  return InvalidArgument(
      absl::StrCat("the request is not a ", method->input_type()->full_name(), ": its bytes cannot be read as one"));
}

/// Adds a text to UNIMPLEMENTED errors, which come only from gRPC itself.
class Explainer : public grpc::experimental::Interceptor {
 public:
  explicit Explainer(const char* method) : method_(method) {}

  void Intercept(grpc::experimental::InterceptorBatchMethods* methods) override {
    if (methods->QueryInterceptionHookPoint(InterceptionHookPoints::PRE_SEND_STATUS)) {
      const grpc::Status status = methods->GetSendStatus();
      if (status.error_code() == grpc::StatusCode::UNIMPLEMENTED && status.error_message().empty()) {
        methods->ModifySendStatus(ToGrpc(Explanation(method_)));
      }
    }
    methods->Proceed();
  }

 private:
  const std::string method_;
};

class ExplainerFactory : public grpc::experimental::ServerInterceptorFactoryInterface {
 public:
  grpc::experimental::Interceptor* CreateServerInterceptor(grpc::experimental::ServerRpcInfo* info) override {
    return new Explainer(info->method());
  }
};

}  // namespace

std::unique_ptr<grpc::experimental::ServerInterceptorFactoryInterface> ExplainRefusedCalls() {
  return std::make_unique<ExplainerFactory>();
}

}  // namespace mmtune
