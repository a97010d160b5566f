#include "gpu/ntt/transform.h"

#include "gpu/grid/launch.h"

namespace zka::gpu {

Transform::Transform(DeviceQueue& queue, const NttPlan& plan, const Fr& omega, const Fr& coset) : plan_(plan) {
  const unsigned log_n = plan.log_n(), log_roots = plan.log_rows(0);
  const Fr n_inverse = Fr::from_u64(plan.n()).inverse();
  for (int back = 0; back < 2; ++back) {
    const Fr root = back ? omega.inverse() : omega;
    roots_[back] = PowerTable(queue, log_roots, Fr::one(), root.squared(log_n - log_roots));
    if (plan.passes() > 1) steps_[back] = PowerTable(queue, log_n, Fr::one(), root);
    coset_[back] = PowerTable(queue, log_n, back ? n_inverse : Fr::one(), back ? coset.inverse() : coset);
  }
}

uint64_t Transform::bytes(const NttPlan& plan) {
  return 2 * (PowerTable::bytes(plan.log_rows(0)) + (plan.passes() > 1 ? 2 : 1) * PowerTable::bytes(plan.log_n()));
}

uint64_t Transform::scratch_bytes() const { return DeviceArray<zka_fe>::bytes(plan_.scratch()); }

void Transform::run(DeviceQueue& queue, std::span<const zka_fe* const> from, uint32_t from_length,
                    std::span<zka_fe* const> to, NttKind kind) const {
  const bool elsewhere = kind.order == ZKA_ORDER_NN && plan_.passes() > 1;
  const DeviceArray<zka_fe> scratch(queue, elsewhere ? plan_.scratch() : 0);
  for (size_t begin = 0; begin < to.size(); begin += plan_.batch()) {
    const auto count = static_cast<uint32_t>(std::min<size_t>(plan_.batch(), to.size() - begin));
    for (unsigned number = 0; number < plan_.passes(); ++number) {
      NttPass each = pass(number, kind);
      each.from_length = number == 0 ? from_length : plan_.n();
      for (uint32_t i = 0; i < count; ++i) {
        zka_fe* const between = elsewhere ? scratch.data() + uint64_t{i} * plan_.n() : to[begin + i];
        each.from[i] = number == 0 ? from[begin + i] : between;
        each.to[i] = number + 1 == plan_.passes() ? to[begin + i] : between;
      }
      const uint32_t size = each.tile_size();
      launch(queue,
             {.blocks = plan_.n() / size,
              .threads = std::clamp(size / 4, WARP, NttPass::THREADS_MAX),
              .rows = count,
              .shared_bytes = static_cast<uint32_t>(size * sizeof(Fr))},
             each);
    }
  }
}

NttPass Transform::pass(unsigned number, NttKind kind) const {
  const bool back = kind.direction == ZKA_NTT_INVERSE, last = number + 1 == plan_.passes();
  unsigned done = 0;
  for (unsigned before = 0; before < number; ++before) done += plan_.log_rows(before);
  const unsigned log_rows = plan_.log_rows(number), left = plan_.log_n() - done - log_rows;
  const bool from_reversed = kind.order == ZKA_ORDER_RN, to_reversed = kind.order == ZKA_ORDER_NR;
  // k1 becomes the lowest bits of the output only where it is not to be reversed.
  const bool puts_in_order = last && kind.order == ZKA_ORDER_NN;
  const unsigned turn_low = puts_in_order && done != 0 ? plan_.log_rows(0) : done + left;

  NttPass pass{};
  pass.log_n = plan_.log_n();
  pass.log_rows = log_rows;
  pass.log_columns = plan_.log_columns(number);
  pass.levels_done = done;
  pass.from_place = {from_reversed ? done : left, from_reversed};
  pass.to_place = {from_reversed || puts_in_order ? done : left, to_reversed};
  pass.turn_low = turn_low;
  pass.turn_high = done + left - turn_low;
  pass.roots = roots_[back].view();
  pass.log_roots = plan_.log_rows(0);
  if (number == 0 && kind.on_coset && !back) pass.before = coset_[0].view();
  if (!last) pass.between = steps_[back].view();
  if (last && back) pass.after = kind.on_coset ? coset_[1].view() : coset_[1].view().only_start();
  return pass;
}

}  // namespace zka::gpu
