// How much memory a call takes in addition to what its context holds.
#pragma once
#include "support/buffers.h"

namespace zka::test {

// The most that `call` had at once. A buffer first brings the context to the most that it ever held, so that what comes
// on top of that is the call's.
template <class Call>
uint64_t taken_by(zka_ctx* ctx, const Call& call) {
  Held now = held(ctx);
  const TestBuffer ballast(ctx, ZKA_FIELD_BN254_FR, (now.bytes_peak - now.bytes) / sizeof(zka_fe) + 1);
  now = held(ctx);
  REQUIRE(now.bytes == now.bytes_peak);
  const uint64_t before = now.bytes;
  call();
  now = held(ctx);
  CHECK(now.bytes == before);
  return now.bytes_peak - before;
}

}  // namespace zka::test
