// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Smart pointers for OpenSSL objects (certificates, keys, memory buffers), and OpenSSL's last error as text.
#pragma once

#include <openssl/bio.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/x509.h>
#include <openssl/x509v3.h>

#include <memory>
#include <string>
#include <string_view>

namespace mmtune {

/// A deleter for std::unique_ptr that calls an OpenSSL function.
template <auto free>
struct OpenSslDeleter {
  template <typename T>
  void operator()(T* object) const {
    free(object);
  }
};

/// Frees a list of certificates and the certificates in it.
inline void FreeCertificates(STACK_OF(X509) * stack) { sk_X509_pop_free(stack, X509_free); }

using BioPtr = std::unique_ptr<BIO, OpenSslDeleter<BIO_free_all>>;
using CertificatePtr = std::unique_ptr<X509, OpenSslDeleter<X509_free>>;
using CertificatesPtr = std::unique_ptr<STACK_OF(X509), OpenSslDeleter<FreeCertificates>>;
using KeyPtr = std::unique_ptr<EVP_PKEY, OpenSslDeleter<EVP_PKEY_free>>;

/// Returns an OpenSSL stream that reads `text`, which must outlive it.
inline BioPtr ReadFrom(std::string_view text) {
  return BioPtr(BIO_new_mem_buf(text.data(), static_cast<int>(text.size())));
}

/// Returns the reason of the calling thread's latest OpenSSL error, and clears its error queue.
inline std::string OpenSslError() {
  const unsigned long error = ERR_peek_last_error();
  ERR_clear_error();
  const char* reason = error == 0 ? nullptr : ERR_reason_error_string(error);
  return reason == nullptr ? "unknown error" : reason;
}

}  // namespace mmtune
