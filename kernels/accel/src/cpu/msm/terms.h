// What the parts of a multi-scalar multiplication hand each other.
//
// A scalar is split into parts of few bits, each with a different multiple of the base: two halves by the endomorphism,
// or one part a table. The parts are cut into windows of c bits, whose digits go from -2^(c-1) to 2^(c-1). A window's
// terms are sorted by the size of their digit, its bucket; the points of a bucket are summed, then the buckets, each
// times its digit. [Pippenger, "On the evaluation of powers and related problems", 1976; the signed digits: Booth, 1951]
#pragma once
#include <cstddef>
#include <cstdint>

#include "ff/hd.h"
#include "zkaccel/msm.h"

namespace zka {

// Half of the order: a scalar above it is taken as the negative of a shorter one.
inline constexpr unsigned SCALAR_BITS = 253;

struct Split {
  unsigned parts, bits;
  bool endomorphism;

  // Of a part, with its sign in the topmost bit.
  ZKA_HD constexpr unsigned limbs() const { return bits / 64 + 1; }
};

inline constexpr uint32_t NEGATIVE = uint32_t{1} << 31;

// Entries that are summed at once: their points fit the second-level cache.
inline constexpr uint32_t TILE = 8192;

// Common to all columns of a call. The point of part p of scalar i is points[p * stride + i].
struct Terms {
  Split split;
  size_t n;
  const zka_affine* points;
  size_t stride;
  bool has_identity;

  size_t count() const { return n * split.parts; }
};

// How many parts of a column have so many bits.
struct Lengths {
  uint32_t count[SCALAR_BITS + 1];
};

// One window of one column. Bucket b, from 1 on, has entries[ends[b - 1] .. ends[b]).
struct Window {
  const uint64_t* parts;  // of the column: limbs of part p of scalar i at (p * n + i) * limbs
  size_t column;
  unsigned index, bits;
  uint32_t* ends;
  uint32_t* entries;      // the number of a point, NEGATIVE with a negative digit
  zka_affine* buckets;    // bucket b at [b - 1], and room for weighted.h behind
  zka_affine* carried;    // of each tile: what it has of a bucket that began in a tile before
  uint32_t buckets_used;  // the highest that is not empty
  size_t first_tile;      // before it come the tiles of other windows
  zka_jacobian sum;

  uint32_t entries_used() const { return ends[buckets_used]; }
  uint32_t tiles() const { return (entries_used() + TILE - 1) / TILE; }
};
// Buckets of a segment, see weighted.h.
inline constexpr uint32_t SEGMENT = 8;

// Points of one array: the first becomes the sum of both.
struct Pair {
  uint32_t to, from;
};
// Neighbouring points of one array.
struct Segment {
  uint32_t start, length;
};

// A thread's own.
struct Scratch {
  zka_affine* points;  // TILE
  Segment* segments;   // TILE
  Pair* pairs;         // pairs_max
  void* products;      // PRODUCT_BYTES for each pair, and for a group of sixteen more
};
inline constexpr uint64_t PRODUCT_BYTES = 40;
inline constexpr uint64_t PRODUCTS_MORE = 16;

}  // namespace zka
