/**
 * What the driver's error numbers (Xid) mean for a GPU. Those of the driver, the board and its memory make it a bad
 * GPU; those that a program brings about make a bad program, which its own failure reports. A number that is not here
 * is none of the first kind: a GPU is not taken away for what nobody has looked up.
 *
 * After NVIDIA's catalogue of Xid errors: https://docs.nvidia.com/deploy/xid-errors/
 */

export interface XidMeaning {
  readonly means: string;
  /** `fault`: it gets no work until it has passed the self-test. `note`: worth a line in the log. */
  readonly verdict: "fault" | "note";
}

const fault = (means: string): XidMeaning => ({ means, verdict: "fault" });
const note = (means: string): XidMeaning => ({ means, verdict: "note" });

const XIDS: ReadonlyMap<number, XidMeaning> = new Map([
  [8, note("a program's work timed out")],
  [13, note("a program raised an exception of the graphics engine")],
  [31, note("a program touched memory that is not its own")],
  [32, note("a program's push buffer is damaged")],
  [38, fault("the driver's firmware failed")],
  [43, note("a program stopped on the GPU")],
  [44, fault("the graphics engine failed as contexts were switched")],
  [45, note("a program was ended while it worked")],
  [46, fault("the GPU stopped processing")],
  [48, fault("an error in memory could not be corrected")],
  [61, fault("the GPU's controller broke off")],
  [62, fault("the GPU's controller stopped")],
  // The remedy is made and takes effect at the next reset: until then the memory is avoided.
  [63, note("a faulty part of memory was put out of use")],
  [64, fault("a faulty part of memory could not be put out of use")],
  [68, note("a program's video work failed")],
  [69, note("a program raised an exception of the graphics engine's class")],
  [74, fault("the NVLink connection failed")],
  [79, fault("the GPU fell off the bus")],
  [92, note("errors in memory are corrected often")],
  [94, fault("an error in memory ended the program it concerned")],
  [95, fault("an error in memory reached beyond the program it concerned")],
  [109, fault("switching contexts timed out")],
  [110, fault("the GPU's security processor failed")],
  [119, fault("the GPU's system processor does not respond")],
  [120, fault("the GPU's system processor failed")],
  [136, fault("training of the NVLink connection failed")],
  [140, fault("an error in memory was not recovered from")],
  [143, fault("the GPU could not be initialised")],
  [149, fault("the NVLink connection failed for good")],
  [154, note("what the GPU needs to recover has changed")],
]);

/** Those after which a GPU gets no work until it has passed the self-test. */
export const FATAL_XIDS: readonly number[] = [...XIDS].flatMap(([xid, { verdict }]) =>
  verdict === "fault" ? xid : [],
);

export function xidMeaning(xid: number): XidMeaning {
  return XIDS.get(xid) ?? note("not known here");
}

export function isKnownXid(xid: number): boolean {
  return XIDS.has(xid);
}
