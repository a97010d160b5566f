#include "zkaccel/ntt.h"

#include <algorithm>
#include <vector>

#include "abi/buffers.h"
#include "abi/call.h"
#include "abi/report_bytes.h"
#include "core/domain.h"

using namespace zka;
using abi::Call;
using abi::find;
using abi::guard;
using abi::guard_on;

namespace {

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

zka_status zka_ntt(const zka_domain* domain, zka_buf* const* columns, size_t ncolumns, zka_ntt_direction direction,
                   zka_order order, int on_coset, zka_stream* stream) {
  return guard_on(stream, [&] {
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
    abi::report_bytes(call.module(&Backend::ntt).ntt_bytes(of->prepared(), log_of(*of, n, "a column")), host_bytes,
              device_bytes);
  });
}

zka_status zka_coeff_to_extended(const zka_domain* domain, const zka_buf* coefficients, zka_buf* extended,
                                 zka_stream* stream) {
  return guard_on(stream, [&] {
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
  return guard_on(stream, [&] {
    const ExtendedCall of(domain, extended, stream);
    zka_fe* const column[] = {of.buffer->data()};
    of.call.run([&](Queue& queue) {
      of.operations.ntt(queue, of.domain->prepared(), column, of.domain->extended_k(), ZKA_NTT_INVERSE, ZKA_ORDER_NN,
                        true);
    });
  });
}

zka_status zka_divide_by_vanishing(const zka_domain* domain, zka_buf* extended, zka_stream* stream) {
  return guard_on(stream, [&] {
    const ExtendedCall of(domain, extended, stream);
    of.call.run([&](Queue& queue) {
      of.operations.divide_by_vanishing(queue, of.domain->prepared(), of.buffer->data());
    });
  });
}
