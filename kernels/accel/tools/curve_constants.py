#!/usr/bin/env python3
"""Prints src/ec/curve_constants.h: b of each curve, and how a scalar of it is split in two halves of 127 bits.

All curves are y^2 = x^3 + b, so (x, y) -> (beta x, y) is an endomorphism, which multiplies each point by a cube root of
one, lambda. [Gallant, Lambert, Vanstone, "Faster point multiplication on elliptic curves with efficient endomorphisms",
CRYPTO 2001; the short vectors: Guide to Elliptic Curve Cryptography, algorithm 3.74] Everything is checked before it is
printed: that beta and lambda belong together, on the generator, and the bound of the halves, from the vectors.
"""

from math import isqrt

R = 21888242871839275222246405745257275088548364400416034343698204186575808495617
Q = 21888242871839275222246405745257275088696311157297823662689037894645226208583
HALF_BITS = 127
# Of y^2 = x^3 + b: the prime of the coordinates, the order, b.
CURVES = {"Bn254Params": (Q, R, 3), "GrumpkinParams": (R, Q, -17)}


def root(value: int, p: int) -> int | None:
    """A square root, by Cipolla's algorithm; None for what is no square."""
    value %= p
    if pow(value, (p - 1) // 2, p) != 1:
        return None
    a = next(a for a in range(1, 1000) if pow(a * a - value, (p - 1) // 2, p) == p - 1)
    square = (a * a - value) % p
    power, base, exponent = (1, 0), (a, 1), (p + 1) // 2
    while exponent:
        if exponent & 1:
            power = (power[0] * base[0] + power[1] * base[1] * square) % p, (power[0] * base[1] + power[1] * base[0]) % p
        base = (base[0] ** 2 + base[1] ** 2 * square) % p, 2 * base[0] * base[1] % p
        exponent >>= 1
    assert power[0] ** 2 % p == value
    return power[0]


def add(a, b, p):
    if a is None or b is None:
        return a or b
    if a[0] == b[0]:
        if (a[1] + b[1]) % p == 0:
            return None
        slope = 3 * a[0] * a[0] * pow(2 * a[1], -1, p) % p
    else:
        slope = (b[1] - a[1]) * pow(b[0] - a[0], -1, p) % p
    x = (slope * slope - a[0] - b[0]) % p
    return x, (slope * (a[0] - x) - a[1]) % p


def multiple(k, point, p):
    result = None
    for bit in bin(k)[2:]:
        result = add(result, result, p)
        if bit == "1":
            result = add(result, point, p)
    return result


def cube_root(p: int) -> int:
    """The smaller of the two primitive cube roots of one, as in field_constants.py."""
    g = next(g for g in range(2, 100) if pow(g, (p - 1) // 3, p) != 1)
    w = pow(g, (p - 1) // 3, p)
    return min(w, w * w % p)


def short_vectors(order: int, lam: int):
    """Two short (a, b) with a + b * lam = 0 mod order, by the extended Euclidean algorithm."""
    rows = [(order, 0), (lam, 1)]
    while rows[-1][0] >= isqrt(order):
        quotient = rows[-2][0] // rows[-1][0]
        rows.append(tuple(rows[-2][i] - quotient * rows[-1][i] for i in (0, 1)))
    quotient = rows[-2][0] // rows[-1][0]
    after = tuple(rows[-2][i] - quotient * rows[-1][i] for i in (0, 1))
    first = rows[-1][0], -rows[-1][1]
    before = rows[-2][0], -rows[-2][1]
    after = after[0], -after[1]
    return first, min(before, after, key=lambda v: v[0] ** 2 + v[1] ** 2)


def limbs(value: int, count: int) -> str:
    return ", ".join(f"0x{(value >> (64 * i)) & (2**64 - 1):016x}ull" for i in range(count))


print("""// Made by tools/curve_constants.py, which says where each value comes from. Not edited by hand.
#pragma once
#include <cstdint>

namespace zka {

// A scalar is split into at most so many bits, and a sign, twice.
inline constexpr unsigned GLV_BITS = 127;
""")
for name, (p, order, b) in CURVES.items():
    x = next(x for x in range(1, 100) if root(x**3 + b, p) is not None)
    point = x, root(x**3 + b, p)
    beta = cube_root(p)
    lam = cube_root(order)
    if multiple(lam, point, p) != (beta * x % p, point[1]):
        lam = lam * lam % order
    assert multiple(order, point, p) is None
    assert multiple(lam, point, p) == (beta * x % p, point[1])

    (a1, b1), (a2, b2) = short_vectors(order, lam)
    # halves = (k, 0) - c1 (a1, b1) - c2 (a2, b2) with a1 b2 - a2 b1 = +-order
    if a1 * b2 - a2 * b1 < 0:
        a2, b2 = -a2, -b2
    assert (a1 + b1 * lam) % order == 0 and (a2 + b2 * lam) % order == 0 and a1 * b2 - a2 * b1 == order
    # c1 = round(k b2 / order), c2 = round(-k b1 / order): by multiplication with a fraction over 2^256
    g1, g2 = (2**257 * b2 // order + 1) // 2, (-(2**257) * b1 // order + 1) // 2
    signs = [value < 0 for value in (g1, g2)]
    g1, g2 = abs(g1), abs(g2)
    assert g1 < 2**192 and g2 < 2**192
    # Each c is off by at most 1/2 + order * (1/2) / 2^256 < 60/100.
    assert 10 * order < 2 * 2**256
    assert 60 * max(abs(a1) + abs(a2), abs(b1) + abs(b2)) < 100 * 2**HALF_BITS

    def split(k: int) -> tuple[int, int]:
        c1, c2 = (k * g1 + 2**255 >> 256) * (-1) ** signs[0], (k * g2 + 2**255 >> 256) * (-1) ** signs[1]
        return k - c1 * a1 - c2 * a2, -c1 * b1 - c2 * b2

    for k in (0, 1, 2, lam, order - lam, order // 2, order // 2 + 1, order - 1, 2**126, 2**127 - 1):
        k1, k2 = split(k)
        assert (k1 + k2 * lam - k) % order == 0 and abs(k1) < 2**HALF_BITS and abs(k2) < 2**HALF_BITS
    assert split(1) == (1, 0) and split(order - 1) == (-1, 0)

    c1_sign, c2_sign = ((-1) ** sign for sign in signs)
    print(f"struct {name} {{")
    print("  // of y^2 = x^3 + b, Montgomery form")
    print(f"  static constexpr uint64_t b[4] = {{{limbs(b % p * 2**256 % p, 4)}}};")
    print("  // the endomorphism multiplies points by this: the value itself")
    print(f"  static constexpr uint64_t lambda[4] = {{{limbs(lam, 4)}}};")
    print("  // c1 = round(k * g1 / 2^256), c2 = round(k * g2 / 2^256)")
    print(f"  static constexpr uint64_t g1[3] = {{{limbs(g1, 3)}}};")
    print(f"  static constexpr uint64_t g2[3] = {{{limbs(g2, 3)}}};")
    print("  // k1 = k - c1 * a1 - c2 * a2, k2 = -c1 * b1 - c2 * b2, all modulo 2^128")
    for label, value in (("a1", c1_sign * a1), ("a2", c2_sign * a2), ("b1", c1_sign * b1), ("b2", c2_sign * b2)):
        print(f"  static constexpr uint64_t {label}[2] = {{{limbs(value % 2**128, 2)}}};")
    print("};\n")
print("}  // namespace zka")
