/** Faults that wait for their moment: an agent is struck when a proof ends on its machine, a coordinator when it has written. */
import type { World } from "./world.ts";

export interface Strike {
  readonly host: string;
  /** From the moment on. */
  readonly afterMs: number;
  readonly how: "crash" | "pause";
  readonly forMs: number;
}

export class Strikes {
  readonly #world: World;
  readonly #act: (strike: Strike) => void;
  readonly #armed: Strike[] = [];

  constructor(world: World, act: (strike: Strike) => void) {
    this.#world = world;
    this.#act = act;
  }

  /** At the next moment of its machine. */
  arm(strike: Strike): void {
    this.#armed.push(strike);
  }

  disarm(): void {
    this.#armed.length = 0;
  }

  moment(host: string): void {
    const index = this.#armed.findIndex((strike) => strike.host === host);
    const [strike] = index < 0 ? [] : this.#armed.splice(index, 1);
    if (strike !== undefined) this.#world.in(null, strike.afterMs, "strike", () => this.#act(strike));
  }
}
