// What opening polynomials takes.
#pragma once
#include <cstddef>
#include <span>

#include "core/operations/queue.h"
#include "zkaccel/polynomial.h"

namespace zka {

// Coefficients in a backend's memory.
struct Coefficients {
  const zka_fe* data;
  size_t n;
};

class PolynomialOperations {
 public:
  virtual ~PolynomialOperations() = default;

  // `low` is the caller's memory, empty or one a polynomial.
  virtual void fold(Queue& queue, zka_field field, std::span<const Coefficients> polys, zka_fe factor,
                    std::span<const Coefficients> low, zka_fe* out, size_t n) = 0;
  // `roots` and `remainders` (may be null) are the caller's memory. With `exact` throws REMAINDER.
  virtual void divide(Queue& queue, zka_field field, zka_fe* poly, size_t n, std::span<const zka_fe> roots, bool exact,
                      zka_fe* remainders) = 0;
  virtual Bytes divide_bytes(size_t n) = 0;
  // `points` and `out` are the caller's memory.
  virtual void evaluate(Queue& queue, zka_field field, std::span<const Coefficients> polys,
                        std::span<const zka_fe> points, zka_fe* out) = 0;
};

}  // namespace zka
