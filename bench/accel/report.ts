/** What the program that measures prints. */
export interface Report {
  /** What the library reports about itself on this machine. */
  readonly library: { readonly isa: string };
  readonly rows: readonly MeasuredRow[];
  readonly scratch: readonly Scratch[];
}

/** What a call takes in addition to its operands: as the library plans it, and the most that it was seen to hold. */
export interface Scratch {
  readonly name: string;
  readonly size: string;
  readonly threads: number;
  readonly planned_bytes: number;
  readonly taken_bytes: number;
}

export interface MeasuredRow {
  readonly name: string;
  readonly size: string;
  readonly threads: number;
  /** Ours are called "zkaccel" and the set of instructions, the best first. */
  readonly contenders: readonly { readonly name: string; readonly median: number }[];
  /** Multiplications of field elements that the work takes as the textbook has it; 0 where it takes none. */
  readonly multiplications: number;
}
