#include "reference/polynomial.h"

#include <algorithm>

#include "ff/fields.h"

namespace zka::reference {
namespace {

template <class F>
struct In {
  static F in(const zka_fe& x) { return F::of(x.l); }
  static zka_fe out(const F& x) { return {{x.l[0], x.l[1], x.l[2], x.l[3]}}; }
  static F at(const Polynomial& c, size_t i) { return i < c.size() ? in(c[i]) : F::zero(); }

  static zka_fe evaluate(const Polynomial& c, const zka_fe& x) {
    F sum = F::zero(), power = F::one();
    for (const zka_fe& each : c) {
      sum += in(each) * power;
      power *= in(x);
    }
    return out(sum);
  }
  static Polynomial multiply(const Polynomial& a, const Polynomial& b) {
    if (a.empty() || b.empty()) return {};
    Polynomial product(a.size() + b.size() - 1, out(F::zero()));
    for (size_t i = 0; i < a.size(); ++i) {
      for (size_t j = 0; j < b.size(); ++j) product[i + j] = out(in(product[i + j]) + in(a[i]) * in(b[j]));
    }
    return product;
  }
  static Polynomial add(const Polynomial& a, const Polynomial& b) {
    Polynomial sum(std::max(a.size(), b.size()));
    for (size_t i = 0; i < sum.size(); ++i) sum[i] = out(at(a, i) + at(b, i));
    return sum;
  }
  static Polynomial linear(const zka_fe& root) { return {out(F::zero() - in(root)), out(F::one())}; }
  static Polynomial fold(const std::vector<Polynomial>& polys, const zka_fe& factor,
                         const std::vector<Polynomial>& low, size_t n) {
    Polynomial sum(n);
    for (size_t j = 0; j < n; ++j) {
      F value = F::zero(), power = F::one();
      for (size_t i = 0; i < polys.size(); ++i, power *= in(factor)) {
        value += power * (at(polys[i], j) - (low.empty() ? F::zero() : at(low[i], j)));
      }
      sum[j] = out(value);
    }
    return sum;
  }
  static zka_fe divide(Polynomial& c, const zka_fe& root) {
    // Subtracts q_i X^i (X - root) for the leading coefficient, from the top down.
    Polynomial quotient(c.size(), out(F::zero()));
    for (size_t i = c.size(); i-- > 1;) {
      quotient[i - 1] = c[i];
      c[i - 1] = out(in(c[i - 1]) + in(root) * in(c[i]));
    }
    const zka_fe left = c.empty() ? out(F::zero()) : c[0];
    c = quotient;
    return left;
  }
};

template <class Work>
auto in_field(zka_field field, const Work& work) {
  return portable::with_field(field, [&]<class Params>(Params) { return work(In<portable::Field<Params>>{}); });
}

}  // namespace

zka_fe evaluate(zka_field field, const Polynomial& c, const zka_fe& x) {
  return in_field(field, [&](auto in) { return in.evaluate(c, x); });
}
Polynomial multiply(zka_field field, const Polynomial& a, const Polynomial& b) {
  return in_field(field, [&](auto in) { return in.multiply(a, b); });
}
Polynomial add(zka_field field, const Polynomial& a, const Polynomial& b) {
  return in_field(field, [&](auto in) { return in.add(a, b); });
}
Polynomial linear(zka_field field, const zka_fe& root) {
  return in_field(field, [&](auto in) { return in.linear(root); });
}
Polynomial fold(zka_field field, const std::vector<Polynomial>& polys, const zka_fe& factor,
                const std::vector<Polynomial>& low, size_t n) {
  return in_field(field, [&](auto in) { return in.fold(polys, factor, low, n); });
}
zka_fe divide(zka_field field, Polynomial& c, const zka_fe& root) {
  return in_field(field, [&](auto in) { return in.divide(c, root); });
}

}  // namespace zka::reference
