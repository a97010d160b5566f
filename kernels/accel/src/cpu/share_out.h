// Work in pieces that each need dedicated memory. It belongs to the worker, since there are fewer workers than pieces.
#pragma once
#include <algorithm>
#include <atomic>
#include <cstddef>

#include "core/job.h"

namespace zka::cpu {

// work(worker, piece) once for each piece, a worker's one after the other; looks at the stream's cancel in between.
template <class Work>
void share_out(const Job& job, size_t pieces, size_t workers, const Work& work) {
  std::atomic<size_t> next{0};
  job.pool.parallel(std::min(workers, pieces), [&](size_t worker) {
    for (size_t piece = next++; piece < pieces; piece = next++) {
      job.cancel.check();
      work(worker, piece);
    }
  });
}

}  // namespace zka::cpu
