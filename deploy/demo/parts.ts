/** The running parts of the demo, ended in the reverse of the order in which they were started. */
import { type SupervisionOptions, supervise } from "./supervise.ts";

export interface Parts {
  start(name: string, options: Pick<SupervisionOptions, "program" | "becomesReady">): Promise<void>;
  /** Runs `clean` after everything that is started from now on, and before what was started earlier, has ended. */
  atEnd(clean: () => Promise<void>): void;
  pids(): Readonly<Record<string, number | null>>;
  say(line: string): void;
  stop(): Promise<void>;
}

/** `onChange` is called whenever a part's process is another one. */
export function makeParts(onChange: () => void, say: (line: string) => void): Parts {
  const ends: (() => Promise<void>)[] = [];
  const pids = new Map<string, () => number | null>();
  let stopped = false;
  let starting: Promise<unknown> = Promise.resolve();
  const start: Parts["start"] = async (name, options) => {
    if (stopped) throw new Error(`${name} is not started: the demo is ending`);
    const part = await supervise({ ...options, onChange, say });
    ends.push(() => part.stop());
    pids.set(name, part.pid);
    onChange();
  };
  return {
    start(name, options) {
      const started = start(name, options);
      starting = started.catch(() => {});
      return started;
    },
    atEnd: (clean) => ends.push(clean),
    pids: () => Object.fromEntries([...pids].map(([name, pid]) => [name, pid()])),
    say,
    async stop() {
      stopped = true;
      // What is just starting would else be left running.
      await starting;
      for (const end of ends.splice(0).reverse()) await end();
    },
  };
}
