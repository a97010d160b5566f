// Programs that are run for each row.
#pragma once
#include <cstddef>
#include <memory>
#include <span>

#include "core/operations/queue.h"
#include "zkaccel/quotient.h"

namespace zka {

class QuotientOperations {
 public:
  virtual ~QuotientOperations() = default;

  // Of a program that was checked and whose registers were given by liveness; what `desc` points to is copied.
  virtual std::unique_ptr<Prepared> program(const zka_program_desc& desc) = 0;

  // `challenges` is the caller's memory.
  virtual void evaluate(Queue& queue, const Prepared& program, std::span<const zka_fe* const> columns,
                        std::span<const zka_fe> challenges, uint64_t rotation_scale, size_t n, zka_fe* out) = 0;
  virtual Bytes evaluate_bytes(const Prepared& program, size_t n) = 0;
};

}  // namespace zka
