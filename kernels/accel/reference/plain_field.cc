#include "reference/plain_field.h"

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

}  // namespace

zka_fe add(zka_field field, const zka_fe& a, const zka_fe& b) {
  const zka_fe& p = field == ZKA_FIELD_BN254_FR ? FR : FQ;
  const zka_fe sum = plus(a, b);
  return less(sum, p) ? sum : minus(sum, p);
}

zka_fe sub(zka_field field, const zka_fe& a, const zka_fe& b) {
  const zka_fe& p = field == ZKA_FIELD_BN254_FR ? FR : FQ;
  return less(a, b) ? minus(plus(a, p), b) : minus(a, b);
}

zka_fe mul(zka_field field, const zka_fe& a, const zka_fe& b) {
  zka_fe product = {{0, 0, 0, 0}};
  for (int bit = 255; bit >= 0; --bit) {
    product = add(field, product, product);
    if ((b.l[bit / 64] >> (bit % 64)) & 1) product = add(field, product, a);
  }
  return product;
}

}  // namespace zka::reference
