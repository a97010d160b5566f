// What a lookup takes of a device's memory while it is under way.
#pragma once
#include "gpu/device/array.h"
#include "gpu/lookup/match.h"

namespace zka::gpu {

struct LookupScratch {
  LookupScratch(DeviceQueue& queue, uint64_t n)
      : keys(queue, 2 * n), spare(queue, n), left(queue, words(n)), before(queue, sums(n)), places(queue, 2 * blocks(n)),
        row(queue, 1) {}

  static uint64_t bytes(uint64_t n) {
    return DeviceArray<Key>::bytes(n) + DeviceArray<Key>::bytes(2 * n) + DeviceArray<uint32_t>::bytes(words(n)) +
           DeviceArray<uint64_t>::bytes(sums(n)) + DeviceArray<uint64_t>::bytes(2 * blocks(n)) +
           DeviceArray<uint64_t>::bytes(1);
  }

  static uint64_t blocks(uint64_t n) { return over(n, MATCH_THREADS).blocks; }
  static uint64_t words(uint64_t n) { return 2 * blocks(n) * Match::WORDS; }
  static uint64_t sums(uint64_t n) { return 2 * (blocks(n) + 1); }

  DeviceArray<Key> keys;         // A's and the table's
  DeviceArray<Key> spare;        // for sorting; then the remaining values of the table
  DeviceArray<uint32_t> left;    // as Match has them
  DeviceArray<uint64_t> before;
  DeviceArray<uint64_t> places;  // where tiles begin in the runs that are merged; then Match::firsts
  DeviceArray<uint64_t> row;
};

}  // namespace zka::gpu
