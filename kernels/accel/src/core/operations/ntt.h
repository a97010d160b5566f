// Number theoretic transforms.
#pragma once
#include <cstddef>
#include <memory>
#include <span>

#include "core/operations/queue.h"
#include "zkaccel/ntt.h"

namespace zka {

struct NttKind {
  zka_ntt_direction direction;
  zka_order order;
  bool on_coset;
};

class NttOperations {
 public:
  virtual ~NttOperations() = default;

  // omega is of order 2^extended_k, coset neither 0 nor a power of it.
  virtual std::unique_ptr<Prepared> domain(uint32_t k, uint32_t extended_k, zka_fe omega, zka_fe coset) = 0;
  virtual Bytes domain_bytes(uint32_t k, uint32_t extended_k) = 0;

  // Columns of 2^log_n elements, log_n being k or extended_k of the domain.
  virtual void ntt(Queue& queue, const Prepared& domain, std::span<zka_fe* const> columns, uint32_t log_n,
                   zka_ntt_direction direction, zka_order order, bool on_coset) = 0;
  virtual Bytes ntt_bytes(const Prepared& domain, uint32_t log_n) = 0;

  virtual void coeff_to_extended(Queue& queue, const Prepared& domain, const zka_fe* coefficients, size_t n,
                                 zka_fe* extended) = 0;
  virtual void divide_by_vanishing(Queue& queue, const Prepared& domain, zka_fe* extended) = 0;
};

}  // namespace zka
