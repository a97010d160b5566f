/* The C interface of the acceleration library: what a PLONKish prover over bn256 spends its time on.
 *
 * Rules that hold for every call:
 *   - Plain C11, also valid C++17 and under nvcc. Nothing aborts and nothing throws across this boundary.
 *   - A call returns ZKA_OK or an error; zka_last_error has its message. A call that fails has written nothing to its
 *     outputs, unless it says otherwise or fails in its middle: after CANCELLED, OOM_* and POISONED they may hold anything.
 *   - Sizes are counted in elements unless a name says bytes, and are checked without overflow.
 *   - Handles know their context. One of another context, or one that was freed, is ZKA_E_INVALID_ARG.
 *   - A context may be used from several threads. Calls on one stream happen in their order; what they write is valid
 *     after zka_stream_sync. A null stream means: done when the call returns.
 *   - On a stream too, a call has read all that the caller's memory has for it (elements, points, lists of handles, their
 *     lengths) when it returns: that memory may change or go from then on. What it writes to the caller's memory it may
 *     write until the stream's next sync: that memory stays until then.
 *   - A handle may be freed when the calls that were given it have returned: what they queued on a stream is done with it
 *     first. On a GPU the freeing call may wait for that.
 *   - In a child made by fork, a context of the parent may be neither used nor destroyed: its threads are not there. The
 *     child may create new contexts, on the CPU, if no thread of the parent was in a call.
 *   - pthread_cancel of a thread that is in a call ends the process. zka_stream_cancel ends a call.
 *   - Field elements are in Montgomery form, R = 2^256, four limbs of 64 bits, least significant first, below the
 *     modulus: the in-memory form of halo2curves and arkworks.
 *   - ZKA_BACKEND_AUTO takes the CPU where there is no GPU, and zka_device_info says so; ZKA_BACKEND_CUDA never does.
 */
#ifndef ZKACCEL_H
#define ZKACCEL_H

#include "zkaccel/buffer.h"
#include "zkaccel/context.h"
#include "zkaccel/lookup.h"
#include "zkaccel/msm.h"
#include "zkaccel/ntt.h"
#include "zkaccel/polynomial.h"
#include "zkaccel/quotient.h"
#include "zkaccel/status.h"
#include "zkaccel/vector.h"

#endif
