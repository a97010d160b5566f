/** One context of the acceleration library: its operations over arrays that it owns. All of it ends with the process. */
import koffi from "koffi";
import { ABI_VERSION, type Pointer, STATUS_OK, type Zka } from "./bind.ts";
import { type Field, LIMBS, limbs, montgomery } from "./bn256.ts";

export type Backend = "cpu" | "cuda";

/** What a context computes with. */
export interface DeviceInfo {
  readonly backend: string;
  /** Which instructions of the CPU; empty on a GPU. */
  readonly isa: string;
  readonly threads: number;
  readonly name: string;
}

/** An array of field elements, on the device. */
export interface Elements {
  readonly pointer: Pointer;
  readonly field: Field;
}

/** Memory of the library that JavaScript sees. */
export interface HostMemory {
  readonly pointer: Pointer;
  readonly words: BigUint64Array;
}

export type VectorOperation = "add" | "subtract" | "multiply";
/** How elements look outside: times 2^256, or as they are. */
export type Form = "montgomery" | "canonical";

const BACKENDS: Readonly<Record<Backend, number>> = { cpu: 1, cuda: 2 };
const OPERATIONS: Readonly<Record<VectorOperation, number>> = { add: 0, subtract: 1, multiply: 2 };
const FORMS: Readonly<Record<Form, number>> = { montgomery: 0, canonical: 1 };
const BN256 = 0;
const FORWARD = 0;
const NATURAL_ORDER = 0;
const WORD_BYTES = 8;
const INFO_BYTES_MAX = 64 * 1024;
/** x/z^2, y/z^3, z. */
const JACOBIAN_WORDS = 3 * LIMBS;
const AFFINE_WORDS = 2 * LIMBS;

export class Accelerator {
  readonly #zka: Zka;
  readonly #context: Pointer;

  /** `cuda` takes the first GPU that the process sees, and never the CPU in its place. */
  constructor(zka: Zka, backend: Backend) {
    this.#zka = zka;
    this.#context = null;
    const config = { abi_version: ABI_VERSION, backend: BACKENDS[backend], device: 0, threads: 0, isa: 0 };
    const limits = { reserved: 0, host_bytes_max: 0, device_bytes_max: 0 };
    this.#context = this.#made((out) => zka.createContext({ ...config, ...limits }, out));
  }

  info(): DeviceInfo {
    const json = Buffer.alloc(INFO_BYTES_MAX);
    const need: [number] = [0];
    this.#check(this.#zka.deviceInfo(this.#context, json, json.length, need));
    return JSON.parse(json.toString("utf8", 0, Number(need[0]) - 1)) as DeviceInfo;
  }

  hostMemory(words: number): HostMemory {
    const bytes = words * WORD_BYTES;
    const pointer = this.#made((out) => this.#zka.hostAlloc(this.#context, bytes, out));
    return { pointer, words: new BigUint64Array(koffi.view(pointer, bytes)) };
  }

  /** `n` elements, all zero. */
  elements(field: Field, n: number): Elements {
    return { pointer: this.#made((out) => this.#zka.bufferAlloc(this.#context, field.id, n, out)), field };
  }

  free(...arrays: readonly Elements[]): void {
    for (const { pointer } of arrays) this.#zka.bufferFree(pointer);
  }

  /** The first `n` elements, in separate memory. */
  read({ pointer }: Elements, n: number, form: Form): BigUint64Array {
    const memory = this.hostMemory(n * LIMBS);
    this.#check(this.#zka.bufferRead(pointer, 0, memory.pointer, n, FORMS[form], null));
    return memory.words;
  }

  /** The first `n` elements of one behind the first `at` of the other. */
  append(to: Elements, at: number, from: Elements, n: number): void {
    this.#check(this.#zka.bufferCopy(to.pointer, at, from.pointer, 0, n, null));
  }

  /** out[i] = a[i] operation b[i] for i < n. */
  apply(operation: VectorOperation, a: Elements, b: Elements, out: Elements, n: number): void {
    this.#check(this.#zka.vectorApply(OPERATIONS[operation], a.pointer, b.pointer, out.pointer, n, null));
  }

  /** out[i] = start * base^i for i < n. */
  powers(start: bigint, base: bigint, out: Elements, n: number): void {
    const [from, by] = [start, base].map((value) => limbs([montgomery(out.field, value)])) as [
      BigUint64Array,
      BigUint64Array,
    ];
    this.#check(this.#zka.vectorPowers(from, by, out.pointer, n, null));
  }

  /** The first `n` elements, each by its inverse; zero stays zero. */
  invert({ pointer }: Elements, n: number): void {
    this.#check(this.#zka.batchInverse(pointer, 0, n, null));
  }

  /** Transforms 2^log2 elements in place, from coefficients to values at the powers of the root of unity. */
  transformer(log2: number): (elements: Elements) => void {
    const domain = this.#made((out) => this.#zka.createDomain(this.#context, log2, log2, null, null, out));
    return ({ pointer }) => this.#check(this.#zka.transform(domain, [pointer], 1, FORWARD, NATURAL_ORDER, 0, null));
  }

  /**
   * Points, x and y of each in Montgomery form, for sums of their multiples by the first scalars of an array; a point off
   * the curve is refused. A sum is returned as x and y in Montgomery form, once it is requested.
   */
  multiplier(points: HostMemory, n: number): (scalars: Elements) => () => BigUint64Array {
    const bases = this.#made((out) => this.#zka.createBases(this.#context, BN256, points.pointer, n, 0, 1, null, out));
    const sum = this.hostMemory(JACOBIAN_WORDS);
    const affine = this.hostMemory(AFFINE_WORDS);
    return (scalars) => {
      this.#check(this.#zka.multiply(bases, 0, scalars.pointer, 0, n, 1, sum.pointer, null));
      return () => {
        this.#check(this.#zka.toAffine(this.#context, BN256, sum.pointer, 1, affine.pointer));
        return affine.words;
      };
    };
  }

  #made(make: (out: [Pointer]) => number): Pointer {
    const out: [Pointer] = [null];
    this.#check(make(out));
    return out[0];
  }

  #check(status: number): void {
    if (status === STATUS_OK) return;
    throw new Error(`${this.#zka.lastError(this.#context)} (${this.#zka.statusName(status)})`);
  }
}
