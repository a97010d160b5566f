// Which instructions a translation unit may use. Files called *.isa.cc are compiled once for each: what they include
// is in a namespace of that name, so that the linker never takes one variant's inline function for another's.
#pragma once

// portable: any x86-64 or other 64-bit machine. adx: BMI2 and ADX. ifma: AVX-512 F, DQ, VL, IFMA in addition to those.
// gpu: a device of CUDA or its emulation, where ZKA_GPU is defined.
#if defined(ZKA_GPU)
#define ZKA_ISA gpu
#elif !defined(ZKA_ISA)
#define ZKA_ISA portable
#endif
