// Points that a backend has prepared for many multiplications.
#pragma once
#include <memory>

#include "core/context.h"

namespace zka {

class Bases : public Object {
 public:
  using Handle = zka_bases;
  static constexpr const char* NAME = "bases";

  Bases(std::shared_ptr<Context> context, zka_curve curve, size_t n, std::unique_ptr<Prepared> prepared)
      : context_(std::move(context)), curve_(curve), n_(n), prepared_(std::move(prepared)) {}

  const std::shared_ptr<Context>& context() const noexcept { return context_; }
  zka_curve curve() const noexcept { return curve_; }
  size_t size() const noexcept { return n_; }
  const Prepared& prepared() const noexcept { return *prepared_; }

 private:
  std::shared_ptr<Context> context_;
  zka_curve curve_;
  size_t n_;
  std::unique_ptr<Prepared> prepared_;
};

}  // namespace zka
