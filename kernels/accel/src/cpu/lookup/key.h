// Values by which rows are sorted: canonical, so that they are ordered as halo2 orders them.
#pragma once
#include "zkaccel/buffer.h"

namespace zka::cpu {

using Key = zka_fe;

inline bool less(const Key& a, const Key& b) {
  for (int i = 3; i > 0; --i) {
    if (a.l[i] != b.l[i]) return a.l[i] < b.l[i];
  }
  return a.l[0] < b.l[0];
}
inline bool same(const Key& a, const Key& b) {
  return ((a.l[0] ^ b.l[0]) | (a.l[1] ^ b.l[1]) | (a.l[2] ^ b.l[2]) | (a.l[3] ^ b.l[3])) == 0;
}

}  // namespace zka::cpu
