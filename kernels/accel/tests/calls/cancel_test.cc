#include <map>
#include <string>

#include "calls/calls.h"
#include "support/cancelled_at.h"

using namespace zka::test;

namespace {

// Of two threads and one set of instructions, so that each call goes the same way in every run.
zka_config two_portable_threads() {
  zka_config config = tested_config();
  config.isa = ZKA_ISA_PORTABLE;
  config.threads = 2;
  return config;
}

constexpr unsigned LOG_FEW = 3;
unsigned log_many() { return on_plugin() ? 11 : 14; }

// How often a call on the CPU looks whether it is cancelled: before it begins, and then before each piece of each loop,
// so that in between there is not more than a piece. Where one loop follows another, the looks of each are a term.
// `each` where so many more come for each window, whose number is the plan's.
struct Looks {
  size_t few, many;
  size_t few_each = 0, many_each = 0;
};
const std::map<std::string, Looks> LOOKS = {
    {"zka_buf_write", {1 + 1, 1 + 4}},
    {"zka_buf_read", {1 + 1, 1 + 4}},
    {"zka_buf_copy", {1, 1}},
    {"zka_vector_op_apply", {1 + 1, 1 + 4}},
    {"zka_vector_scale_add", {1 + 1, 1 + 4}},
    {"zka_vector_powers", {1 + 1, 1 + 4}},
    {"zka_batch_inverse", {1 + 1, 1 + 1}},
    {"zka_grand_product", {1 + 1 + 1, 1 + 1 + 1}},
    // Keys and their sorting in runs and by merging, twice; repeated rows, the remaining values, counted and collected; rows.
    {"zka_permute_pair", {1 + 2 * (1 + 1) + 1 + 1 + 1 + 1, 1 + 2 * (4 + 2 + 2) + 4 + 4 + 4 + 4}},
    {"zka_ntt", {1 + 1, 1 + 16 + 16}},
    {"zka_coeff_to_extended", {1, 1 + 32 + 16}},
    {"zka_extended_to_coeff", {1 + 1, 1 + 32 + 16}},
    {"zka_divide_by_vanishing", {1 + 1, 1 + 8}},
    // Scalars, and of each window its sorting, its tiles and its buckets; few: the window at once.
    {"zka_msm", {1 + 1, 1 + 8, 1, 1 + 4 + 1}},
    {"zka_evaluate_quotient", {1 + 1, 1 + 32}},
    {"zka_poly_fold", {1 + 1, 1 + 5}},
    // The root; the tops of groups of pieces; the remaining coefficients above them; these groups.
    {"zka_poly_div_roots", {1 + 1 + 1, 1 + 1 + 4 + 1 + 4}},
    {"zka_poly_eval", {1 + 2, 1 + 2}},
};

// On a device it looks before it begins, and before each copy and kernel, of which the plan has any number.
void check_looks(const std::string& call, bool few, size_t looks) {
  if (on_plugin()) {
    CHECK(looks > 1);
    return;
  }
  const Looks& of = LOOKS.at(call);
  const size_t least = few ? of.few : of.many, each = few ? of.few_each : of.many_each;
  INFO(looks, " looks, and ", least, " with more by ", each);
  CHECK((each == 0 ? looks == least : looks > least && (looks - least) % each == 0));
}

// Some of [1, looks], the first and the last among them.
std::vector<size_t> some_of(size_t looks) {
  std::vector<size_t> some;
  for (size_t look = 1; look < looks; look += 1 + looks / 12) some.push_back(look);
  some.push_back(looks);
  return some;
}

}  // namespace

TEST_CASE("each call that is cancelled at any check ends there, leaks nothing, and succeeds the next time") {
  const TestContext context(two_portable_threads());
  for (const unsigned log_n : {LOG_FEW, log_many()}) {
    Scene scene(context, log_n);
    for (const Call& call : calls()) {
      if (!call.has(ON_STREAM)) continue;
      INFO(call.name, " of 2^", log_n);
      const StreamCancelledAt uncancelled(context, CancelledAt::NEVER);
      scene.fill();
      CHECK(call.run(scene, uncancelled) == ZKA_OK);
      CHECK(zka_stream_sync(uncancelled) == ZKA_OK);
      const auto expected = scene.contents();
      check_looks(call.name, log_n == LOG_FEW, uncancelled.looks());

      const uint64_t bytes = held(context).bytes;
      for (const size_t look : some_of(uncancelled.looks())) {
        INFO("look ", look);
        const StreamCancelledAt stream(context, look);
        scene.fill();
        CHECK(call.run(scene, stream) == ZKA_E_CANCELLED);
        // The other thread may have been about to look.
        CHECK(stream.looks() <= look + 1);
        CHECK(zka_stream_sync(stream) == ZKA_E_CANCELLED);
        CHECK(held(context).bytes == bytes);
      }
      scene.fill();
      CHECK(call.run(scene, nullptr) == ZKA_OK);
      CHECK(scene.contents() == expected);
    }
  }
}
