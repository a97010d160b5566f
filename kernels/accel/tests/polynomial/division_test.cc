#include "reference/polynomial.h"
#include "support/taken.h"

using namespace zka;
using namespace zka::test;
using reference::Polynomial;

namespace {

const zka_fe ONE = {{FrParams::r_one[0], FrParams::r_one[1], FrParams::r_one[2], FrParams::r_one[3]}};

std::vector<size_t> sizes() { return {0, 1, 2, 3, 31, 32, 33, 127, 128, 129, up_to(4095, 1023), up_to(16385, 8193)}; }

// What a division leaves in the buffer, and the remainders.
std::pair<Polynomial, Polynomial> divided(zka_ctx* ctx, zka_field field, const Polynomial& poly,
                                          const std::vector<zka_fe>& roots, int exact = 0) {
  const TestBuffer buffer(ctx, field, poly, ZKA_FORM_MONTGOMERY);
  Polynomial remainders(roots.size());
  REQUIRE(zka_poly_div_roots(buffer, poly.size(), roots.data(), roots.size(), exact, remainders.data(), nullptr) ==
          ZKA_OK);
  return {buffer.read(ZKA_FORM_MONTGOMERY), remainders};
}

}  // namespace

TEST_CASE("a polynomial is the quotient times (X - root) plus the remainder, whatever its length") {
  in_each_context([](zka_ctx* ctx) {
    Random random(11);
    for (const size_t n : sizes()) {
      const zka_field field = FIELDS[n % 2];
      const Polynomial poly = random.elements(field, n);
      const zka_fe root = random.element(field);
      Polynomial expected = poly;
      const zka_fe left = reference::divide(field, expected, root);
      const auto [quotient, remainders] = divided(ctx, field, poly, {root});
      CHECK(quotient == expected);
      CHECK(remainders == Polynomial{left});
      CHECK(left == reference::evaluate(field, poly, root));
      if (n < 2) continue;
      auto again = reference::multiply(field, {quotient.begin(), quotient.end() - 1}, reference::linear(field, root));
      CHECK(reference::add(field, again, remainders) == poly);
    }
  });
}

TEST_CASE("a product of roots is divided by each of them, repeated ones too, and leaves nothing") {
  in_each_context([](zka_ctx* ctx) {
    Random random(12);
    for (const size_t n : {size_t{1}, size_t{40}, up_to(9000, 2500)}) {
      const std::vector<zka_fe> once = random.elements(FR, 3);
      const std::vector<zka_fe> roots = {once[0], once[1], once[0], fe(0), once[2], once[0]};
      const Polynomial quotient = random.elements(FR, n);
      Polynomial poly = quotient;
      for (const zka_fe& root : roots) poly = reference::multiply(FR, poly, reference::linear(FR, root));
      Polynomial expected = quotient;
      expected.resize(poly.size());
      const auto [result, remainders] = divided(ctx, FR, poly, roots, 1);
      CHECK(result == expected);
      CHECK(remainders == Polynomial(roots.size(), fe(0)));
    }
  });
}

TEST_CASE("remainders come in the order of the roots, and those beyond the degree are 0") {
  const TestContext context;
  Random random(13);
  Polynomial poly = random.elements(FR, 3);
  const std::vector<zka_fe> roots = random.elements(FR, 5);
  const auto [quotient, remainders] = divided(context, FR, poly, roots);
  for (size_t i = 0; i < roots.size(); ++i) CHECK(remainders[i] == reference::divide(FR, poly, roots[i]));
  CHECK(quotient == Polynomial(3, fe(0)));
  CHECK(remainders[3] == fe(0));
}

TEST_CASE("only the first n coefficients are divided") {
  const TestContext context;
  Random random(14);
  Polynomial poly = random.elements(FR, 10);
  const zka_fe root = random.element(FR);
  const TestBuffer buffer(context, FR, poly, ZKA_FORM_MONTGOMERY);
  REQUIRE(zka_poly_div_roots(buffer, 6, &root, 1, 0, nullptr, nullptr) == ZKA_OK);
  Polynomial first(poly.begin(), poly.begin() + 6);
  reference::divide(FR, first, root);
  std::copy(first.begin(), first.end(), poly.begin());
  CHECK(buffer.read(ZKA_FORM_MONTGOMERY) == poly);
}

