#include "gpu/ntt/powers.h"

#include "gpu/grid/launch.h"

namespace zka::gpu {
namespace {

// Up to here one table is short enough: 64 KiB.
constexpr unsigned ONE_TABLE_BITS_MAX = 11;

unsigned low_bits_for(unsigned bits) { return bits <= ONE_TABLE_BITS_MAX ? 0 : bits / 2; }

struct RaiseEach {
  Fr* to;
  uint32_t n;
  Fr start, base;

  template <class Thread>
  ZKA_HD void operator()(Thread& thread) const {
    const uint64_t i = thread.index();
    if (i < n) to[i] = start * base.pow(static_cast<uint32_t>(i));
  }
};

DeviceArray<Fr> raised(DeviceQueue& queue, uint32_t n, const Fr& start, const Fr& base) {
  DeviceArray<Fr> all(queue.device(), n);
  launch(queue, over(n), RaiseEach{all.data(), n, start, base});
  return all;
}

}  // namespace

PowerTable::PowerTable(DeviceQueue& queue, unsigned bits, const Fr& start, const Fr& base)
    : low_bits_(low_bits_for(bits)),
      high_(raised(queue, uint32_t{1} << (bits - low_bits_), start, base.squared(low_bits_))) {
  if (low_bits_ != 0) low_ = raised(queue, uint32_t{1} << low_bits_, Fr::one(), base);
}

uint64_t PowerTable::bytes(unsigned bits) {
  const unsigned low_bits = low_bits_for(bits);
  return DeviceArray<Fr>::bytes(uint64_t{1} << (bits - low_bits)) +
         (low_bits == 0 ? 0 : DeviceArray<Fr>::bytes(uint64_t{1} << low_bits));
}

}  // namespace zka::gpu
