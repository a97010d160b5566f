#!/usr/bin/env python3
"""Prints tests/transform_answers.h: transforms, inverses and a running product, from the modulus r of bn256 (EIP-196)
and its generator 7 alone, by their definitions in Python's integers."""

R = 21888242871839275222246405745257275088548364400416034343698204186575808495617
K, EXTENDED_K = 3, 5


def root(k: int) -> int:
    return pow(7, (R - 1) >> k, R)


def fe(value: int) -> str:
    return "{{" + ", ".join(f"0x{(value >> (64 * i)) & (2**64 - 1):016x}" for i in range(4)) + "}}"


def evaluate(points: list[int]) -> list[int]:
    return [sum(c * pow(x, i, R) for i, c in enumerate(COEFFICIENTS)) % R for x in points]


COEFFICIENTS = [pow(3, 50 * i, R) + i for i in range(1 << K)]
DOMAIN = [pow(root(K), i, R) for i in range(1 << K)]
EXTENDED = [7 * pow(root(EXTENDED_K), i, R) % R for i in range(1 << EXTENDED_K)]
DENOMINATORS = [5, 0, R - 1, COEFFICIENTS[3]]
RUNNING = [11]
for above, below in zip(COEFFICIENTS, [5, 9, R - 1, COEFFICIENTS[3]]):
    RUNNING.append(RUNNING[-1] * above * pow(below, -1, R) % R)

print("""// Made by tools/transform_answers.py, in Python's integers. Canonical values.
#pragma once
#include "zkaccel.h"

namespace zka::test {
""")
for name, words, values in [
    ("COEFFICIENTS", "of a polynomial", COEFFICIENTS),
    ("VALUES", f"at the powers of the root of order 2^{K}", evaluate(DOMAIN)),
    ("EXTENDED_VALUES", f"at 7 times the powers of the root of order 2^{EXTENDED_K}", evaluate(EXTENDED)),
    ("VANISHING_INVERSES", f"1 / (x^8 - 1) there", [pow(pow(x, 8, R) - 1, -1, R) for x in EXTENDED]),
    ("DENOMINATORS", "one of them zero", DENOMINATORS),
    ("INVERSES", "of those; zero stays", [pow(x, -1, R) if x else 0 for x in DENOMINATORS]),
    ("DIVISORS", "without zero", [5, 9, R - 1, COEFFICIENTS[3]]),
    ("RUNNING", "11, times the first coefficients over the divisors", RUNNING),
]:
    print(f"// {words}\nconstexpr zka_fe {name}[] = {{")
    for value in values:
        print(f"    {fe(value)},")
    print("};")
print("\n}  // namespace zka::test")
