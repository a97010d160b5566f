#include "zkaccel/status.h"

const char* zka_status_name(int status) {
  switch (status) {
#define ZKA_NAME(name) \
  case name:           \
    return #name;
    ZKA_NAME(ZKA_OK)
    ZKA_NAME(ZKA_E_INVALID_ARG)
    ZKA_NAME(ZKA_E_SIZE)
    ZKA_NAME(ZKA_E_NOT_ON_CURVE)
    ZKA_NAME(ZKA_E_NON_CANONICAL)
    ZKA_NAME(ZKA_E_OOM_HOST)
    ZKA_NAME(ZKA_E_OOM_DEVICE)
    ZKA_NAME(ZKA_E_NO_DEVICE)
    ZKA_NAME(ZKA_E_DRIVER)
    ZKA_NAME(ZKA_E_NOT_IN_TABLE)
    ZKA_NAME(ZKA_E_PROGRAM)
    ZKA_NAME(ZKA_E_UNSUPPORTED)
    ZKA_NAME(ZKA_E_CANCELLED)
    ZKA_NAME(ZKA_E_POISONED)
    ZKA_NAME(ZKA_E_REMAINDER)
    ZKA_NAME(ZKA_E_INTERNAL)
#undef ZKA_NAME
    default:
      return "no status of zkaccel";
  }
}
