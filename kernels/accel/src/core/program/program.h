// A program as a caller holds it.
#pragma once
#include <memory>
#include <utility>

#include "core/context.h"
#include "zkaccel/quotient.h"

namespace zka {

class Program : public Object {
 public:
  using Handle = zka_program;
  static constexpr const char* NAME = "program";

  // `desc.code` and `desc.consts` are readable. Throws Failure PROGRAM, NON_CANONICAL, OOM_*.
  Program(std::shared_ptr<Context> context, QuotientOperations& operations, const zka_program_desc& desc);

  const std::shared_ptr<Context>& context() const noexcept { return context_; }
  const Prepared& prepared() const noexcept { return *prepared_; }
  zka_field field() const noexcept { return field_; }
  uint32_t ncolumns() const noexcept { return ncolumns_; }
  uint32_t nchallenges() const noexcept { return nchallenges_; }
  uint32_t nregisters() const noexcept { return nregisters_; }
  // The largest |rotation|.
  uint32_t reach() const noexcept { return reach_; }

 private:
  std::shared_ptr<Context> context_;
  std::unique_ptr<Prepared> prepared_;
  zka_field field_;
  uint32_t ncolumns_, nchallenges_, nregisters_ = 0, reach_ = 0;
};

}  // namespace zka
