#include "reference/polynomial.h"
#include "support/buffers.h"
#include "support/streams.h"

using namespace zka;
using namespace zka::test;
using reference::Polynomial;

namespace {

// Buffers of polynomials, and their handles.
struct Buffers {
  Buffers(zka_ctx* ctx, zka_field field, const std::vector<Polynomial>& polys) {
    for (const Polynomial& poly : polys) {
      handles.push_back(*buffers.emplace_back(std::make_unique<TestBuffer>(ctx, field, poly, ZKA_FORM_MONTGOMERY)));
    }
  }
  std::vector<std::unique_ptr<TestBuffer>> buffers;
  std::vector<zka_buf*> handles;
};

std::vector<Polynomial> polynomials(Random& random, zka_field field) {
  std::vector<Polynomial> polys;
  for (const size_t n : {size_t{0}, size_t{1}, size_t{2}, size_t{3}, size_t{31}, size_t{32}, size_t{33}, size_t{63},
                         size_t{64}, size_t{65}, up_to(16384, 512), up_to(16385, 513), up_to(40000, 4097)}) {
    polys.push_back(random.elements(field, n));
  }
  return polys;
}

}  // namespace

TEST_CASE("polynomials of all lengths have the values that the definition gives, 0 and 1 among the points") {
  in_each_context([](zka_ctx* ctx) {
    Random random(15);
    for (const zka_field field : FIELDS) {
      const auto polys = polynomials(random, field);
      const Buffers buffers(ctx, field, polys);
      const zka_fe one = reference::linear(field, fe(0))[1];
      const std::vector<zka_fe> points = {random.element(field), fe(0), one, random.element(field)};
      std::vector<zka_fe> values(polys.size() * points.size());
      REQUIRE(zka_poly_eval(buffers.handles.data(), polys.size(), points.data(), points.size(), values.data(),
                            nullptr) == ZKA_OK);
      for (size_t i = 0; i < values.size(); ++i) {
        CHECK(values[i] == reference::evaluate(field, polys[i / points.size()], points[i % points.size()]));
      }
    }
  });
}

TEST_CASE("many polynomials have their values at many points") {
  in_each_context([](zka_ctx* ctx) {
    Random random(19);
    std::vector<Polynomial> polys;
    for (size_t i = 0; i < 70; ++i) polys.push_back(random.elements(FR, i % 5));
    const Buffers buffers(ctx, FR, polys);
    const std::vector<zka_fe> points = random.elements(FR, 2);
    std::vector<zka_fe> values(polys.size() * points.size());
    REQUIRE(zka_poly_eval(buffers.handles.data(), polys.size(), points.data(), points.size(), values.data(),
                          nullptr) == ZKA_OK);
    for (size_t i = 0; i < values.size(); ++i) {
      CHECK(values[i] == reference::evaluate(FR, polys[i / points.size()], points[i % points.size()]));
    }
  });
}

TEST_CASE("polynomials less what is low in each are summed with powers of a factor") {
  in_each_context([](zka_ctx* ctx) {
    Random random(16);
    for (const zka_field field : FIELDS) {
      const auto polys = polynomials(random, field);
      const Buffers buffers(ctx, field, polys);
      std::vector<Polynomial> low;
      std::vector<const zka_fe*> low_data;
      std::vector<size_t> low_len;
      for (size_t i = 0; i < polys.size(); ++i) {
        low.push_back(random.elements(field, i % 4 == 3 ? 70 : i % 4));
        low_len.push_back(low.back().size());
      }
      for (const Polynomial& each : low) low_data.push_back(each.data());
      const zka_fe factor = random.element(field);
      const size_t n = polys.back().size() + 5;
      const TestBuffer out(ctx, field, n);
      const auto fold = [&](const zka_fe* const* less) {
        REQUIRE(zka_poly_fold(buffers.handles.data(), polys.size(), &factor, less, low_len.data(), out, nullptr) ==
                ZKA_OK);
        return out.read(ZKA_FORM_MONTGOMERY);
      };
      CHECK(fold(low_data.data()) == reference::fold(field, polys, factor, low, n));
      CHECK(fold(nullptr) == reference::fold(field, polys, factor, {}, n));
    }
  });
}

