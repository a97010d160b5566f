// Everything that the calls of the interface are handed, in one context: so that a test can go through all calls, and
// through the arguments of each.
#pragma once
#include <cstdint>
#include <vector>

#include "support/buffers.h"

namespace zka::test {

enum Argument : unsigned {
  CONTEXT,
  DOMAIN_OF_N,  // 2^log_n, and twice that
  PROGRAM,      // out = column 0 one row on * challenge 0 + out
  BASES,        // n of them
  A,            // n elements of FR, none of them zero
  B,            // the same
  C,            // n + 1 elements
  EXTENDED,     // 2n elements
  // Memory of the caller.
  ELEMENT,   // neither 0 nor 1
  ELEMENTS,  // n
  POINTS,    // n
  SUM,       // a zka_jacobian
  NUMBER,    // a uint64_t, as are indices and bytes
  OUT,       // of a new handle
  ARGUMENTS
};
constexpr bool is_handle(Argument argument) { return argument <= EXTENDED; }

class Scene {
 public:
  Scene(zka_ctx* ctx, unsigned log_of_n);
  ~Scene();
  Scene(const Scene&) = delete;
  Scene& operator=(const Scene&) = delete;

  // All contents as they were at first.
  void fill();
  std::vector<uint64_t> contents() const;

  zka_ctx* context() const { return static_cast<zka_ctx*>(at[CONTEXT]); }
  zka_domain* domain() const { return static_cast<zka_domain*>(at[DOMAIN_OF_N]); }
  zka_program* program() const { return static_cast<zka_program*>(at[PROGRAM]); }
  zka_bases* bases() const { return static_cast<zka_bases*>(at[BASES]); }
  zka_buf* a() const { return static_cast<zka_buf*>(at[A]); }
  zka_buf* b() const { return static_cast<zka_buf*>(at[B]); }
  zka_buf* c() const { return static_cast<zka_buf*>(at[C]); }
  zka_buf* extended() const { return static_cast<zka_buf*>(at[EXTENDED]); }
  zka_fe* element() const { return static_cast<zka_fe*>(at[ELEMENT]); }
  zka_fe* elements() const { return static_cast<zka_fe*>(at[ELEMENTS]); }
  zka_affine* points() const { return static_cast<zka_affine*>(at[POINTS]); }
  zka_jacobian* sum() const { return static_cast<zka_jacobian*>(at[SUM]); }
  uint64_t* number() const { return static_cast<uint64_t*>(at[NUMBER]); }
  template <class Handle>
  Handle** out() const {
    return static_cast<Handle**>(at[OUT]);
  }

  // What a call is handed: a test may put others in their place for a while.
  void* at[ARGUMENTS] = {};
  const unsigned log_n;
  size_t n;
  zka_curve curve = ZKA_CURVE_BN254;
  zka_field field = ZKA_FIELD_BN254_FR;

 private:
  // What it is filled with.
  const std::vector<zka_fe> random_;
  const std::vector<zka_affine> given_points_;
  // Behind what it points to.
  zka_fe element_;
  std::vector<zka_fe> elements_;
  std::vector<zka_affine> points_;
  zka_jacobian sum_;
  uint64_t number_;
  void* out_ = nullptr;
};

}  // namespace zka::test
