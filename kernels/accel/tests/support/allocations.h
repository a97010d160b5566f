// Every allocation of this process goes through here, so that tests can count what is held and let one fail.
#pragma once
#include <doctest/doctest.h>

#include <cstdint>

#include "zkaccel.h"

namespace zka::test {

// Blocks that are held now.
int64_t blocks_held() noexcept;

// While one lives, the n-th allocation of any thread fails, 0 the first.
class FailingAllocation {
 public:
  explicit FailingAllocation(int64_t n) noexcept;
  ~FailingAllocation();
  FailingAllocation(const FailingAllocation&) = delete;
  FailingAllocation& operator=(const FailingAllocation&) = delete;
  bool came() const noexcept;
};

// Calls again and again, in each run one allocation later failing, until a run has none left to fail: that one succeeds.
// Every other returns OOM_HOST or OOM_DEVICE and leaves nothing behind. `ctx` is null where the call makes the context.
template <class Call>
void each_allocation_fails_once(const zka_ctx* ctx, const Call& call) {
  for (int64_t n = 0;; ++n) {
    zka_memory before{}, after{};
    if (ctx != nullptr) REQUIRE(zka_memory_used(ctx, &before) == ZKA_OK);
    const int64_t held = blocks_held();
    zka_status status = ZKA_OK;
    bool came = false;
    int64_t held_after = 0;
    {
      const FailingAllocation failing(n);
      status = call();
      came = failing.came();
      held_after = blocks_held();
    }
    if (!came) {
      CHECK(status == ZKA_OK);
      CHECK(n > 0);
      return;
    }
    INFO("allocation ", n);
    REQUIRE((status == ZKA_E_OOM_HOST || status == ZKA_E_OOM_DEVICE));
    CHECK(held_after == held);
    if (ctx != nullptr) REQUIRE(zka_memory_used(ctx, &after) == ZKA_OK);
    CHECK(after.host_bytes == before.host_bytes);
    CHECK(after.device_bytes == before.device_bytes);
  }
}

}  // namespace zka::test
