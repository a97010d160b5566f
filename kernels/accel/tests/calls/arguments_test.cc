#include <algorithm>
#include <limits>
#include <string>

#include "calls/calls.h"
#include "support/streams.h"

using namespace zka::test;

namespace {

// Puts another value in the place of an argument while it lives.
class Spoilt {
 public:
  Spoilt(Scene& scene, Argument argument, void* value) : at_(scene.at[argument]), was_(at_) { at_ = value; }
  ~Spoilt() { at_ = was_; }

 private:
  void*& at_;
  void* const was_;
};

bool contains(const std::string& text, const char* part) { return text.find(part) != std::string::npos; }

void* misaligned(void* pointer) { return static_cast<char*>(pointer) + 1; }

}  // namespace

TEST_CASE("rejects null, misaligned and freed arguments, and those of another kind or context, in each call") {
  const TestContext context, other;
  Scene scene(context, 3);
  const Scene foreign(other, 3);
  void* dead[ARGUMENTS];
  {
    const TestContext gone;
    std::copy_n(Scene(context, 3).at, size_t{ARGUMENTS}, dead);
    dead[CONTEXT] = gone;
  }
  const TestStream stream(context);
  const auto before = scene.contents();
  for (const Call& call : calls()) {
    const auto is_refused = [&](Argument argument, void* value, const char* words) {
      const Spoilt spoilt(scene, argument, value);
      INFO(call.name, ", argument ", argument, " ", words);
      CHECK(call.run(scene, stream) == ZKA_E_INVALID_ARG);
      CHECK(contains(context.last_error() + zka_last_error(other), words));
    };
    for (const Argument argument : call.takes) {
      const auto& may_be_null = call.may_be_null;
      if (std::find(may_be_null.begin(), may_be_null.end(), argument) == may_be_null.end()) {
        is_refused(argument, nullptr, "is null");
      }
      if (!is_handle(argument)) {
        is_refused(argument, misaligned(scene.at[argument]), "is misaligned");
        continue;
      }
      is_refused(argument, misaligned(scene.at[argument]), "is no living");
      is_refused(argument, dead[argument], "is no living");
      is_refused(argument, stream, "is no living");
      if (call.has(ON_STREAM)) is_refused(argument, foreign.at[argument], "is of another context");
    }
    CHECK(zka_stream_sync(stream) == (call.has(ON_STREAM) ? ZKA_E_INVALID_ARG : ZKA_OK));
  }
  CHECK(scene.contents() == before);
}

TEST_CASE("accepts the lengths 0 and 1, and rejects those beyond the buffers and those that overflow, in each call") {
  const TestContext context;
  Scene scene(context, 3);
  for (const Call& call : calls()) {
    if (!call.has(OF_N)) continue;
    INFO(call.name);
    for (const size_t n : {0, 1, 8}) {
      scene.n = n;
      scene.fill();
      CHECK(call.run(scene, nullptr) == ZKA_OK);
    }
    constexpr size_t MAX = std::numeric_limits<size_t>::max();
    scene.fill();
    const auto before = scene.contents();
    for (const size_t n : {size_t{9}, MAX, MAX - 1, MAX / 2 + 1, MAX / sizeof(zka_fe) + 2}) {
      scene.n = n;
      CHECK(call.run(scene, nullptr) == ZKA_E_SIZE);
      CHECK(contains(context.last_error(), std::to_string(n).c_str()));
    }
    CHECK(scene.contents() == before);
  }
}

TEST_CASE("rejects an element that is not below the modulus, in each call") {
  const TestContext context;
  Scene scene(context, 3);
  for (const Call& call : calls()) {
    const auto with = [&](Argument argument) {
      scene.fill();
      *static_cast<zka_fe*>(scene.at[argument]) = below(ZKA_FIELD_BN254_FR, 0);
      return call.run(scene, nullptr);
    };
    INFO(call.name);
    for (const Argument argument : call.takes) {
      if (argument == ELEMENT) {
        CHECK(with(ELEMENT) == ZKA_E_NON_CANONICAL);
        CHECK(contains(context.last_error(), "is not below the modulus"));
      }
      if (argument == ELEMENTS) {
        // Or it was a result, and has been written over.
        const zka_status status = with(ELEMENTS);
        CHECK((status == ZKA_E_NON_CANONICAL || !(*scene.elements() == below(ZKA_FIELD_BN254_FR, 0))));
      }
    }
  }
}

TEST_CASE("rejects an unknown enumerator with its number") {
  const TestContext context;
  const Scene scene(context, 3);
  zka_buf* const column[] = {scene.a()};
  const auto is_refused = [&](const char* words, zka_status status) {
    CHECK(status == ZKA_E_INVALID_ARG);
    CHECK(context.last_error() == words);
  };
  const auto form = static_cast<zka_form>(2);
  const auto op = static_cast<zka_vector_op>(3);
  const auto direction = static_cast<zka_ntt_direction>(2);
  const auto order = static_cast<zka_order>(-1);
  const auto meets = static_cast<zka_permute_order>(2);
  is_refused("form is 2", zka_buf_write(scene.a(), 0, scene.elements(), 1, form, nullptr));
  is_refused("form is 2", zka_buf_read(scene.a(), 0, scene.elements(), 1, form, nullptr));
  is_refused("op is 3", zka_vector_op_apply(op, scene.a(), scene.b(), scene.c(), 1, nullptr));
  is_refused("direction is 2", zka_ntt(scene.domain(), column, 1, direction, ZKA_ORDER_NN, 0, nullptr));
  is_refused("order is -1", zka_ntt(scene.domain(), column, 1, ZKA_NTT_FORWARD, order, 0, nullptr));
  is_refused("order is 2",
             zka_permute_pair(scene.a(), scene.b(), 1, meets, scene.c(), scene.extended(), nullptr, nullptr));
}

TEST_CASE("predicts no memory for sizes that the call itself would reject") {
  const TestContext context;
  const Scene scene(context, 3);
  uint64_t host = 7, device = 7;
  constexpr size_t MAX = std::numeric_limits<size_t>::max();
  for (const zka_status status : {
           zka_grand_product_mem(context, MAX, &host, &device),
           zka_permute_pair_mem(context, MAX, &host, &device),
           zka_domain_mem(context, 4, 3, &host, &device),
           zka_domain_mem(context, 0, 29, &host, &device),
           zka_ntt_mem(scene.domain(), 9, &host, &device),
           zka_ntt_mem(scene.domain(), 0, &host, &device),
           zka_bases_mem(context, ZKA_CURVE_BN254, 1, 253, &host, &device),
           zka_bases_mem(context, ZKA_CURVE_BN254, size_t{1} << 31, 0, &host, &device),
           zka_bases_mem(context, ZKA_CURVE_BN254, size_t{1} << 30, 1, &host, &device),
           zka_msm_mem(scene.bases(), 9, 1, &host, &device),
           zka_msm_mem(scene.bases(), 8, MAX, &host, &device),
           zka_msm_mem(scene.bases(), 0, MAX, &host, &device),
       }) {
    CHECK(status == ZKA_E_SIZE);
  }
  CHECK(zka_ntt_mem(scene.domain(), 8, &host, nullptr) == ZKA_E_INVALID_ARG);
  CHECK(host == 7);
  CHECK(device == 7);
}