TEST_CASE("a sum of no polynomials is 0, and of one that is the target itself it is that") {
  const TestContext context;
  Random random(17);
  const Polynomial poly = random.elements(FR, 100);
  const TestBuffer out(context, FR, poly, ZKA_FORM_MONTGOMERY);
  const zka_fe factor = random.element(FR);
  zka_buf* const itself[] = {out};
  REQUIRE(zka_poly_fold(itself, 1, &factor, nullptr, nullptr, out, nullptr) == ZKA_OK);
  CHECK(out.read(ZKA_FORM_MONTGOMERY) == poly);
  REQUIRE(zka_poly_fold(nullptr, 0, &factor, nullptr, nullptr, out, nullptr) == ZKA_OK);
  CHECK(out.read() == Polynomial(100, fe(0)));
}

TEST_CASE("rejects arguments of a sum or an evaluation that do not fit") {
  const TestContext context, other;
  const TestBuffer two(context, FR, 2), three(context, FR, 3), foreign(other, FR, 2);
  const TestBuffer other_field(context, ZKA_FIELD_BN254_FQ, 2);
  const zka_fe good = fe(1), bad = below(FR, 0);
  zka_fe values[2];
  const auto fold = [&](zka_buf* poly, const zka_fe* factor, const zka_fe* low, size_t low_len) {
    zka_buf* const polys[] = {poly};
    return zka_poly_fold(polys, 1, factor, &low, &low_len, two, nullptr);
  };
  CHECK(fold(two, &good, &good, 1) == ZKA_OK);
  CHECK(fold(three, &good, &good, 1) == ZKA_E_SIZE);
  CHECK(fold(two, &good, &good, 3) == ZKA_E_SIZE);
  CHECK(fold(two, &bad, &good, 1) == ZKA_E_NON_CANONICAL);
  CHECK(fold(two, &good, &bad, 1) == ZKA_E_NON_CANONICAL);
  CHECK(fold(two, &good, nullptr, 1) == ZKA_E_INVALID_ARG);
  CHECK(fold(two, &good, nullptr, 0) == ZKA_OK);
  CHECK(fold(foreign, &good, &good, 1) == ZKA_E_INVALID_ARG);
  const auto evaluate = [&](zka_buf* second, const zka_fe* point, zka_fe* out) {
    zka_buf* const polys[] = {two, second};
    return zka_poly_eval(polys, 2, point, 1, out, nullptr);
  };
  CHECK(evaluate(three, &good, values) == ZKA_OK);
  CHECK(evaluate(foreign, &good, values) == ZKA_E_INVALID_ARG);
  CHECK(evaluate(other_field, &good, values) == ZKA_E_INVALID_ARG);
  CHECK(evaluate(three, &bad, values) == ZKA_E_NON_CANONICAL);
  CHECK(evaluate(three, &good, nullptr) == ZKA_E_INVALID_ARG);
  CHECK(zka_poly_eval(nullptr, 1, &good, 1, values, nullptr) == ZKA_E_INVALID_ARG);
  CHECK(zka_poly_eval(nullptr, 0, &good, 1, nullptr, nullptr) == ZKA_OK);
}

TEST_CASE("an evaluation of no polynomials does nothing, but checks its stream and points") {
  const TestContext context;
  const TestStream stream(context);
  const zka_fe point = fe(5);
  zka_fe out = fe(9);
  CHECK(zka_poly_eval(nullptr, 0, nullptr, 0, nullptr, nullptr) == ZKA_OK);
  CHECK(zka_poly_eval(nullptr, 0, &point, 1, &out, stream) == ZKA_OK);
  CHECK(zka_poly_eval(nullptr, 0, nullptr, 1, &out, stream) == ZKA_E_INVALID_ARG);
  auto* const forged = reinterpret_cast<zka_stream*>(&out);
  CHECK(zka_poly_eval(nullptr, 0, &point, 1, &out, forged) == ZKA_E_INVALID_ARG);
  CHECK(out == fe(9));
}
