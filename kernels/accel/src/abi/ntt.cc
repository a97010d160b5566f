#include "zkaccel/ntt.h"

#include <algorithm>
#include <vector>

#include "abi/buffers.h"
#include "abi/call.h"
#include "abi/tell.h"
#include "core/domain.h"
#include "ff/field.h"

using namespace zka;
using abi::Call;
using abi::find;
using abi::guard;
using Fr = ZKA_ISA::Fr;

namespace {

zka_fe element(const Fr& x) { return {{x.l[0], x.l[1], x.l[2], x.l[3]}}; }

Fr to_power_of_two(Fr x, uint32_t log_exponent) {
  for (uint32_t i = 0; i < log_exponent; ++i) x = x.square();
  return x;
}

void need_logs(uint32_t k, uint32_t extended_k) {
  if (extended_k > FrParams::two_adicity || k > extended_k) {
    throw Failure(ZKA_E_SIZE, "k is " + std::to_string(k) + " and extended_k " + std::to_string(extended_k) +
                                  ": k <= extended_k <= " + std::to_string(FrParams::two_adicity));
  }
}

// The caller's root, or the field's own.
Fr root(uint32_t extended_k, const zka_fe* omega) {
  if (omega == nullptr) return to_power_of_two(Fr::of(FrParams::root_of_unity), FrParams::two_adicity - extended_k);
  const Fr given = Fr::of(abi::need_element(ZKA_FIELD_BN254_FR, omega, "omega").l);
  const bool right = extended_k == 0 ? given == Fr::one() : to_power_of_two(given, extended_k - 1) == -Fr::one();
  if (!right) throw Failure(ZKA_E_INVALID_ARG, "omega is not of order 2^" + std::to_string(extended_k));
  return given;
}

Fr coset_generator(uint32_t extended_k, const zka_fe* coset) {
  if (coset == nullptr) return Fr::of(FrParams::generator);
  const Fr given = Fr::of(abi::need_element(ZKA_FIELD_BN254_FR, coset, "coset").l);
  if (given.is_zero()) throw Failure(ZKA_E_INVALID_ARG, "coset is zero");
  if (to_power_of_two(given, extended_k) == Fr::one()) {
    throw Failure(ZKA_E_INVALID_ARG, "coset is in the extended domain, where X^n - 1 vanishes");
  }
  return given;
}

// The logarithm of a length that the domain has. Throws SIZE.
uint32_t log_of(const Domain& domain, size_t n, const char* what) {
  for (const uint32_t log_n : {domain.k(), domain.extended_k()}) {
    if (n == size_t{1} << log_n) return log_n;
  }
  throw Failure(ZKA_E_SIZE, std::string(what) + " has " + std::to_string(n) + " elements, and the domain 2^" +
                                std::to_string(domain.k()) + " or 2^" + std::to_string(domain.extended_k()));
}

// An operation on a buffer of the domain's extended length.
struct ExtendedCall {
  ExtendedCall(const zka_domain* handle, zka_buf* extended, zka_stream* stream)
      : domain(find<Domain>(handle, "domain")),
        call(domain->context(), stream),
        operations(call.module(&Backend::ntt)),
        buffer(call.buffer(extended, ZKA_FIELD_BN254_FR, "extended")) {
    if (buffer->size() != domain->extended_n()) {
      throw Failure(ZKA_E_SIZE, "extended has " + std::to_string(buffer->size()) + " elements and not 2^" +
                                    std::to_string(domain->extended_k()));
    }
  }

  std::shared_ptr<Domain> domain;
  Call call;
  NttOperations& operations;
  std::shared_ptr<Buffer> buffer;
};

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
    abi::tell(call.module(&Backend::ntt).domain_bytes(k, extended_k), host_bytes, device_bytes);
  });
}

zka_status zka_ntt(const zka_domain* domain, zka_buf* const* columns, size_t ncolumns, zka_ntt_direction direction,
                   zka_order order, int on_coset, zka_stream* stream) {
  return guard([&] {
    abi::need_one_of(direction, ZKA_NTT_INVERSE, "direction");
    abi::need_one_of(order, ZKA_ORDER_RN, "order");
    const auto of = find<Domain>(domain, "domain");
    const Call call(of->context(), stream);
    auto& operations = call.module(&Backend::ntt);
    const abi::Buffers buffers(call, columns, ncolumns, ZKA_FIELD_BN254_FR, "columns");
    if (ncolumns == 0) return;
    const uint32_t log_n = log_of(*of, buffers.all()[0]->size(), "columns[0]");
    std::vector<zka_fe*> data;
    data.reserve(ncolumns);
    for (const auto& buffer : buffers.all()) {
      if (buffer->size() != buffers.all()[0]->size()) throw Failure(ZKA_E_SIZE, "columns are not of one length");
      data.push_back(buffer->data());
    }
    std::vector<zka_fe*> sorted = data;
    std::sort(sorted.begin(), sorted.end());
    if (std::adjacent_find(sorted.begin(), sorted.end()) != sorted.end()) {
      throw Failure(ZKA_E_INVALID_ARG, "a buffer is among the columns twice");
    }
    call.run([&](Queue& queue) {
      operations.ntt(queue, of->prepared(), data, log_n, direction, order, on_coset != 0);
    });
  });
}

zka_status zka_ntt_mem(const zka_domain* domain, size_t n, uint64_t* host_bytes, uint64_t* device_bytes) {
  return guard([&] {
    const auto of = find<Domain>(domain, "domain");
    const Call call(of->context(), nullptr);
    abi::tell(call.module(&Backend::ntt).ntt_bytes(of->prepared(), log_of(*of, n, "a column")), host_bytes,
              device_bytes);
  });
}

zka_status zka_coeff_to_extended(const zka_domain* domain, const zka_buf* coefficients, zka_buf* extended,
                                 zka_stream* stream) {
  return guard([&] {
    const ExtendedCall to(domain, extended, stream);
    const auto from = to.call.buffer(coefficients, ZKA_FIELD_BN254_FR, "coefficients");
    if (from->size() > to.buffer->size()) {
      throw Failure(ZKA_E_SIZE, std::to_string(from->size()) + " coefficients are more than the extended domain has");
    }
    to.call.run([&](Queue& queue) {
      to.operations.coeff_to_extended(queue, to.domain->prepared(), from->data(), from->size(), to.buffer->data());
    });
  });
}

zka_status zka_extended_to_coeff(const zka_domain* domain, zka_buf* extended, zka_stream* stream) {
  return guard([&] {
    const ExtendedCall of(domain, extended, stream);
    zka_fe* const column[] = {of.buffer->data()};
    of.call.run([&](Queue& queue) {
      of.operations.ntt(queue, of.domain->prepared(), column, of.domain->extended_k(), ZKA_NTT_INVERSE, ZKA_ORDER_NN,
                        true);
    });
  });
}

zka_status zka_divide_by_vanishing(const zka_domain* domain, zka_buf* extended, zka_stream* stream) {
  return guard([&] {
    const ExtendedCall of(domain, extended, stream);
    of.call.run([&](Queue& queue) {
      of.operations.divide_by_vanishing(queue, of.domain->prepared(), of.buffer->data());
    });
  });
}
