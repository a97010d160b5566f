#include "calls/calls.h"

#include "core/memory.h"
#include "quotient/programs.h"

namespace zka::test {
namespace {

template <class Handle>
zka_status freed(zka_status status, Handle** out, void (*free)(Handle*)) {
  if (status == ZKA_OK) free(*out);
  return status;
}

const std::vector<Call> CALLS = {
    {"zka_buf_write", {A, ELEMENTS}, {}, ON_STREAM | OF_N, [](const Scene& s, zka_stream* stream) {
       return zka_buf_write(s.a(), 0, s.elements(), s.n, ZKA_FORM_CANONICAL, stream);
     }},
    {"zka_buf_read", {A, ELEMENTS}, {}, ON_STREAM | OF_N, [](const Scene& s, zka_stream* stream) {
       return zka_buf_read(s.a(), 0, s.elements(), s.n, ZKA_FORM_CANONICAL, stream);
     }},
    {"zka_buf_copy", {A, C}, {}, ON_STREAM | OF_N, [](const Scene& s, zka_stream* stream) {
       return zka_buf_copy(s.c(), 0, s.a(), 0, s.n, stream);
     }},
    {"zka_vector_op_apply", {A, B, C}, {}, ON_STREAM | OF_N, [](const Scene& s, zka_stream* stream) {
       return zka_vector_op_apply(ZKA_OP_MUL, s.a(), s.b(), s.c(), s.n, stream);
     }},
    {"zka_vector_scale_add", {ELEMENT, A, B, C}, {B}, ON_STREAM | OF_N, [](const Scene& s, zka_stream* stream) {
       return zka_vector_scale_add(s.element(), s.a(), s.b(), s.c(), s.n, stream);
     }},
    {"zka_vector_powers", {ELEMENT, A}, {}, ON_STREAM | OF_N, [](const Scene& s, zka_stream* stream) {
       return zka_vector_powers(s.element(), s.element(), s.a(), s.n, stream);
     }},
    {"zka_batch_inverse", {A}, {}, ON_STREAM | OF_N,
     [](const Scene& s, zka_stream* stream) { return zka_batch_inverse(s.a(), 0, s.n, stream); },
     [](const Scene& s, uint64_t* host, uint64_t* device) {
       return zka_batch_inverse_mem(s.context(), s.n, host, device);
     }},
    {"zka_grand_product", {A, B, ELEMENT, C}, {}, ON_STREAM | OF_N,
     [](const Scene& s, zka_stream* stream) {
       return zka_grand_product(s.a(), s.b(), s.element(), s.n, s.c(), stream);
     },
     [](const Scene& s, uint64_t* host, uint64_t* device) {
       return zka_grand_product_mem(s.context(), s.n, host, device);
     }},
    {"zka_permute_pair", {A, B, C, EXTENDED, NUMBER}, {NUMBER}, ON_STREAM | OF_N,
     [](const Scene& s, zka_stream* stream) {
       return zka_permute_pair(s.a(), s.b(), s.n, ZKA_PERMUTE_FIRST_MEETS, s.c(), s.extended(), s.number(), stream);
     },
     [](const Scene& s, uint64_t* host, uint64_t* device) {
       return zka_permute_pair_mem(s.context(), s.n, host, device);
     }},
    {"zka_ntt", {DOMAIN_OF_N, A}, {}, ON_STREAM,
     [](const Scene& s, zka_stream* stream) {
       zka_buf* const columns[] = {s.a()};
       return zka_ntt(s.domain(), columns, 1, ZKA_NTT_FORWARD, ZKA_ORDER_NN, 1, stream);
     },
     [](const Scene& s, uint64_t* host, uint64_t* device) { return zka_ntt_mem(s.domain(), s.n, host, device); }},
    {"zka_coeff_to_extended", {DOMAIN_OF_N, A, EXTENDED}, {}, ON_STREAM,
     [](const Scene& s, zka_stream* stream) { return zka_coeff_to_extended(s.domain(), s.a(), s.extended(), stream); },
     [](const Scene& s, uint64_t* host, uint64_t* device) { return zka_ntt_mem(s.domain(), 2 * s.n, host, device); }},
    {"zka_extended_to_coeff", {DOMAIN_OF_N, EXTENDED}, {}, ON_STREAM,
     [](const Scene& s, zka_stream* stream) { return zka_extended_to_coeff(s.domain(), s.extended(), stream); },
     [](const Scene& s, uint64_t* host, uint64_t* device) { return zka_ntt_mem(s.domain(), 2 * s.n, host, device); }},
    {"zka_divide_by_vanishing", {DOMAIN_OF_N, EXTENDED}, {}, ON_STREAM,
     [](const Scene& s, zka_stream* stream) { return zka_divide_by_vanishing(s.domain(), s.extended(), stream); }},
    {"zka_msm", {BASES, A, SUM}, {}, ON_STREAM | OF_N | ADAPTS,
     [](const Scene& s, zka_stream* stream) { return zka_msm(s.bases(), 0, s.a(), 0, s.n, 1, s.sum(), stream); },
     [](const Scene& s, uint64_t* host, uint64_t* device) { return zka_msm_mem(s.bases(), s.n, 1, host, device); }},
    {"zka_evaluate_quotient", {PROGRAM, A, ELEMENT, C}, {}, ON_STREAM | OF_N,
     [](const Scene& s, zka_stream* stream) {
       zka_buf* const columns[] = {s.a()};
       return zka_evaluate_quotient(s.program(), columns, s.element(), s.n < 2 ? 0 : 1, s.n, s.c(), stream);
     },
     [](const Scene& s, uint64_t* host, uint64_t* device) {
       return zka_evaluate_quotient_mem(s.program(), s.n, host, device);
     }},
    {"zka_poly_fold", {A, B, ELEMENT, ELEMENTS, C}, {}, ON_STREAM, [](const Scene& s, zka_stream* stream) {
       zka_buf* const polys[] = {s.a(), s.b()};
       const zka_fe* const low[] = {s.elements(), s.elements()};
       const size_t low_len[] = {1, 2};
       return zka_poly_fold(polys, 2, s.element(), low, low_len, s.c(), stream);
     }},
    {"zka_poly_div_roots", {A, ELEMENT, ELEMENTS}, {ELEMENTS}, ON_STREAM | OF_N,
     [](const Scene& s, zka_stream* stream) {
       return zka_poly_div_roots(s.a(), s.n, s.element(), 1, 0, s.elements(), stream);
     },
     [](const Scene& s, uint64_t* host, uint64_t* device) {
       return zka_poly_div_roots_mem(s.context(), s.n, host, device);
     }},
    {"zka_poly_eval", {A, B, ELEMENT, ELEMENTS}, {}, ON_STREAM, [](const Scene& s, zka_stream* stream) {
       zka_buf* const polys[] = {s.a(), s.b()};
       return zka_poly_eval(polys, 2, s.element(), 1, s.elements(), stream);
     }},

    {"zka_buf_alloc", {CONTEXT, OUT}, {}, OF_FIELD,
     [](const Scene& s, zka_stream*) {
       const auto out = s.out<zka_buf>();
       return freed(zka_buf_alloc(s.context(), s.field, s.n, out), out, zka_buf_free);
     },
     [](const Scene& s, uint64_t* host, uint64_t* device) {
       *host = *device = 0;
       (on_plugin() ? *device : *host) = s.n * sizeof(zka_fe);
       return ZKA_OK;
     }},
    {"zka_host_alloc", {CONTEXT, OUT}, {}, 0, [](const Scene& s, zka_stream*) {
       const auto out = s.out<void>();
       const zka_status status = zka_host_alloc(s.context(), 100, out);
       if (status == ZKA_OK) zka_host_free(s.context(), *out);
       return status;
     }},
    {"zka_stream_create", {CONTEXT, OUT}, {}, 0, [](const Scene& s, zka_stream*) {
       const auto out = s.out<zka_stream>();
       return freed(zka_stream_create(s.context(), out), out, zka_stream_destroy);
     }},
    {"zka_domain_create", {CONTEXT, OUT}, {}, 0,
     [](const Scene& s, zka_stream*) {
       const auto out = s.out<zka_domain>();
       return freed(zka_domain_create(s.context(), s.log_n, s.log_n + 2, nullptr, nullptr, out), out, zka_domain_free);
     },
     [](const Scene& s, uint64_t* host, uint64_t* device) {
       return zka_domain_mem(s.context(), s.log_n, s.log_n + 2, host, device);
     }},
    {"zka_bases_create", {CONTEXT, POINTS, NUMBER, OUT}, {NUMBER}, OF_CURVE,
     [](const Scene& s, zka_stream*) {
       const auto out = s.out<zka_bases>();
       return freed(zka_bases_create(s.context(), s.curve, s.points(), s.n, 2, 1, s.number(), out), out,
                    zka_bases_free);
     },
     [](const Scene& s, uint64_t* host, uint64_t* device) {
       const zka_status status = zka_bases_mem(s.context(), s.curve, s.n, 2, host, device);
       // It reports what bases hold. While a device checks points it also has a word for the first bad one.
       if (on_plugin()) *device += Memory::counted(1, sizeof(uint64_t));
       return status;
     }},
    {"zka_program_create", {CONTEXT, ELEMENT, OUT}, {}, OF_FIELD, [](const Scene& s, zka_stream*) {
       const zka_insn code = {ZKA_INSN_MUL, 0, constant(0), previous(), {}};
       const zka_program_desc desc = {&code, 1, s.element(), 1, 0, 0, 1, uint32_t{s.field}};
       const auto out = s.out<zka_program>();
       return freed(zka_program_create(s.context(), &desc, out), out, zka_program_free);
     }},
    {"zka_msm_once", {CONTEXT, POINTS, ELEMENTS, SUM}, {}, OF_CURVE, [](const Scene& s, zka_stream*) {
       return zka_msm_once(s.context(), s.curve, s.points(), s.elements(), s.n, s.sum());
     }},
    {"zka_to_affine", {CONTEXT, SUM, POINTS}, {}, OF_CURVE, [](const Scene& s, zka_stream*) {
       return zka_to_affine(s.context(), s.curve, s.sum(), 1, s.points());
     }},

    {"zka_batch_inverse_mem", {CONTEXT, NUMBER}, {}, REPORTS, [](const Scene& s, zka_stream*) {
       return zka_batch_inverse_mem(s.context(), s.n, s.number(), s.number());
     }},
    {"zka_grand_product_mem", {CONTEXT, NUMBER}, {}, REPORTS, [](const Scene& s, zka_stream*) {
       return zka_grand_product_mem(s.context(), s.n, s.number(), s.number());
     }},
    {"zka_permute_pair_mem", {CONTEXT, NUMBER}, {}, REPORTS, [](const Scene& s, zka_stream*) {
       return zka_permute_pair_mem(s.context(), s.n, s.number(), s.number());
     }},
    {"zka_domain_mem", {CONTEXT, NUMBER}, {}, REPORTS, [](const Scene& s, zka_stream*) {
       return zka_domain_mem(s.context(), s.log_n, s.log_n, s.number(), s.number());
     }},
    {"zka_ntt_mem", {DOMAIN_OF_N, NUMBER}, {}, REPORTS, [](const Scene& s, zka_stream*) {
       return zka_ntt_mem(s.domain(), s.n, s.number(), s.number());
     }},
    {"zka_bases_mem", {CONTEXT, NUMBER}, {}, REPORTS | OF_CURVE, [](const Scene& s, zka_stream*) {
       return zka_bases_mem(s.context(), s.curve, s.n, 0, s.number(), s.number());
     }},
    {"zka_msm_mem", {BASES, NUMBER}, {}, REPORTS, [](const Scene& s, zka_stream*) {
       return zka_msm_mem(s.bases(), s.n, 1, s.number(), s.number());
     }},
    {"zka_evaluate_quotient_mem", {PROGRAM, NUMBER}, {}, REPORTS, [](const Scene& s, zka_stream*) {
       return zka_evaluate_quotient_mem(s.program(), s.n, s.number(), s.number());
     }},
    {"zka_poly_div_roots_mem", {CONTEXT, NUMBER}, {}, REPORTS, [](const Scene& s, zka_stream*) {
       return zka_poly_div_roots_mem(s.context(), s.n, s.number(), s.number());
     }},
};

}  // namespace

const std::vector<Call>& calls() { return CALLS; }

}  // namespace zka::test
