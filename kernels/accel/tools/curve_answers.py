#!/usr/bin/env python3
"""Writes tests/msm/curve_answers.h: sums and multiples of points as Python computes them. Run from kernels/accel.

The inputs of bn256 are those of go-ethereum's tests of the precompiled contracts of EIP-196
(core/vm/testdata/precompiles, bn256Add.json and bn256ScalarMul.json); the answers are computed here, from the definition
of the group alone, with affine points. A sum a + b is written as the terms a * 1 + b * 1.
"""

R = 21888242871839275222246405745257275088548364400416034343698204186575808495617
Q = 21888242871839275222246405745257275088696311157297823662689037894645226208583
MONTGOMERY = 1 << 256


def add(a, b, p):
    if a is None or b is None:
        return a or b
    if a[0] == b[0] and (a[1] + b[1]) % p == 0:
        return None
    rise, run = (3 * a[0] ** 2, 2 * a[1]) if a == b else (b[1] - a[1], b[0] - a[0])
    slope = rise * pow(run, -1, p) % p
    x = (slope**2 - a[0] - b[0]) % p
    return x, (slope * (a[0] - x) - a[1]) % p


def multiple(k, point, p):
    total = None
    while k:
        if k & 1:
            total = add(total, point, p)
        point, k = add(point, point, p), k >> 1
    return total


def numbers(text):
    return [int(text[i : i + 64], 16) for i in range(0, len(text), 64)]


def limbs(value):
    return "{{" + ", ".join(f"0x{value >> 64 * i & (1 << 64) - 1:016x}ull" for i in range(4)) + "}}"


def affine(point, p):
    return "{" + ", ".join(limbs(each * MONTGOMERY % p) for each in point or (0, 0)) + "}"


G, H = (1, 2), (
    0x17C139DF0EFEE0F766BC0204762B774362E4DED88953A39CE849A8A7FA163FA9,
    0x01E0559BACB160664764A357AF8A9FE70BAA9258E0B959273FFC5718C6D4CC7C,
)
J = (
    0x039730EA8DFF1254C0FEE9C0EA777D29A9C710B7E616683F194F18C43B43B869,
    0x073A5FFCC6FC7A28C30723D6E58CE577356982D65B833A5A5C15BF9024B43D98,
)
K = (
    0x1A87B0584CE92F4593D161480614F2989035225609F08058CCFA3D0F940FEBE3,
    0x1A2F3C951F6DADCC7EE9007DFF81504B0FCD6D7CF59996EFDC33D92BF7F9F8F6,
)
CHFAST = numbers(
    "18b18acfb4c2c30276db5411368e7185b311dd124691610c5d3b74034e093dc9063c909c4720840cb5134cb9f59fa749755796819658d32efc0d288198f37266"
    "07c2b7f58a84bd6145f00c9c2bc0bb1a187f20ff2c92963a88019e7c6a014eed06614e20c147e940f2d70da3f74c9a17df361706a4485c742bd6788478fa17d7"
)
A, B = tuple(CHFAST[:2]), tuple(CHFAST[2:])


def cases():
    """Of (curve, [(point, scalar), (point, scalar)]); an addition has scalars of one."""
    pairs = [(A, B), (add(A, B, Q), A), (None, None), (None, G), (G, None), (G, G), (H, J), (H, (H[0], Q - H[1]))]
    for a, b in pairs:
        yield "BN254", [(a, 1), (b, 1)]
    start = add(add(A, B, Q), A, Q)
    scalar = 0x11138CE750FA15C2
    for scalar in (scalar, Q - 1, 0x183227397098D014DC2822DB40C0AC2ECBC0B548B438E5469E10460B6C3E7EA3):
        yield "BN254", [(start, scalar % R), (None, 1)]
        start = multiple(scalar, start, Q)
    for point in (K, H, J):
        for scalar in ((1 << 256) - 1, R - 1, 1 << 128, 9, 1):
            yield "BN254", [(point, scalar % R), (None, 1)]
    for k in (1, 2, 3, 5, 1 << 64, (1 << 127) - 1, R // 2, R // 2 + 1, R - 2):
        yield "BN254", [(G, k), (None, 1)]
    # The point with x = 1 and the lesser y.
    y = root(-16 % R, R)
    g = (1, min(y, R - y))
    yield "GRUMPKIN", [(g, 1), (g, 1)]
    yield "GRUMPKIN", [(g, 1), (g, Q - 1)]
    for k in (1, 2, 3, 5, 1 << 64, (1 << 127) - 1, Q // 2, Q // 2 + 1, Q - 2):
        yield "GRUMPKIN", [(g, k), (None, 1)]


def root(value, p):
    """By Tonelli and Shanks."""
    odd, twos = p - 1, 0
    while odd % 2 == 0:
        odd, twos = odd // 2, twos + 1
    other = next(z for z in range(2, 100) if pow(z, (p - 1) // 2, p) == p - 1)
    c, x, t = pow(other, odd, p), pow(value, (odd + 1) // 2, p), pow(value, odd, p)
    while t != 1:
        i, square = 0, t
        while square != 1:
            square, i = square * square % p, i + 1
        step = pow(c, 1 << (twos - i - 1), p)
        x, t, c, twos = x * step % p, t * step * step % p, step * step % p, i
    assert x * x % p == value
    return x


def main():
    rows = []
    for curve, terms in cases():
        p, b = (Q, 3) if curve == "BN254" else (R, -17)
        total = None
        for point, scalar in terms:
            assert point is None or (point[1] ** 2 - point[0] ** 3 - b) % p == 0
            total = add(total, multiple(scalar, point, p), p)
        points = ", ".join(affine(point, p) for point, _ in terms)
        scalars = ", ".join(limbs(scalar) for _, scalar in terms)
        rows.append(f"    {{ZKA_CURVE_{curve}, {{{points}}}, {{{scalars}}}, {affine(total, p)}}},")
    text = """// Made by tools/curve_answers.py, which says where the cases come from. Not edited by hand.
#pragma once
#include "zkaccel.h"

namespace zka::test {

// Points in Montgomery form, scalars canonical.
struct CurveAnswer {
  zka_curve curve;
  zka_affine points[2];
  zka_fe scalars[2];
  zka_affine sum;
};

// clang-format off
constexpr CurveAnswer CURVE_ANSWERS[] = {
"""
    text += "\n".join(rows) + "\n};\n// clang-format on\n\n}  // namespace zka::test\n"
    with open("tests/msm/curve_answers.h", "w", encoding="ascii") as file:
        file.write(text)


main()
