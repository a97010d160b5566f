/** To which member of etcd everything goes: the same one until something is wrong with it. */
import { randomInt } from "node:crypto";

export class EtcdMembers {
  readonly #endpoints: readonly string[];
  #at: number;

  /** `first`: with which it begins, by default any, so that not all coordinators load the same one. */
  constructor(endpoints: readonly string[], first = randomInt(endpoints.length)) {
    this.#endpoints = endpoints;
    this.#at = first;
  }

  /** `http://<host>:<port>` or `https://<host>:<port>`. */
  current(): string {
    return this.#endpoints[this.#at] ?? "";
  }

  /** What begins from now on goes to the next one. Of a member that has been left already nothing more follows. */
  leave(endpoint: string): void {
    if (endpoint === this.current()) this.#at = (this.#at + 1) % this.#endpoints.length;
  }
}
