#include "calls/scene.h"

#include <algorithm>
#include <cstring>

#include "msm/points.h"
#include "quotient/programs.h"

namespace zka::test {
namespace {

zka_buf* buffer(zka_ctx* ctx, size_t n) {
  zka_buf* buf = nullptr;
  REQUIRE(zka_buf_alloc(ctx, FR, n, &buf) == ZKA_OK);
  return buf;
}

void write(zka_buf* buf, const zka_fe* from) {
  REQUIRE(zka_buf_write(buf, 0, from, zka_buf_len(buf), ZKA_FORM_MONTGOMERY, nullptr) == ZKA_OK);
}

std::vector<zka_affine> some_points(size_t n) {
  const auto few = odd_multiples(ZKA_CURVE_BN254, std::min<size_t>(n, 16));
  std::vector<zka_affine> points(n);
  for (size_t i = 0; i < n; ++i) points[i] = few[i % few.size()];
  return points;
}

zka_program* program(zka_ctx* ctx) {
  TestProgram of;
  of.code = {{ZKA_INSN_MULADD, 0, column(0, 1), challenge(0), previous()}};
  of.ncolumns = of.nchallenges = 1;
  const zka_program_desc desc = of.desc();
  zka_program* created = nullptr;
  REQUIRE(zka_program_create(ctx, &desc, &created) == ZKA_OK);
  return created;
}

}  // namespace

Scene::Scene(zka_ctx* ctx, unsigned log_of_n)
    : log_n(log_of_n),
      n(size_t{1} << log_n),
      random_(Random(1).elements(FR, 2 * n + 1)),
      given_points_(some_points(n)),
      elements_(n),
      points_(n) {
  zka_domain* domain = nullptr;
  zka_bases* bases = nullptr;
  REQUIRE(zka_domain_create(ctx, log_n, log_n + 1, nullptr, nullptr, &domain) == ZKA_OK);
  REQUIRE(zka_bases_create(ctx, ZKA_CURVE_BN254, given_points_.data(), n, 0, 0, nullptr, &bases) == ZKA_OK);
  at[CONTEXT] = ctx;
  at[DOMAIN_OF_N] = domain;
  at[PROGRAM] = test::program(ctx);
  at[BASES] = bases;
  at[A] = buffer(ctx, n);
  at[B] = buffer(ctx, n);
  at[C] = buffer(ctx, n + 1);
  at[EXTENDED] = buffer(ctx, 2 * n);
  at[ELEMENT] = &element_;
  at[ELEMENTS] = elements_.data();
  at[POINTS] = points_.data();
  at[SUM] = &sum_;
  at[NUMBER] = &number_;
  at[OUT] = &out_;
  fill();
}

Scene::~Scene() {
  for (zka_buf* buf : {a(), b(), c(), extended()}) zka_buf_free(buf);
  zka_bases_free(bases());
  zka_program_free(program());
  zka_domain_free(domain());
}

void Scene::fill() {
  const size_t count = elements_.size();
  const zka_fe* const random = random_.data();
  write(a(), random);
  write(b(), random);
  write(c(), random + count);
  write(extended(), random);
  element_ = random[1];
  elements_.assign(random, random + count);
  points_ = given_points_;
  sum_ = {points_[0].x, points_[0].y, random[2]};
  number_ = 0;
}

std::vector<uint64_t> Scene::contents() const {
  std::vector<zka_fe> all = elements_;
  for (zka_buf* buf : {a(), b(), c(), extended()}) {
    const size_t before = all.size(), more = zka_buf_len(buf);
    all.resize(before + more);
    REQUIRE(zka_buf_read(buf, 0, all.data() + before, more, ZKA_FORM_MONTGOMERY, nullptr) == ZKA_OK);
  }
  for (const zka_affine& point : points_) all.insert(all.end(), {point.x, point.y});
  all.insert(all.end(), {element_, sum_.x, sum_.y, sum_.z, fe(number_)});
  std::vector<uint64_t> words(all.size() * 4);
  std::memcpy(words.data(), all.data(), words.size() * sizeof(uint64_t));
  return words;
}

}  // namespace zka::test
