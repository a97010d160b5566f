#include "core/domain.h"

#include "abi/call.h"
#include "abi/report_bytes.h"
#include "ff/field.h"
#include "zkaccel/ntt.h"

using namespace zka;
using abi::Call;
using abi::guard;
using Fr = ZKA_ISA::Fr;

namespace {

zka_fe element(const Fr& x) { return {{x.l[0], x.l[1], x.l[2], x.l[3]}}; }

void need_logs(uint32_t k, uint32_t extended_k) {
  if (extended_k > FrParams::two_adicity || k > extended_k) {
    throw Failure(ZKA_E_SIZE, "k is " + std::to_string(k) + " and extended_k " + std::to_string(extended_k) +
                                  ": k <= extended_k <= " + std::to_string(FrParams::two_adicity));
  }
}

// The caller's root, or the field's own.
Fr root(uint32_t extended_k, const zka_fe* omega) {
  if (omega == nullptr) return Fr::of(FrParams::root_of_unity).squared(FrParams::two_adicity - extended_k);
  const Fr given = Fr::of(abi::need_element(ZKA_FIELD_BN254_FR, omega, "omega").l);
  const bool right = extended_k == 0 ? given == Fr::one() : given.squared(extended_k - 1) == -Fr::one();
  if (!right) throw Failure(ZKA_E_INVALID_ARG, "omega is not of order 2^" + std::to_string(extended_k));
  return given;
}

Fr coset_generator(uint32_t extended_k, const zka_fe* coset) {
  if (coset == nullptr) return Fr::of(FrParams::generator);
  const Fr given = Fr::of(abi::need_element(ZKA_FIELD_BN254_FR, coset, "coset").l);
  if (given.is_zero()) throw Failure(ZKA_E_INVALID_ARG, "coset is zero");
  if (given.squared(extended_k) == Fr::one()) {
    throw Failure(ZKA_E_INVALID_ARG, "coset is in the extended domain, where X^n - 1 vanishes");
  }
  return given;
}

}  // namespace

zka_status zka_domain_create(zka_ctx* ctx, uint32_t k, uint32_t extended_k, const zka_fe* omega, const zka_fe* coset,
                             zka_domain** out) {
  return guard([&] {
    abi::need_out(out);
    const Call call(ctx);
    need_logs(k, extended_k);
    const Fr w = root(extended_k, omega), g = coset_generator(extended_k, coset);
    auto prepared = call.module(&Backend::ntt).domain(k, extended_k, element(w), element(g));
    *out = call.hand_out(std::make_shared<Domain>(call.shared_context(), k, extended_k, std::move(prepared)));
  });
}

void zka_domain_free(zka_domain* domain) { Handles::all().remove<Domain>(domain); }

zka_status zka_domain_mem(const zka_ctx* ctx, uint32_t k, uint32_t extended_k, uint64_t* host_bytes,
                          uint64_t* device_bytes) {
  return guard([&] {
    const Call call(ctx);
    need_logs(k, extended_k);
    abi::report_bytes(call.module(&Backend::ntt).domain_bytes(k, extended_k), host_bytes, device_bytes);
  });
}
