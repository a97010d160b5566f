/**
 * What a user of a shell feels, through OpenSSH's own client, compared with a plain sshd of the same machine, in turns; and
 * what their load does to the scheduling of tasks.
 */
import { loadavg } from "node:os";
import { programPath } from "@elastic/test/cluster/machine.ts";
import type { Benchmark, Effort, Outcome } from "../benchmark/benchmark.ts";
import { median, percentile } from "../measure/statistics.ts";
import { CIPHER, type Contender } from "./contender.ts";
import { type CopiedFile, copyIn, copyOut, keepCopying, leave, makeFile } from "./copies.ts";
import { typeKeys } from "./keystrokes.ts";
import { sessionsAtOnce } from "./many-sessions.ts";
import { type OurShells, startOurShells } from "./our-shells.ts";
import { startPlainSshd } from "./plain-sshd.ts";
import { rowsOf, type Starts } from "./rows.ts";
import { heldForStopped } from "./stopped-readers.ts";

const COPIED_BYTES = 2 ** 30;
const KEYS = 250;
const SESSIONS = 50;
const READERS = 4;
const READERS_SECONDS = 5;
const TASKS_PER_SECOND = 100;
const WARM_UP_SECONDS = 2;

const NOTES = [
  "Everything runs on this one machine: clients, sshd, etcd, coordinator, agent, engine and the shell's container share its cores.",
  "OpenSSH's client logs in by key. With an sshd in the shell it speaks with that sshd, by a ticket for each connection, which the command's bundle gets as OpenSSH's ProxyCommand; the gateway and the agent pass on what both say. Otherwise ours is: gateway, the agent's connection over mutual TLS, and an exec in the shell's container. Plain sshd runs its programs on the machine itself.",
  `All encrypt with ${CIPHER}, without compression.`,
  "Key to echo: typed in turns, one at a time, into a terminal whose kernel echoes; over all rounds.",
  "Copies: a random file into sha256sum over there, and from a file there into a digest here, equal each time.",
  "Held for readers that stopped: by how much the processes that carry the bytes grow at most (ours: coordinator, agent and what it has started; plain sshd: all of its processes) while clients that requested an endless flood are stopped.",
  `Create to start: ${TASKS_PER_SECOND} tasks of no work a second; next to copies, one each way without a pause.`,
];

export const shellsBenchmark: Benchmark = {
  name: "shells",
  describes: "keystrokes, copies and sessions over SSH, compared with a plain sshd, and what they do to scheduling",
  needs: ["etcd", "demo-prover", "engine", "ssh"],
  effort: { rounds: 2, seconds: 8 },
  run,
};

async function run(effort: Effort, log: (text: string) => void): Promise<Outcome> {
  const load = loadavg().map((one) => one.toFixed(1));
  await using running = new AsyncDisposableStack();
  log("Starting etcd, coordinator, gateway, agent, engine, a shell and sshd");
  const ours = await startOurShells();
  running.defer(() => ours.stop());
  const plain = await startPlainSshd({ folder: ours.folder, identity: ours.identity, path: programPath() });
  running.defer(() => plain.stop());
  const file = await makeFile(ours.folder, COPIED_BYTES);
  for (const contender of [ours.together, plain]) await leave(contender, file);
  await ours.tasks.run({ kind: "rate", what: "task", perSecond: TASKS_PER_SECOND, seconds: WARM_UP_SECONDS });

  const all = new Measurements(log);
  for (let round = 1; round <= effort.rounds; round += 1) {
    // Every other round goes backwards: nobody always comes after the same one.
    const turns = [ours.together, ours.direct, plain];
    if (round % 2 === 0) turns.reverse();
    await measureRound({ all, ours, plain, turns, file, effort });
  }
  const each = (what: string) => ({
    ours: all.of(what, ours.together.name),
    direct: all.of(what, ours.direct.name),
    plain: all.of(what, plain.name),
  });
  const rows = rowsOf({
    keys: each("key"),
    in: each("in"),
    out: each("out"),
    copiedMebibytes: COPIED_BYTES / 2 ** 20,
    atOnce: { ...each("at once"), sessions: SESSIONS },
    stopped: { ...each("stopped"), readers: READERS },
    starts: { perSecond: TASKS_PER_SECOND, ...all.starts },
  });
  const busy = `Load averages of the machine when it began (1, 5 and 15 minutes): ${load.join(", ")}.`;
  const versions = { node: process.versions.node, elastic: ours.together.version, openssh: plain.version };
  return { versions, notes: [...NOTES, busy], rows };
}

interface Round {
  readonly all: Measurements;
  readonly ours: OurShells;
  readonly plain: Contender;
  readonly turns: readonly Contender[];
  readonly file: CopiedFile;
  readonly effort: Effort;
}

async function measureRound({ all, ours, plain, turns, file, effort }: Round): Promise<void> {
  for (const [name, times] of await typeKeys(turns, KEYS)) all.add("key", name, ...times);
  for (const contender of turns) all.add("in", contender.name, await copyIn(contender, file));
  for (const contender of turns) all.add("out", contender.name, await copyOut(contender, file));
  for (const contender of turns) all.add("at once", contender.name, await sessionsAtOnce(contender, SESSIONS));
  const order = { kind: "rate", what: "task", perSecond: TASKS_PER_SECOND, seconds: effort.seconds } as const;
  const startsDuringCopies = async (contender: Contender | null): Promise<Starts> => {
    const copies = contender === null ? null : keepCopying(contender, file);
    try {
      return (await ours.tasks.run(order)).startMs;
    } finally {
      await copies?.stop();
    }
  };
  all.addStarts("alone", await startsDuringCopies(null));
  all.addStarts("together", await startsDuringCopies(ours.together));
  all.addStarts("direct", await startsDuringCopies(ours.direct));
  all.addStarts("plain", await startsDuringCopies(plain));
  all.addStarts("apart", await startsDuringCopies(ours.apart));
  const stopped = { readers: READERS, seconds: READERS_SECONDS };
  for (const contender of turns) all.add("stopped", contender.name, await heldForStopped(contender, stopped));
}

/** What came of all rounds so far. */
class Measurements {
  readonly starts: Record<"alone" | "together" | "direct" | "apart" | "plain", Starts[]> = {
    alone: [],
    together: [],
    direct: [],
    apart: [],
    plain: [],
  };
  readonly #values = new Map<string, number[]>();
  readonly #log: (text: string) => void;

  constructor(log: (text: string) => void) {
    this.#log = log;
  }

  addStarts(setting: keyof typeof this.starts, starts: Starts): void {
    this.starts[setting].push(starts);
    this.#log(`starts, ${setting}, p99: ${percentile(starts, 0.99).toPrecision(3)}`);
  }

  add(what: string, name: string, ...values: readonly number[]): void {
    const key = `${what}, ${name}`;
    this.#log(`${key}: ${median(values).toPrecision(3)}`);
    const measured = this.#values.get(key) ?? [];
    measured.push(...values);
    this.#values.set(key, measured);
  }

  of(what: string, name: string): readonly number[] {
    return this.#values.get(`${what}, ${name}`) ?? [];
  }
}
