// A domain as a caller holds it.
#pragma once
#include <memory>
#include <utility>

#include "core/context.h"
#include "zkaccel/ntt.h"

namespace zka {

class Domain : public Object {
 public:
  using Handle = zka_domain;
  static constexpr const char* NAME = "domain";

  Domain(std::shared_ptr<Context> context, uint32_t k, uint32_t extended_k, std::unique_ptr<Prepared> prepared)
      : context_(std::move(context)), k_(k), extended_k_(extended_k), prepared_(std::move(prepared)) {}

  const std::shared_ptr<Context>& context() const noexcept { return context_; }
  const Prepared& prepared() const noexcept { return *prepared_; }
  uint32_t k() const noexcept { return k_; }
  uint32_t extended_k() const noexcept { return extended_k_; }
  size_t extended_n() const noexcept { return size_t{1} << extended_k_; }

 private:
  std::shared_ptr<Context> context_;
  uint32_t k_, extended_k_;
  std::unique_ptr<Prepared> prepared_;
};

}  // namespace zka
