// Powers of one element, in tables that are short enough to stay in a cache.
#pragma once
#include "gpu/device/array.h"
#include "gpu/field/field.h"

namespace zka::gpu {

// start * base^e, for e below 2^31: high[e >> low_bits] * low[e mod 2^low_bits], or without `low` high[e >> low_bits].
struct Powers {
  const Fr* high = nullptr;
  const Fr* low = nullptr;
  unsigned low_bits = 0;

  // Whether there are any.
  ZKA_HD explicit operator bool() const { return high != nullptr; }
  ZKA_HD Fr operator[](uint32_t e) const {
    const Fr upper = high[e >> low_bits];
    return low == nullptr ? upper : upper * low[e & ((uint32_t{1} << low_bits) - 1)];
  }
  // The start alone, whatever e is.
  Powers only_start() const { return {high, nullptr, 31}; }
};

class PowerTable {
 public:
  PowerTable() = default;
  // For exponents below 2^bits. What fills it is queued.
  PowerTable(DeviceQueue& queue, unsigned bits, const Fr& start, const Fr& base);
  static uint64_t bytes(unsigned bits);

  Powers view() const { return {high_.data(), low_.size() == 0 ? nullptr : low_.data(), low_bits_}; }

 private:
  unsigned low_bits_ = 0;
  DeviceArray<Fr> high_, low_;
};

}  // namespace zka::gpu
