#!/usr/bin/env python3
"""Writes tests/known_answers.h: arithmetic of both fields as Python does it. Run from kernels/accel."""

import random

FIELDS = {
    "FR": 21888242871839275222246405745257275088548364400416034343698204186575808495617,
    "FQ": 21888242871839275222246405745257275088696311157297823662689037894645226208583,
}
R = 1 << 256


def limbs(value):
    return "{{" + ", ".join(f"0x{value >> 64 * i & (1 << 64) - 1:016x}ull" for i in range(4)) + "}}"


def row(name, p, a, b):
    numbers = [a, b, a * R % p, (a + b) % p, (a - b) % p, a * b % p, pow(a, 1000, p)]
    return f"    {{ZKA_FIELD_BN254_{name}, " + ", ".join(limbs(each) for each in numbers) + "},"


def main():
    choose = random.Random(1)
    rows = []
    for name, p in FIELDS.items():
        edges = [0, 1, 2, p - 1, p - 2, (p + 1) // 2, (1 << 253) - 1, R % p]
        rows += [row(name, p, a, edges[(i * 3 + 1) % len(edges)]) for i, a in enumerate(edges)]
        rows += [row(name, p, choose.randrange(p), choose.randrange(p)) for _ in range(8)]
    text = """// Made by tools/known_answers.py with Python's integers. Not edited by hand.
#pragma once
#include "zkaccel.h"

namespace zka::test {

// All canonical but for `montgomery`, which is a * 2^256 mod p.
struct KnownAnswer {
  zka_field field;
  zka_fe a, b, montgomery, sum, difference, product, power_1000;
};

// clang-format off
constexpr KnownAnswer KNOWN_ANSWERS[] = {
"""
    text += "\n".join(rows) + "\n};\n// clang-format on\n\n}  // namespace zka::test\n"
    with open("tests/known_answers.h", "w", encoding="ascii") as file:
        file.write(text)


main()
