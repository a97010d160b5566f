/** How long a key takes from the client's input to its echo: typed in turns into all, one at a time, as people do. */
import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { setTimeout as delay } from "node:timers/promises";
import { startSsh, target } from "@elastic/test/cluster/ssh-client.ts";
import { type Contender, OPTIONS } from "./contender.ts";

/** A fast typist's pause, short of what makes machines go to sleep in between. */
const PAUSE_MS = 10;
const WARM_UP_KEYS = 30;
const LOGIN_WITHIN_MS = 30_000;
const ECHO_WITHIN_MS = 10_000;

/** Milliseconds of each key, by contender. */
export async function typeKeys(
  contenders: readonly Contender[],
  keys: number,
): Promise<ReadonlyMap<string, readonly number[]>> {
  const typists = contenders.map((contender) => new Typist(contender));
  try {
    for (const typist of typists) await typist.ready();
    const times = new Map<string, number[]>(typists.map(({ name }) => [name, []]));
    for (let key = 0; key < WARM_UP_KEYS + keys; key += 1) {
      for (const typist of key % 2 === 0 ? typists : typists.toReversed()) {
        const ms = await typist.type("abcdefghij"[key % 10] ?? "a");
        if (key >= WARM_UP_KEYS) times.get(typist.name)?.push(ms);
        await delay(PAUSE_MS);
      }
    }
    return times;
  } finally {
    for (const typist of typists) typist.leave();
  }
}

/** At a terminal in which a program waits for a line: its kernel echoes each key. */
class Typist {
  readonly name: string;
  readonly #client: ChildProcess;

  constructor({ name, place }: Contender) {
    this.name = name;
    this.#client = startSsh("ssh", place, [...OPTIONS, "-tt", target(place), "echo ready; cat > /dev/null"]);
    this.#client.stderr?.resume();
  }

  async ready(): Promise<void> {
    let output = "";
    while (!output.includes("ready\r\n")) output += String(await this.#read(LOGIN_WITHIN_MS));
  }

  async type(key: string): Promise<number> {
    const atMs = performance.now();
    const echo = this.#read(ECHO_WITHIN_MS);
    this.#client.stdin?.write(key);
    if (String(await echo) !== key) throw new Error(`${this.name} echoes something else than what was typed`);
    return performance.now() - atMs;
  }

  leave(): void {
    this.#client.kill();
  }

  async #read(withinMs: number): Promise<Buffer> {
    const stdout = this.#client.stdout as NodeJS.ReadableStream;
    const [bytes] = (await once(stdout, "data", { signal: AbortSignal.timeout(withinMs) })) as [Buffer];
    return bytes;
  }
}
