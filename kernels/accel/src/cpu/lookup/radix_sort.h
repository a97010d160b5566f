// One thread's sort.
#pragma once
#include <cstddef>

#include "cpu/lookup/key.h"

namespace zka::cpu {

// Ascending. `scratch` has n keys too, and holds nothing afterwards. By the highest eight bits in which any of the keys
// differ, and within each of their values again: what most columns hold, small numbers, takes two or three rounds.
void radix_sort(Key* keys, Key* scratch, size_t n);

}  // namespace zka::cpu
