/** What the gate wants of a body: an object, each of whose keys stands once. Finds the values of some of them. */
import type { JsonListener, Span } from "@elastic/std/json/json-scanner.ts";

const TOP_KEYS_MAX = 256;
/** A key becomes a string in one go, and is remembered. */
const KEY_BYTES_MAX = 1024;

export interface TopKeysRefusal {
  readonly code: "not_an_object" | "duplicate_key" | "key_too_long" | "too_many_keys";
  readonly detail: string;
}

export class TopKeys implements JsonListener {
  readonly #body: Buffer;
  readonly #wanted: ReadonlySet<string>;
  readonly #keys = new Set<string>();
  readonly #found = new Map<string, Span>();
  #key: string | null = null;
  #refusal: TopKeysRefusal | null = null;

  constructor(body: Buffer, wanted: ReadonlySet<string>) {
    this.#body = body;
    this.#wanted = wanted;
  }

  get refusal(): TopKeysRefusal | null {
    return this.#refusal;
  }

  /** Where the wanted values are, without white space around them, by their keys. */
  get found(): ReadonlyMap<string, Span> {
    return this.#found;
  }

  begin(byte: number): boolean {
    return byte === 0x7b || this.#refuse("not_an_object", "the body must be a JSON object");
  }

  key({ start, end }: Span): boolean {
    if (end - start > KEY_BYTES_MAX) {
      return this.#refuse("key_too_long", `a key of the body has more than ${KEY_BYTES_MAX} bytes`);
    }
    const raw = this.#body.toString("utf8", start, end);
    const key = raw.includes("\\") ? (JSON.parse(`"${raw}"`) as string) : raw;
    if (this.#keys.has(key)) {
      return this.#refuse("duplicate_key", `the key ${JSON.stringify(key.slice(0, 64))} stands twice in the body`);
    }
    if (this.#keys.size === TOP_KEYS_MAX) {
      return this.#refuse("too_many_keys", `the body has more than ${TOP_KEYS_MAX} keys`);
    }
    this.#keys.add(key);
    this.#key = this.#wanted.has(key) ? key : null;
    return true;
  }

  member(value: Span): void {
    if (this.#key !== null) this.#found.set(this.#key, value);
  }

  #refuse(code: TopKeysRefusal["code"], detail: string): false {
    this.#refusal = { code, detail };
    return false;
  }
}
