/**
 * What the acceleration library says where it can use no GPU at all, or none of a model: nothing is learned then of the
 * one in question. A broken GPU is reported in other words. Pure.
 */

const WORDS = [
  // The library's own (kernels/accel, src/core/plugin.cc and src/gpu/plugin.cc): the plug-in cannot be loaded, or not by it.
  "no CUDA plug-in: ",
  " is no plug-in of this library",
  "it is of another release",
  // CUDA's: the driver is older than the plug-in needs, or has no library for programs.
  "CUDA driver version is insufficient for CUDA runtime version",
  "the provided PTX was compiled with an unsupported toolchain",
  // And: the plug-in was built for other models.
  "no kernel image is available for execution on the device",
];

export function isDriverLevelError(why: string): boolean {
  return WORDS.some((words) => why.includes(words));
}
