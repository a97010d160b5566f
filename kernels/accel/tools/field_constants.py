#!/usr/bin/env python3
"""Prints src/ff/constants.h: every constant of the two fields, computed from the moduli and two generators alone.

The moduli are those of the curve bn256 (also BN254, alt_bn128; EIP-196): r orders G1, q is the field of its points.
Grumpkin has them the other way round. `7` generates the multiplicative group of Fr, `3` that of Fq.
"""

FIELDS = {
    "FrParams": dict(
        modulus=21888242871839275222246405745257275088548364400416034343698204186575808495617, generator=7
    ),
    "FqParams": dict(
        modulus=21888242871839275222246405745257275088696311157297823662689037894645226208583, generator=3
    ),
}


def limbs(value: int, count: int = 4, bits: int = 64) -> str:
    mask = (1 << bits) - 1
    return ", ".join(f"0x{(value >> (bits * i)) & mask:0{(bits + 3) // 4}x}ull" for i in range(count))


def cube_root(p: int) -> int:
    """The smaller of the two primitive cube roots of one."""
    g = 2
    while pow(g, (p - 1) // 3, p) == 1:
        g += 1
    root = pow(g, (p - 1) // 3, p)
    return min(root, root * root % p)


print("""// Made by tools/field_constants.py, which says where each value comes from. Not edited by hand.
#pragma once
#include <cstdint>

namespace zka {
""")
for name, field in FIELDS.items():
    p, generator = field["modulus"], field["generator"]
    two_adicity = ((p - 1) & -(p - 1)).bit_length() - 1
    root = pow(generator, (p - 1) >> two_adicity, p)

    def mont(value: int) -> str:
        return limbs(value % p * (1 << 256) % p)

    rows = [
        ("modulus[4]", limbs(p), "the prime"),
        ("r_one[4]", limbs((1 << 256) % p), "2^256 mod p: one in Montgomery form"),
        ("r_squared[4]", limbs((1 << 512) % p), "2^512 mod p"),
        ("r_cubed[4]", limbs((1 << 768) % p), "2^768 mod p"),
        ("p_minus_2[4]", limbs(p - 2), "exponent of the inverse"),
        ("two_inverse[4]", mont(pow(2, -1, p)), "1/2, Montgomery form"),
        ("root_of_unity[4]", mont(root), "of order 2^two_adicity, Montgomery form"),
        ("root_of_unity_inverse[4]", mont(pow(root, -1, p)), "its inverse"),
        ("generator[4]", mont(generator), "of the multiplicative group, Montgomery form"),
        ("cube_root[4]", mont(cube_root(p)), "the smaller primitive cube root of one, Montgomery form"),
        ("modulus_52[5]", limbs(p, 5, 52), "the prime in limbs of 52 bits"),
        ("r260_one[5]", limbs((1 << 260) % p, 5, 52), "2^260 mod p in limbs of 52 bits"),
    ]
    print(f"struct {name} {{")
    for declaration, value, comment in rows:
        print(f"  // {comment}\n  static constexpr uint64_t {declaration} = {{{value}}};")
    print(f"  // -1/p mod 2^64\n  static constexpr uint64_t minus_inverse = 0x{-pow(p, -1, 1 << 64) % (1 << 64):016x}ull;")
    print(f"  // -1/p mod 2^52\n  static constexpr uint64_t minus_inverse_52 = 0x{-pow(p, -1, 1 << 52) % (1 << 52):013x}ull;")
    print(f"  static constexpr unsigned two_adicity = {two_adicity};\n}};\n")
print("}  // namespace zka")
