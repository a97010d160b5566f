/**
 * The disk of a machine: the functions of node:fs/promises that the simulated programs use, over files in memory. It outlives
 * the processes of its machine. A call takes virtual time; one of a process that dies meanwhile may have happened or not.
 */
import type { Random } from "./random.ts";
import { running } from "./world.ts";

export class Disk {
  readonly #random: Random;
  readonly #files = new Map<string, Buffer>();
  /** How long a call takes at most. */
  readonly #slowestMs: number;

  constructor(random: Random, slowestMs: number) {
    this.#random = random;
    this.#slowestMs = slowestMs;
  }

  async mkdir(): Promise<undefined> {
    await this.#turn();
    return undefined;
  }

  async readdir(folder: string): Promise<string[]> {
    await this.#turn();
    const prefix = `${folder}/`;
    return [...this.#files.keys()].filter((path) => path.startsWith(prefix)).map((path) => path.slice(prefix.length));
  }

  async readFile(path: string, encoding?: string): Promise<Buffer | string> {
    await this.#turn();
    const bytes = this.#get(path);
    return encoding === undefined ? Buffer.from(bytes) : bytes.toString("utf8");
  }

  async writeFile(path: string, data: string | Uint8Array): Promise<void> {
    await this.#turn();
    this.#files.set(path, bytesOf(data));
  }

  async appendFile(path: string, data: string | Uint8Array): Promise<void> {
    await this.#turn();
    this.#files.set(path, Buffer.concat([this.#files.get(path) ?? Buffer.alloc(0), bytesOf(data)]));
  }

  async rename(from: string, to: string): Promise<void> {
    await this.#turn();
    const bytes = this.#get(from);
    this.#files.delete(from);
    this.#files.set(to, bytes);
  }

  async rm(path: string): Promise<void> {
    await this.#turn();
    this.#files.delete(path);
  }

  async stat(path: string): Promise<{ readonly size: number }> {
    await this.#turn();
    return { size: this.#get(path).length };
  }

  async open(path: string, flags: string): Promise<object> {
    await this.#turn();
    if (flags.startsWith("w")) this.#files.set(path, Buffer.alloc(0));
    return {
      writeFile: (data: string | Uint8Array) => this.writeFile(path, data),
      appendFile: (data: string | Uint8Array) => this.appendFile(path, data),
      sync: () => this.#turn(),
      close: () => this.#turn(),
    };
  }

  #get(path: string): Buffer {
    const bytes = this.#files.get(path);
    if (bytes === undefined) throw Object.assign(new Error(`ENOENT: no such file, '${path}'`), { code: "ENOENT" });
    return bytes;
  }

  #turn(): Promise<void> {
    const process = running.getStore();
    if (process === undefined) throw new Error("a disk is used outside of a process");
    const ms = 0.05 + this.#random.next() ** 4 * this.#slowestMs;
    return new Promise((resolve) => {
      process.world.in(process, ms, "disk", resolve);
    });
  }
}

function bytesOf(data: string | Uint8Array): Buffer {
  return Buffer.from(data as Uint8Array);
}
