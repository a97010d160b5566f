// Digits of a part. They are found without the carries of other windows: digit w of the value v is
// floor((v / 2^(cw-1) mod 2^(c+1) + 1) / 2), less 2^c where the topmost of those c + 1 bits is set.
// [Booth, "A signed binary multiplication technique", 1951, in radix 2^c]
#pragma once
#include "cpu/msm/terms.h"
#include "ff/hd.h"
#include "ff/isa.h"

namespace zka::ZKA_ISA {

inline constexpr uint64_t SIGN = uint64_t{1} << 63;

// Windows whose digits can be other than zero.
ZKA_HD constexpr unsigned windows_of(unsigned bits, unsigned c) { return bits / c + 1; }

struct Digit {
  uint32_t bucket;  // its size, 0 for none
  bool negative;
};

// The digits of one window, without a branch: they are as good as random.
class Digits {
 public:
  ZKA_HD Digits(unsigned limbs, unsigned window, unsigned c) : c_(c), last_(limbs - 1), before_first_(window == 0) {
    const unsigned from = before_first_ ? 0 : window * c - 1;  // the lowest bit that there is of them
    word_ = smaller(from / 64, last_);
    next_ = smaller(word_ + 1, last_);
    shift_ = from - 64 * word_;
    // The topmost window ends below the sign.
    const unsigned bits = smaller(before_first_ ? c : c + 1, 64 * limbs - 1 - from);
    mask_ = (uint64_t{1} << (bits + before_first_)) - 1;
  }

  ZKA_HD Digit of(const uint64_t* part) const {
    const uint64_t found = part[word_] >> shift_ | part[next_] << 1 << (63 - shift_);
    const uint32_t bits = static_cast<uint32_t>(found << before_first_ & mask_);
    const uint32_t upper = bits >> c_, half = (bits + 1) >> 1;
    return {((half ^ (0 - upper)) + upper) + (upper << c_), (upper ^ part[last_] >> 63) != 0};
  }

 private:
  static ZKA_HD unsigned smaller(unsigned a, unsigned b) { return a < b ? a : b; }

  unsigned c_, last_, before_first_, word_, next_, shift_;
  uint64_t mask_;
};

}  // namespace zka::ZKA_ISA
