#include "reference/lookup.h"

#include <algorithm>
#include <map>
#include <set>

namespace zka::reference {
namespace {

struct Ascending {
  bool operator()(const zka_fe& a, const zka_fe& b) const {
    return std::lexicographical_compare(std::rbegin(a.l), std::rend(a.l), std::rbegin(b.l), std::rend(b.l));
  }
};

}  // namespace

std::optional<Columns> permute_pair(const std::vector<zka_fe>& a, const std::vector<zka_fe>& s) {
  std::vector<zka_fe> permuted_a = a;
  std::sort(permuted_a.begin(), permuted_a.end(), Ascending());
  std::map<zka_fe, size_t, Ascending> remaining;
  for (const zka_fe& value : s) ++remaining[value];

  std::vector<zka_fe> permuted_s(a.size());
  std::vector<size_t> repeated;
  for (size_t row = 0; row < permuted_a.size(); ++row) {
    const zka_fe& value = permuted_a[row];
    if (row > 0 && !Ascending()(permuted_a[row - 1], value)) {
      repeated.push_back(row);
      continue;
    }
    const auto found = remaining.find(value);
    if (found == remaining.end()) return std::nullopt;
    --found->second;
    permuted_s[row] = value;
  }
  for (const auto& [value, count] : remaining) {
    for (size_t i = 0; i < count; ++i) {
      permuted_s[repeated.back()] = value;
      repeated.pop_back();
    }
  }
  return Columns{permuted_a, permuted_s};
}

std::optional<uint64_t> first_missing(const std::vector<zka_fe>& a, const std::vector<zka_fe>& s) {
  const std::set<zka_fe, Ascending> table(s.begin(), s.end());
  for (uint64_t row = 0; row < a.size(); ++row) {
    if (!table.contains(a[row])) return row;
  }
  return std::nullopt;
}

}  // namespace zka::reference
