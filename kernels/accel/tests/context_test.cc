#include <doctest/doctest.h>

#include <cstring>
#include <string>

#include "zkaccel.h"

TEST_CASE("a context on the CPU says so, and one of AUTO says why it fell back") {
  for (const uint32_t backend : {ZKA_BACKEND_CPU, ZKA_BACKEND_AUTO}) {
    zka_config config{};
    config.abi_version = ZKA_ABI_VERSION;
    config.backend = backend;
    zka_ctx* ctx = nullptr;
    REQUIRE(zka_ctx_create(&config, &ctx) == ZKA_OK);
    size_t need = 0;
    CHECK(zka_device_info(ctx, nullptr, 0, &need) == ZKA_E_SIZE);
    std::string json(need, '\0');
    REQUIRE(zka_device_info(ctx, json.data(), json.size(), &need) == ZKA_OK);
    MESSAGE(json);
    zka_buf* b;
    REQUIRE(zka_buf_alloc(ctx, ZKA_FIELD_BN254_FR, 100, &b) == ZKA_OK);
    zka_fe two{{2, 0, 0, 0}}, out[100];
    CHECK(zka_vector_powers(&two, &two, b, 100, nullptr) == ZKA_OK);
    CHECK(zka_buf_read(b, 0, out, 100, ZKA_FORM_CANONICAL, nullptr) == ZKA_OK);
    CHECK(zka_buf_len(b) == 100);
    zka_ctx_destroy(ctx);
    CHECK(zka_buf_len(b) == 0);
    CHECK(zka_buf_read(b, 0, out, 100, ZKA_FORM_CANONICAL, nullptr) == ZKA_E_INVALID_ARG);
    MESSAGE(zka_last_error(ctx));
  }
}
