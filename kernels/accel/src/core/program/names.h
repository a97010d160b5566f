// The registers that a program writes, few or many, whatever their numbers: memory goes with the instructions, and not
// with the largest number in them.
#pragma once
#include <algorithm>
#include <cstdint>
#include <optional>
#include <span>

#include "core/memory.h"
#include "zkaccel/quotient.h"

namespace zka {

class RegisterNames {
 public:
  RegisterNames(Memory& memory, std::span<const zka_insn> code) : writes_(memory, code.size()) {
    for (size_t i = 0; i < code.size(); ++i) writes_[i] = {code[i].dst, i};
    std::sort(begin(), begin() + writes_.size());
    n_ = std::unique(begin(), begin() + writes_.size(), [](Write a, Write b) { return a.name == b.name; }) - begin();
  }

  // Registers that are written: they are numbered from 0 to size() - 1 here.
  size_t size() const noexcept { return n_; }
  std::optional<size_t> find(uint32_t name) const {
    const Write* const end = writes_.data() + n_;
    const Write* const at = std::lower_bound(writes_.data(), end, Write{name, 0});
    return at != end && at->name == name ? std::optional<size_t>(at - writes_.data()) : std::nullopt;
  }
  bool written_before(uint32_t name, size_t instruction) const {
    const auto found = find(name);
    return found && writes_[*found].first < instruction;
  }

 private:
  struct Write {
    uint32_t name;
    size_t first;  // instruction that writes it
    friend bool operator<(Write a, Write b) { return a.name != b.name ? a.name < b.name : a.first < b.first; }
  };
  Write* begin() noexcept { return writes_.data(); }

  Array<Write> writes_;
  size_t n_ = 0;
};

}  // namespace zka
