// Multi-scalar multiplication as it is defined: each scalar times its base by doubling and adding, from the topmost bit,
// with formulas that hold for all points and that src/ec does not use.
#pragma once
#include <cstddef>

#include "zkaccel/msm.h"

namespace zka::reference {

// Scalars in canonical form, of any four limbs; points and the sum in Montgomery form.
zka_affine msm(zka_curve curve, const zka_affine* points, const zka_fe* scalars, size_t n);

zka_affine add(zka_curve curve, const zka_affine& a, const zka_affine& b);
zka_affine negated(zka_curve curve, const zka_affine& a);
// (1, 2) of bn256, (1, the lesser root of -16) of grumpkin.
zka_affine generator(zka_curve curve);
bool on_curve(zka_curve curve, const zka_affine& a);
// Of the coordinates, and of the scalars.
zka_field base_field(zka_curve curve);
zka_field scalar_field(zka_curve curve);

}  // namespace zka::reference
