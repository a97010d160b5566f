// Loops over elements that are all alike.
#pragma once
#include <algorithm>
#include <cstddef>

#include "core/job.h"

namespace zka::cpu {

// Elements between checks of the stream's cancel, and the least for another thread.
constexpr size_t CHUNK = size_t{1} << 12;

// work(begin, n) for chunks of [0, n), on all threads.
template <class Work>
void in_chunks(const Job& job, size_t n, const Work& work) {
  job.pool.parallel(n / CHUNK + (n % CHUNK != 0), [&](size_t chunk) {
    job.cancel.check();
    work(chunk * CHUNK, std::min(CHUNK, n - chunk * CHUNK));
  });
}

}  // namespace zka::cpu
