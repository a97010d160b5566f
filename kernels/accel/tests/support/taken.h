// How much memory a call takes beside what its context holds.
#pragma once
#include "support/buffers.h"

namespace zka::test {

// The most that `call` had at once. A buffer first brings the context to the most that it ever held, so that what comes
// on top of that is the call's.
template <class Call>
uint64_t taken_by(zka_ctx* ctx, const Call& call) {
  zka_memory used{};
  REQUIRE(zka_memory_used(ctx, &used) == ZKA_OK);
  const TestBuffer ballast(ctx, ZKA_FIELD_BN254_FR, (used.host_bytes_peak - used.host_bytes) / sizeof(zka_fe) + 1);
  REQUIRE(zka_memory_used(ctx, &used) == ZKA_OK);
  REQUIRE(used.host_bytes == used.host_bytes_peak);
  const uint64_t before = used.host_bytes;
  call();
  REQUIRE(zka_memory_used(ctx, &used) == ZKA_OK);
  CHECK(used.host_bytes == before);
  return used.host_bytes_peak - before;
}

}  // namespace zka::test
