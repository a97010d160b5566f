// A sort on all threads.
#pragma once
#include <cstddef>

#include "core/job.h"
#include "cpu/lookup/key.h"

namespace zka::cpu {

// Ascending. Returns where they are sorted: in `keys` or in `scratch`, of n keys too; the other holds nothing. Keys that
// are the same cannot be distinguished, so that the result is the same for any number of threads.
Key* sort_keys(const Job& job, Key* keys, Key* scratch, size_t n);

}  // namespace zka::cpu
