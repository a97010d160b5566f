// Fields and curves that the library does not have.
#include <algorithm>
#include <iterator>
#include <string>

#include "calls/calls.h"
#include "core/failure.h"
#include "cpu/features.h"
#include "cpu/msm/kernels.h"
#include "ec/curve.h"
#include "msm/points.h"

using namespace zka::test;

namespace {

// The first one after those that the tests know, the largest and the smallest of a signed number, and two between.
std::vector<uint32_t> unknown_ids(size_t known) {
  return {static_cast<uint32_t>(known), static_cast<uint32_t>(known) + 1, 1000, 0x7fffffff, 0x80000000, 0xffffffff};
}

std::string number(uint32_t id) { return std::to_string(static_cast<int32_t>(id)); }

}  // namespace

TEST_CASE("each call that takes a curve rejects an unknown one with its number") {
  const TestContext context;
  Scene scene(context, 3);
  const auto before = scene.contents();
  for (const uint32_t id : unknown_ids(std::size(CURVES))) {
    scene.curve = static_cast<zka_curve>(id);
    for (const Call& call : calls()) {
      if (!call.has(OF_CURVE)) continue;
      INFO(call.name, ", curve ", id);
      CHECK(call.run(scene, nullptr) == ZKA_E_INVALID_ARG);
      CHECK(context.last_error() == "curve is " + number(id));
    }
  }
  CHECK(scene.contents() == before);
}

TEST_CASE("each call that takes a field rejects an unknown one with its number") {
  const TestContext context;
  Scene scene(context, 3);
  for (const uint32_t id : unknown_ids(std::size(FIELDS))) {
    scene.field = static_cast<zka_field>(id);
    for (const Call& call : calls()) {
      if (!call.has(OF_FIELD)) continue;
      INFO(call.name, ", field ", id);
      CHECK(call.run(scene, nullptr) == ZKA_E_INVALID_ARG);
      CHECK(context.last_error() == "field is " + number(id));
    }
  }
}

TEST_CASE("each call that takes a curve or a field accepts all that there are") {
  const TestContext context;
  Scene scene(context, 3);
  for (const zka_curve curve : CURVES) {
    for (const zka_field field : FIELDS) {
      scene.curve = curve;
      scene.field = field;
      scene.fill();
      for (const Call& call : calls()) {
        if (!call.has(OF_CURVE) && !call.has(OF_FIELD)) continue;
        INFO(call.name, ", curve ", curve, ", field ", field);
        // The points of the scene are on bn256, and bases check theirs.
        const bool off_curve = call.name == "zka_bases_create" && curve != ZKA_CURVE_BN254;
        CHECK(call.run(scene, nullptr) == (off_curve ? ZKA_E_NOT_ON_CURVE : ZKA_OK));
      }
    }
  }
}

TEST_CASE("the tables of curves and fields reject an unknown id, with each set of instructions") {
  for (const uint32_t id : unknown_ids(std::max(std::size(CURVES), std::size(FIELDS)))) {
    const auto curve = static_cast<zka_curve>(id);
    const auto field = static_cast<zka_field>(id);
    CHECK_THROWS_AS(zka::portable::with_curve(curve, [](auto) {}), zka::Failure);
    CHECK_THROWS_AS(zka::portable::with_field(field, [](auto) {}), zka::Failure);
    CHECK_THROWS_AS(zka::modulus_of(field), zka::Failure);
    for (const zka::Isa isa : {zka::Isa::portable, zka::Isa::adx, zka::Isa::ifma}) {
      if (zka::cpu::has(isa)) CHECK_THROWS_AS(zka::msm_kernels(isa, curve), zka::Failure);
    }
  }
}
