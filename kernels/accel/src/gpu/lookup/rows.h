// From what the columns have in common to A' and S'.
#pragma once
#include "gpu/lookup/match.h"

namespace zka::gpu {

// The remaining values of the table, ascending.
struct CollectLeft {
  Match match;
  Key* to;

  template <class Thread>
  ZKA_HD void operator()(Thread& thread) const {
    const uint64_t i = thread.index();
    if (i >= match.n || !match.is_left(Match::TABLE, i)) return;
    to[match.left_before(Match::TABLE, i)] = match.row(Match::TABLE)[i];
  }
};

// A' as it is sorted, and S' with the same value where a run begins; the remaining values go to the rows that repeat, from
// the last backwards.
template <class F>
struct WriteRows {
  Match match;
  const Key* remaining;
  bool backwards;
  F *a_out, *s_out;

  template <class Thread>
  ZKA_HD void operator()(Thread& thread) const {
    const uint64_t i = thread.index();
    if (i >= match.n) return;
    const uint64_t to = backwards ? match.n - 1 - i : i;
    const F value = F{match.row(Match::A)[i]}.from_canonical().canonical();
    a_out[to] = value;
    if (!match.is_left(Match::A, i)) {
      s_out[to] = value;
      return;
    }
    const uint64_t from_last = match.block_before(Match::A, match.blocks) - 1 - match.left_before(Match::A, i);
    s_out[to] = F{remaining[from_last]}.from_canonical().canonical();
  }
};

}  // namespace zka::gpu
