#include "zkaccel.h"

uint32_t header_as_cxx17() { return zka_abi_version(); }
