#include "reference/plain_field.h"

#include <stdexcept>

namespace zka::reference {
namespace {

// [EIP-196: the order of the group and the prime of the curve]
constexpr zka_fe FR = {{0x43e1f593f0000001, 0x2833e84879b97091, 0xb85045b68181585d, 0x30644e72e131a029}};
constexpr zka_fe FQ = {{0x3c208c16d87cfd47, 0x97816a916871ca8d, 0xb85045b68181585d, 0x30644e72e131a029}};

bool less(const zka_fe& a, const zka_fe& b) {
  for (int i = 3; i >= 0; --i) {
    if (a.l[i] != b.l[i]) return a.l[i] < b.l[i];
  }
  return false;
}

zka_fe plus(const zka_fe& a, const zka_fe& b) {
  zka_fe sum;
  bool carry = false;
  for (int i = 0; i < 4; ++i) {
    sum.l[i] = a.l[i] + b.l[i] + carry;
    carry = sum.l[i] < a.l[i] || (carry && sum.l[i] == a.l[i]);
  }
  return sum;
}

zka_fe minus(const zka_fe& a, const zka_fe& b) {
  zka_fe difference;
  bool borrow = false;
  for (int i = 0; i < 4; ++i) {
    difference.l[i] = a.l[i] - b.l[i] - borrow;
    borrow = a.l[i] < b.l[i] || (borrow && a.l[i] == b.l[i]);
  }
  return difference;
}

using Wide = unsigned __int128;

// Five words, less so many times p: not below zero.
void take_away(uint64_t* value, const zka_fe& p, uint64_t times) {
  Wide owed = 0;
  for (int i = 0; i < 5; ++i, owed >>= 64) {
    if (i < 4) owed += static_cast<Wide>(p.l[i]) * times;
    const uint64_t word = static_cast<uint64_t>(owed);
    if (value[i] < word) owed += Wide{1} << 64;
    value[i] -= word;
  }
}

}  // namespace

const zka_fe& modulus(zka_field field) {
  switch (field) {
    case ZKA_FIELD_BN254_FR:
      return FR;
    case ZKA_FIELD_BN254_FQ:
      return FQ;
  }
  throw std::invalid_argument("there is no reference for that field");
}

zka_fe add(zka_field field, const zka_fe& a, const zka_fe& b) {
  const zka_fe& p = modulus(field);
  const zka_fe sum = plus(a, b);
  return less(sum, p) ? sum : minus(sum, p);
}

zka_fe sub(zka_field field, const zka_fe& a, const zka_fe& b) {
  const zka_fe& p = modulus(field);
  return less(a, b) ? minus(plus(a, p), b) : minus(a, b);
}

// The product, and its remainder by long division, a word at a time.
zka_fe mul(zka_field field, const zka_fe& a, const zka_fe& b) {
  const zka_fe& p = modulus(field);
  uint64_t words[8] = {};
  for (int i = 0; i < 4; ++i) {
    Wide carry = 0;
    for (int j = 0; j < 4; ++j, carry >>= 64) {
      carry += static_cast<Wide>(a.l[i]) * b.l[j] + words[i + j];
      words[i + j] = static_cast<uint64_t>(carry);
    }
    words[i + 4] = static_cast<uint64_t>(carry);
  }
  // What stands above the words from `at` on is below p, so their quotient is one word: not below what the leading
  // words give, and little above it.
  for (int at = 3; at >= 0; --at) {
    uint64_t* const value = words + at;
    const Wide leading = static_cast<Wide>(value[4]) << 64 | value[3];
    take_away(value, p, static_cast<uint64_t>(leading / (Wide{p.l[3]} + 1)));
    while (value[4] != 0 || !less({{value[0], value[1], value[2], value[3]}}, p)) take_away(value, p, 1);
  }
  return {{words[0], words[1], words[2], words[3]}};
}

}  // namespace zka::reference
