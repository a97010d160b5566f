#include <functional>
#include <string>

#include "calls/scene.h"
#include "quotient/programs.h"

using namespace zka::test;

namespace {

// Each call that is handed lists in the caller's memory, with one list of so many elements: as if they were there.
using Listing = std::function<zka_status(const Scene&, size_t)>;
const std::pair<const char*, Listing> LISTINGS[] = {
    {"zka_buf_write", [](const Scene& s, size_t n) {
       return zka_buf_write(s.a(), 0, s.elements(), n, ZKA_FORM_CANONICAL, nullptr);
     }},
    {"zka_buf_read", [](const Scene& s, size_t n) {
       return zka_buf_read(s.a(), 0, s.elements(), n, ZKA_FORM_CANONICAL, nullptr);
     }},
    {"zka_ntt, columns", [](const Scene& s, size_t n) {
       zka_buf* const columns[] = {s.a()};
       return zka_ntt(s.domain(), columns, n, ZKA_NTT_FORWARD, ZKA_ORDER_NN, 1, nullptr);
     }},
    {"zka_poly_fold, polynomials", [](const Scene& s, size_t n) {
       zka_buf* const polys[] = {s.a()};
       return zka_poly_fold(polys, n, s.element(), nullptr, nullptr, s.c(), nullptr);
     }},
    {"zka_poly_eval, polynomials", [](const Scene& s, size_t n) {
       zka_buf* const polys[] = {s.a()};
       return zka_poly_eval(polys, n, s.element(), 1, s.elements(), nullptr);
     }},
    {"zka_poly_eval, points", [](const Scene& s, size_t n) {
       zka_buf* const polys[] = {s.a()};
       return zka_poly_eval(polys, 1, s.element(), n, s.elements(), nullptr);
     }},
    {"zka_poly_div_roots, roots", [](const Scene& s, size_t n) {
       return zka_poly_div_roots(s.a(), s.n, s.element(), n, 0, nullptr, nullptr);
     }},
    {"zka_program_create, instructions", [](const Scene& s, size_t n) {
       const zka_insn code = {ZKA_INSN_MOV, 0, previous(), {}, {}};
       const zka_program_desc desc = {&code, n, nullptr, 0, 0, 0, 1, ZKA_FIELD_BN254_FR};
       return zka_program_create(s.context(), &desc, s.out<zka_program>());
     }},
    {"zka_program_create, constants", [](const Scene& s, size_t n) {
       const zka_insn code = {ZKA_INSN_MOV, 0, previous(), {}, {}};
       const zka_program_desc desc = {&code, 1, s.element(), n, 0, 0, 1, ZKA_FIELD_BN254_FR};
       return zka_program_create(s.context(), &desc, s.out<zka_program>());
     }},
    {"zka_bases_create", [](const Scene& s, size_t n) {
       return zka_bases_create(s.context(), ZKA_CURVE_BN254, s.points(), n, 0, 1, nullptr, s.out<zka_bases>());
     }},
    {"zka_msm, columns of nothing", [](const Scene& s, size_t n) {
       return zka_msm(s.bases(), 0, s.a(), 0, 0, n, s.sum(), nullptr);
     }},
    {"zka_msm_once", [](const Scene& s, size_t n) {
       return zka_msm_once(s.context(), ZKA_CURVE_BN254, s.points(), s.elements(), n, s.sum());
     }},
    {"zka_to_affine", [](const Scene& s, size_t n) {
       return zka_to_affine(s.context(), ZKA_CURVE_BN254, s.sum(), n, s.points());
     }},
};

}  // namespace

TEST_CASE("rejects a list that no memory holds with its length, before it is read") {
  const TestContext context;
  Scene scene(context, 3);
  const auto before = scene.contents();
  for (const auto& listing : LISTINGS) {
    for (const unsigned log_n : {49u, 57u, 58u, 59u, 60u, 61u, 63u, 64u}) {
      const size_t n = log_n == 64 ? SIZE_MAX : size_t{1} << log_n;
      INFO(listing.first, " of 2^", log_n);
      CHECK(listing.second(scene, n) == ZKA_E_SIZE);
      CHECK(context.last_error().find(std::to_string(n)) != std::string::npos);
    }
  }
  CHECK(scene.contents() == before);
}

TEST_CASE("rejects more values of polynomials at points than any memory holds") {
  const TestContext context;
  const Scene scene(context, 3);
  zka_buf* const polys[] = {scene.a(), scene.b()};
  // Each of the lists on its own would do.
  CHECK(zka_poly_eval(polys, 2, scene.element(), size_t{1} << 43, scene.elements(), nullptr) == ZKA_E_SIZE);
}
