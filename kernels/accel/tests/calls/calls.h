// All calls of the interface that work in a context, one entry each.
#pragma once
#include <string>
#include <vector>

#include "calls/scene.h"

namespace zka::test {

enum Trait : unsigned {
  ON_STREAM = 1,
  OF_N = 2,       // takes Scene::n, the length of a range of A
  REPORTS = 4,    // does nothing else, and takes no memory
  ADAPTS = 8,     // on a device, with less memory than it would like it works in another way
  OF_CURVE = 16,  // takes Scene::curve
  OF_FIELD = 32,  // takes Scene::field
};

struct Call {
  std::string name;
  std::vector<Argument> takes;
  std::vector<Argument> may_be_null;  // of those
  unsigned traits;
  // Frees what it makes.
  zka_status (*run)(const Scene&, zka_stream*);
  // The call's own *_mem, or null: it takes nothing that grows with its size, or the library reports nothing.
  zka_status (*needs)(const Scene&, uint64_t* host_bytes, uint64_t* device_bytes) = nullptr;

  bool has(Trait trait) const { return (traits & trait) != 0; }
};

const std::vector<Call>& calls();

}  // namespace zka::test