TEST_CASE("an exact division that leaves a remainder reports the root") {
  const TestContext context;
  const Polynomial poly = reference::linear(FR, ONE);
  const TestBuffer buffer(context, FR, poly, ZKA_FORM_MONTGOMERY);
  const zka_fe roots[] = {ONE, ONE};
  Polynomial remainders(2, fe(9));
  CHECK(zka_poly_div_roots(buffer, 2, roots, 2, 1, remainders.data(), nullptr) == ZKA_E_REMAINDER);
  CHECK(context.last_error() == "the division by root 1 leaves a remainder");
  CHECK(remainders == Polynomial{fe(0), ONE});
  const TestBuffer again(context, FR, poly, ZKA_FORM_MONTGOMERY);
  CHECK(zka_poly_div_roots(again, 2, roots, 1, 1, nullptr, nullptr) == ZKA_OK);
  CHECK(zka_poly_div_roots(again, 2, nullptr, 0, 1, nullptr, nullptr) == ZKA_OK);
  CHECK(zka_poly_div_roots(again, 3, roots, 1, 1, nullptr, nullptr) == ZKA_E_SIZE);
  const zka_fe too_large = below(FR, 0);
  CHECK(zka_poly_div_roots(again, 2, &too_large, 1, 1, nullptr, nullptr) == ZKA_E_NON_CANONICAL);
  CHECK(zka_poly_div_roots(again, 2, nullptr, 1, 1, nullptr, nullptr) == ZKA_E_INVALID_ARG);
}

TEST_CASE("a division by many roots returns all their remainders, and the first that is not 0") {
  in_each_context([](zka_ctx* ctx) {
    Random random(18);
    const std::vector<zka_fe> roots = random.elements(FR, 70);
    Polynomial poly = {ONE};
    for (const zka_fe& root : roots) poly = reference::multiply(FR, poly, reference::linear(FR, root));
    const auto [one, zeros] = divided(ctx, FR, poly, roots, 1);
    CHECK(one[0] == ONE);
    CHECK(zeros == Polynomial(70, fe(0)));
    std::vector<zka_fe> others = roots;
    others[40] = random.element(FR);
    Polynomial expected = poly;
    const auto [rest, remainders] = divided(ctx, FR, poly, others);
    for (size_t i = 0; i < others.size(); ++i) CHECK(remainders[i] == reference::divide(FR, expected, others[i]));
    CHECK(rest == expected);
    const TestBuffer buffer(ctx, FR, poly, ZKA_FORM_MONTGOMERY);
    Polynomial written(70, ONE);
    CHECK(zka_poly_div_roots(buffer, 71, others.data(), 70, 1, written.data(), nullptr) == ZKA_E_REMAINDER);
    CHECK(std::string(zka_last_error(ctx)) == "the division by root 40 leaves a remainder");
    CHECK(std::equal(written.begin(), written.begin() + 41, remainders.begin()));
    CHECK(std::count(written.begin() + 41, written.end(), ONE) == 29);
  });
}

TEST_CASE("a division uses exactly the memory that was predicted") {
  in_each_context([](zka_ctx* ctx) {
    for (const size_t n : sizes()) {
      const TestBuffer poly(ctx, FR, n);
      uint64_t host = 1, device = 1;
      REQUIRE(zka_poly_div_roots_mem(ctx, n, &host, &device) == ZKA_OK);
      CHECK((on_plugin() ? host : device) == 0);
      const auto divide = [&] { CHECK(zka_poly_div_roots(poly, n, &ONE, 1, 0, nullptr, nullptr) == ZKA_OK); };
      CHECK(taken_by(ctx, divide) == (on_plugin() ? device : host));
    }
  });
}
