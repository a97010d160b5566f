#include "zkaccel.h"

/* What callers in other languages rely on. */
_Static_assert(sizeof(zka_config) == 40, "zka_config");
_Static_assert(sizeof(zka_fe) == 32, "zka_fe");
_Static_assert(sizeof(zka_affine) == 64, "zka_affine");
_Static_assert(sizeof(zka_jacobian) == 96, "zka_jacobian");
_Static_assert(sizeof(zka_memory) == 32, "zka_memory");
_Static_assert(sizeof(zka_insn) == 44, "zka_insn");
_Static_assert(sizeof(zka_field) == 4, "enumerations are int");

uint32_t header_as_c11(void);
uint32_t header_as_c11(void) { return zka_abi_version(); }
