// Made by tools/curve_constants.py, which says where each value comes from. Not edited by hand.
#pragma once
#include <cstdint>

namespace zka {

// A scalar is split into at most so many bits, and a sign, twice.
inline constexpr unsigned GLV_BITS = 127;

struct Bn254Params {
  // of y^2 = x^3 + b, Montgomery form
  static constexpr uint64_t b[4] = {0x7a17caa950ad28d7ull, 0x1f6ac17ae15521b9ull, 0x334bea4e696bd284ull, 0x2a1f6744ce179d8eull};
  // the endomorphism multiplies points by this: the value itself
  static constexpr uint64_t lambda[4] = {0x8b17ea66b99c90ddull, 0x5bfc41088d8daaa7ull, 0xb3c4d79d41a91758ull, 0x0000000000000000ull};
  // c1 = round(k * g1 / 2^256), c2 = round(k * g2 / 2^256)
  static constexpr uint64_t g1[3] = {0xd91d232ec7e0b3d7ull, 0x0000000000000002ull, 0x0000000000000000ull};
  static constexpr uint64_t g2[3] = {0x7a7bd9d4391eb18eull, 0x4ccef014a773d2cfull, 0x0000000000000002ull};
  // k1 = k - c1 * a1 - c2 * a2, k2 = -c1 * b1 - c2 * b2, all modulo 2^128
  static constexpr uint64_t a1[2] = {0x89d3256894d213e3ull, 0x0000000000000000ull};
  static constexpr uint64_t a2[2] = {0x0be4e1541221250bull, 0x6f4d8248eeb859fdull};
  static constexpr uint64_t b1[2] = {0x7dee441482b0eed8ull, 0x90b27db71147a603ull};
  static constexpr uint64_t b2[2] = {0x89d3256894d213e3ull, 0x0000000000000000ull};
};

struct GrumpkinParams {
  // of y^2 = x^3 + b, Montgomery form
  static constexpr uint64_t b[4] = {0xdd7056026000005aull, 0x223fa97acb319311ull, 0xcc388229877910c0ull, 0x034394632b724eaaull};
  // the endomorphism multiplies points by this: the value itself
  static constexpr uint64_t lambda[4] = {0x5763473177fffffeull, 0xd4f263f1acdb5c4full, 0x59e26bcea0d48bacull, 0x0000000000000000ull};
  // c1 = round(k * g1 / 2^256), c2 = round(k * g2 / 2^256)
  static constexpr uint64_t g1[3] = {0xd91d232ec7e0b3d2ull, 0x0000000000000002ull, 0x0000000000000000ull};
  static constexpr uint64_t g2[3] = {0x7a7bd9d4391eb18eull, 0x4ccef014a773d2cfull, 0x0000000000000002ull};
  // k1 = k - c1 * a1 - c2 * a2, k2 = -c1 * b1 - c2 * b2, all modulo 2^128
  static constexpr uint64_t a1[2] = {0x89d3256894d213e2ull, 0x0000000000000000ull};
  static constexpr uint64_t a2[2] = {0x0be4e1541221250bull, 0x6f4d8248eeb859fdull};
  static constexpr uint64_t b1[2] = {0x7dee441482b0eed7ull, 0x90b27db71147a603ull};
  static constexpr uint64_t b2[2] = {0x89d3256894d213e2ull, 0x0000000000000000ull};
};

}  // namespace zka
