// One thread's sort.
#pragma once
#include <cstddef>

#include "core/job.h"
#include "cpu/lookup/key.h"

namespace zka::cpu {

// That one round goes through, or that are sorted, between two looks.
constexpr size_t LOOK_KEYS = size_t{1} << 13;

// Ascending. `scratch` has n keys too, and holds nothing afterwards. By the highest eight bits in which any of the keys
// differ, and within each of their values again: what most columns hold, small numbers, takes two or three rounds.
// Looks at `cancel` where there are more than LOOK_KEYS; throws Failure CANCELLED, and the keys are then anything.
void radix_sort(const Cancel& cancel, Key* keys, Key* scratch, size_t n);

}  // namespace zka::cpu
