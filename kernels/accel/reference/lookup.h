// halo2's permute_expression_pair as it is written there, with a map: the plain twin of src/cpu/lookup.
// [halo2_backend/src/plonk/lookup/prover.rs]
#pragma once
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "zkaccel/lookup.h"

namespace zka::reference {

using Columns = std::pair<std::vector<zka_fe>, std::vector<zka_fe>>;

// A' and S' in halo2's order of canonical values; none where a value is not in the table.
std::optional<Columns> permute_pair(const std::vector<zka_fe>& a, const std::vector<zka_fe>& s);
// The first row of `a` whose value `s` has not.
std::optional<uint64_t> first_missing(const std::vector<zka_fe>& a, const std::vector<zka_fe>& s);

}  // namespace zka::reference
