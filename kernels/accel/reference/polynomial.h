// Polynomials the plain way: the twin of src/cpu/polynomial. Coefficients in Montgomery form, the constant first.
#pragma once
#include <vector>

#include "zkaccel/polynomial.h"

namespace zka::reference {

using Polynomial = std::vector<zka_fe>;

// Sum of c[i] * x^i, each power on its own.
zka_fe evaluate(zka_field field, const Polynomial& c, const zka_fe& x);
// Schoolbook product.
Polynomial multiply(zka_field field, const Polynomial& a, const Polynomial& b);
// Coefficient by coefficient; the longer one's length.
Polynomial add(zka_field field, const Polynomial& a, const Polynomial& b);
// X - root.
Polynomial linear(zka_field field, const zka_fe& root);
// Sum of factor^i * (polys[i] - low[i]), n coefficients; low may be empty.
Polynomial fold(zka_field field, const std::vector<Polynomial>& polys, const zka_fe& factor,
                const std::vector<Polynomial>& low, size_t n);
// Long division by X - root, in place, the top coefficient 0; returns the remainder.
zka_fe divide(zka_field field, Polynomial& c, const zka_fe& root);

}  // namespace zka::reference
