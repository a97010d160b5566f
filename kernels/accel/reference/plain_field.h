// Field arithmetic on canonical values, by long division: a twin that shares no code with the library.
#pragma once
#include <vector>

#include "zkaccel/buffer.h"

namespace zka::reference {

const zka_fe& modulus(zka_field field);
zka_fe add(zka_field field, const zka_fe& a, const zka_fe& b);
zka_fe sub(zka_field field, const zka_fe& a, const zka_fe& b);
zka_fe mul(zka_field field, const zka_fe& a, const zka_fe& b);

// op over two vectors of one length.
inline std::vector<zka_fe> each(zka_field field, const std::vector<zka_fe>& a, const std::vector<zka_fe>& b,
                                zka_fe (*op)(zka_field, const zka_fe&, const zka_fe&)) {
  std::vector<zka_fe> out;
  for (size_t i = 0; i < a.size(); ++i) out.push_back(op(field, a[i], b[i]));
  return out;
}

}  // namespace zka::reference
