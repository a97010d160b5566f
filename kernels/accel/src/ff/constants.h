// Made by tools/field_constants.py, which says where each value comes from. Not edited by hand.
#pragma once
#include <cstdint>

namespace zka {

struct FrParams {
  // the prime
  static constexpr uint64_t modulus[4] = {0x43e1f593f0000001ull, 0x2833e84879b97091ull, 0xb85045b68181585dull, 0x30644e72e131a029ull};
  // 2^256 mod p: one in Montgomery form
  static constexpr uint64_t r_one[4] = {0xac96341c4ffffffbull, 0x36fc76959f60cd29ull, 0x666ea36f7879462eull, 0x0e0a77c19a07df2full};
  // 2^512 mod p
  static constexpr uint64_t r_squared[4] = {0x1bb8e645ae216da7ull, 0x53fe3ab1e35c59e3ull, 0x8c49833d53bb8085ull, 0x0216d0b17f4e44a5ull};
  // 2^768 mod p
  static constexpr uint64_t r_cubed[4] = {0x5e94d8e1b4bf0040ull, 0x2a489cbe1cfbb6b8ull, 0x893cc664a19fcfedull, 0x0cf8594b7fcc657cull};
  // exponent of the inverse
  static constexpr uint64_t p_minus_2[4] = {0x43e1f593efffffffull, 0x2833e84879b97091ull, 0xb85045b68181585dull, 0x30644e72e131a029ull};
  // 1/2, Montgomery form
  static constexpr uint64_t two_inverse[4] = {0x783c14d81ffffffeull, 0xaf982f6f0c8d1eddull, 0x8f5f7492fcfd4f45ull, 0x1f37631a3d9cbfacull};
  // of order 2^two_adicity, Montgomery form
  static constexpr uint64_t root_of_unity[4] = {0x9632c7c5b639feb8ull, 0x985ce3400d0ff299ull, 0xb2dd880001b0ecd8ull, 0x1d69070d6d98ce29ull};
  // its inverse
  static constexpr uint64_t root_of_unity_inverse[4] = {0x05f05c05affb3d96ull, 0xb8e594ebfc3b5137ull, 0x60314620b85bc4c1ull, 0x2a4129bebb6fc591ull};
  // of the multiplicative group, Montgomery form
  static constexpr uint64_t generator[4] = {0x3057819e4fffffdbull, 0x307f6d866832bb01ull, 0x5c65ec9f484e3a89ull, 0x0180a96573d3d9f8ull};
  // the smaller primitive cube root of one, Montgomery form
  static constexpr uint64_t cube_root[4] = {0x93e7cede4a0329b3ull, 0x7d4fdca77a96c167ull, 0x8be4ba08b19a750aull, 0x1cbd5653a5661c25ull};
  // the prime in limbs of 52 bits
  static constexpr uint64_t modulus_52[5] = {0x1f593f0000001ull, 0x4879b9709143eull, 0x181585d2833e8ull, 0xa029b85045b68ull, 0x030644e72e131ull};
  // 2^260 mod p in limbs of 52 bits
  static constexpr uint64_t r260_one[5] = {0xb6b753fffffacull, 0x380f271055b9dull, 0x18f016ecef7c8ull, 0x724f85a9201d8ull, 0x01f16424e1bb7ull};
  // -1/p mod 2^64
  static constexpr uint64_t minus_inverse = 0xc2e1f593efffffffull;
  // -1/p mod 2^52
  static constexpr uint64_t minus_inverse_52 = 0x1f593efffffffull;
  static constexpr unsigned two_adicity = 28;
};

struct FqParams {
  // the prime
  static constexpr uint64_t modulus[4] = {0x3c208c16d87cfd47ull, 0x97816a916871ca8dull, 0xb85045b68181585dull, 0x30644e72e131a029ull};
  // 2^256 mod p: one in Montgomery form
  static constexpr uint64_t r_one[4] = {0xd35d438dc58f0d9dull, 0x0a78eb28f5c70b3dull, 0x666ea36f7879462cull, 0x0e0a77c19a07df2full};
  // 2^512 mod p
  static constexpr uint64_t r_squared[4] = {0xf32cfc5b538afa89ull, 0xb5e71911d44501fbull, 0x47ab1eff0a417ff6ull, 0x06d89f71cab8351full};
  // 2^768 mod p
  static constexpr uint64_t r_cubed[4] = {0xb1cd6dafda1530dfull, 0x62f210e6a7283db6ull, 0xef7f0b0c0ada0afbull, 0x20fd6e902d592544ull};
  // exponent of the inverse
  static constexpr uint64_t p_minus_2[4] = {0x3c208c16d87cfd45ull, 0x97816a916871ca8dull, 0xb85045b68181585dull, 0x30644e72e131a029ull};
  // 1/2, Montgomery form
  static constexpr uint64_t two_inverse[4] = {0x87bee7d24f060572ull, 0xd0fd2add2f1c6ae5ull, 0x8f5f7492fcfd4f44ull, 0x1f37631a3d9cbfacull};
  // of order 2^two_adicity, Montgomery form
  static constexpr uint64_t root_of_unity[4] = {0x68c3488912edefaaull, 0x8d087f6872aabf4full, 0x51e1a24709081231ull, 0x2259d6b14729c0faull};
  // its inverse
  static constexpr uint64_t root_of_unity_inverse[4] = {0x68c3488912edefaaull, 0x8d087f6872aabf4full, 0x51e1a24709081231ull, 0x2259d6b14729c0faull};
  // of the multiplicative group, Montgomery form
  static constexpr uint64_t generator[4] = {0x7a17caa950ad28d7ull, 0x1f6ac17ae15521b9ull, 0x334bea4e696bd284ull, 0x2a1f6744ce179d8eull};
  // the smaller primitive cube root of one, Montgomery form
  static constexpr uint64_t cube_root[4] = {0x71930c11d782e155ull, 0xa6bb947cffbe3323ull, 0xaa303344d4741444ull, 0x2c3b3f0d26594943ull};
  // the prime in limbs of 52 bits
  static constexpr uint64_t modulus_52[5] = {0x08c16d87cfd47ull, 0x916871ca8d3c2ull, 0x181585d97816aull, 0xa029b85045b68ull, 0x030644e72e131ull};
  // 2^260 mod p in limbs of 52 bits
  static constexpr uint64_t r260_one[5] = {0x20880f6fce4b4ull, 0x49baa989a8455ull, 0x18f014a498908ull, 0x724f85a9201d8ull, 0x01f16424e1bb7ull};
  // -1/p mod 2^64
  static constexpr uint64_t minus_inverse = 0x87d20782e4866389ull;
  // -1/p mod 2^52
  static constexpr uint64_t minus_inverse_52 = 0x20782e4866389ull;
  static constexpr unsigned two_adicity = 1;
};

}  // namespace zka
