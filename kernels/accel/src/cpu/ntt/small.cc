// Transforms that have fewer than eight rows or columns: level by level, by themselves.
#include "cpu/ntt/reversed.h"
#include "cpu/ntt/transform.h"

namespace zka::cpu {

void Transform::small(const zka_fe* from, uint64_t from_length, zka_fe* to, NttKind kind) const {
  const bool back = kind.direction == ZKA_NTT_INVERSE;
  Fr x[uint64_t{1} << (LOG_SMALL - 1)];
  Fr scale = Fr::one();
  for (uint64_t j = 0; j < n(); ++j) {
    const uint64_t at = kind.order == ZKA_ORDER_RN ? reversed(j, log_n_) : j;
    const Fr value = at < from_length ? Fr::of(from[at].l) : Fr::zero();
    x[reversed(j, log_n_)] = kind.on_coset && !back ? value * scale : value;
    scale *= coset_[0];
  }
  for (unsigned level = 0; level < log_n_; ++level) {
    const uint64_t h = uint64_t{1} << level;
    const Fr root = omega_[back].squared(log_n_ - 1 - level);
    for (uint64_t base = 0; base < n(); base += 2 * h) {
      Fr twiddle = Fr::one();
      for (uint64_t i = base; i < base + h; ++i, twiddle *= root) {
        const Fr product = x[i + h] * twiddle;
        x[i + h] = x[i] - product;
        x[i] += product;
      }
    }
  }
  scale = back ? n_inverse_ : Fr::one();
  for (uint64_t k = 0; k < n(); ++k) {
    const Fr value = x[k] * scale;
    to[kind.order == ZKA_ORDER_NR ? reversed(k, log_n_) : k] = {{value.l[0], value.l[1], value.l[2], value.l[3]}};
    if (back && kind.on_coset) scale *= coset_[1];
  }
}

}  // namespace zka::cpu
