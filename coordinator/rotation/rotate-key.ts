/** The steps of a rotation of the master key: each is checked, done on this machine's file and in the store, and confirmed. */
import { existsSync } from "node:fs";
import type { Clock } from "@elastic/std/clock.ts";
import {
  changeJudgedFile,
  readPresentKeys,
  withKeysSwapped,
  withoutSecondKey,
  withSecondKey,
} from "../secrets/change-key-file.ts";
import { newKeyLine, parseKeyFile } from "../secrets/key-file.ts";
import { secretsOf } from "../secrets/secrets.ts";
import { type HeldKeys, readHolders } from "../store/held-keys.ts";
import { RotationConflictError, readKeyRotation } from "../store/key-rotation.ts";
import type { Kv } from "../store/kv.ts";
import type { Store } from "../store/store.ts";
import { TRIES_MAX } from "../store/update.ts";
import { checkRegistries } from "./check-registry.ts";
import {
  COPY,
  holdsBoth,
  holdsExactly,
  type KeyPhase,
  type KeyState,
  type KeyStep,
  keyPhase,
  nextKeyStep,
  processesNot,
  sealsWith,
  whyNotKeyStep,
} from "./key-steps.ts";
import { LateLine } from "./late-line.ts";
import { isOf, type KeyPair, recordStep } from "./record-step.ts";
import { RotationRefusal } from "./refusal.ts";
import { type Resealed, reseal } from "./reseal.ts";
import { countSealed, type PlaceCount, sumByKey } from "./sealed-counts.ts";
import { waitUntil } from "./wait-until.ts";

export interface KeyRotationContext {
  readonly kv: Kv;
  readonly store: Pick<Store, "get" | "commit">;
  readonly keyFile: string;
  readonly clock: Clock;
  /** A line for whoever waits. */
  readonly progress: (line: string) => void;
  /** How long a step waits for the coordinators. */
  readonly waitMs: number;
}

export interface KeyStepOptions {
  /** Retires without waiting for what the old key signed. */
  readonly isNow: boolean;
  /** Promotes without a look at the registry. */
  readonly skipsRegistry: boolean;
}

export interface KeyStepDone {
  readonly step: KeyStep;
  /** Ids in this machine's file, the one that seals first. */
  readonly keys: readonly string[];
  readonly resealed: readonly Resealed[];
  /** Processes that do not confirm the step yet. */
  readonly unconfirmed: readonly string[];
  /** Processes that run, whether they confirm it or not. */
  readonly processes: number;
}

export interface ReadKeyState extends KeyState {
  readonly counts: readonly PlaceCount[];
  readonly revision: number;
}

export async function readKeyState({ kv, keyFile, clock }: KeyRotationContext): Promise<ReadKeyState> {
  if (!existsSync(keyFile)) {
    throw new RotationRefusal(`there is no ${keyFile}: name the coordinators' key file, --secrets-key-file`);
  }
  const file = readPresentKeys(keyFile).map(({ id }) => id);
  const [read, holders, counts] = await Promise.all([readKeyRotation(kv), readHolders(kv), countSealed(kv)]);
  return { ...read, file, holders, counts, sealed: sumByKey(counts), now: clock.now() };
}

/** Throws a RotationRefusal where the step may not be done now. */
export async function doKeyStep(
  context: KeyRotationContext,
  given: KeyStep | "next",
  options: KeyStepOptions,
): Promise<KeyStepDone> {
  const state = await readKeyState(context);
  const step = given === "next" ? nextKeyStep(state) : given;
  const why = whyNotKeyStep(step, state, options.isNow);
  if (why !== null) throw new RotationRefusal(why);
  const phase = keyPhase(state);
  switch (step) {
    case "stage":
      return await stage(context, state, phase);
    case "promote":
      return await promote(context, state, phase, options);
    case "reseal":
      return await resealAll(context, state, phase);
    case "retire":
      return await retire(context, state, phase);
  }
}

/** The record first: of two commands one wins there, and only that one changes the file. */
async function stage(context: KeyRotationContext, state: ReadKeyState, phase: KeyPhase): Promise<KeyStepDone> {
  const { file } = state;
  if (phase.kind !== "one-key") {
    const [from = "", to = ""] = file;
    await recordStep(context, state, { from, to }, []);
    return await confirmed(context, "stage", holdsBoth(from, to), `have key ${to}`);
  }
  const line = newKeyLine();
  const [{ id: to }] = parseKeyFile(line, "the new key");
  const pair = { from: phase.key, to };
  await recordStep(context, state, pair, []);
  changeJudgedFile(context.keyFile, file, [phase.key, to], (text) => withSecondKey(text, line));
  return await confirmed(context, "stage", holdsBoth(phase.key, to), `have key ${to}`);
}

/** The intention is recorded before the file changes: from then on no process starts without the new key. */
async function promote(
  context: KeyRotationContext,
  state: ReadKeyState,
  phase: KeyPhase,
  { skipsRegistry }: KeyStepOptions,
): Promise<KeyStepDone> {
  if (phase.kind === "one-key") throw new RotationRefusal("there is one key");
  const { from, to } = phase;
  if (phase.kind === "staged" && !skipsRegistry) await checkRegistries(context, state.holders, to);
  await recordStep(context, state, phase, ["promotingAt"]);
  if (phase.kind === "staged") {
    await refuseLateStarters(context, phase);
    changeJudgedFile(context.keyFile, state.file, [to, from], withKeysSwapped);
  }
  const done = await confirmed(context, "promote", sealsWith(to), `seal with key ${to}`);
  if (done.unconfirmed.length === 0) await notePromotion(context, phase);
  return done;
}

/** Whoever started with the file of before while the intention was being recorded is seen here, or sees the intention. */
async function refuseLateStarters({ kv, keyFile }: KeyRotationContext, { from, to }: KeyPair): Promise<void> {
  const lacking = processesNot(await readHolders(kv), holdsBoth(from, to));
  if (lacking.length === 0) return;
  throw new Error(
    `not every coordinator has both keys: ${lacking.join("; ")}. ${COPY}, then repeat \`secrets promote\`. ${keyFile} is as it ` +
      `was; it is recorded that key ${to} is needed, so that no coordinator starts without it`,
  );
}

/** From then on the old key signs nothing: what it signed ends a known time later. */
async function notePromotion(context: KeyRotationContext, pair: KeyPair): Promise<void> {
  for (let tries = 1; ; tries += 1) {
    const read = await readKeyRotation(context.kv);
    if (!isOf(read.rotation, pair)) {
      throw new Error(
        `another command began another rotation meanwhile, and that key ${pair.to} seals everywhere was not recorded: ` +
          "look with `secrets status`",
      );
    }
    try {
      return await recordStep(context, read, pair, ["promotedAt"]);
    } catch (error) {
      if (!(error instanceof RotationConflictError) || tries === TRIES_MAX) throw error;
    }
  }
}

async function resealAll(context: KeyRotationContext, state: ReadKeyState, phase: KeyPhase): Promise<KeyStepDone> {
  if (phase.kind === "one-key") throw new RotationRefusal("there is one key");
  await recordStep(context, state, phase, ["promotedAt"]);
  const secrets = secretsOf(readPresentKeys(context.keyFile), context.keyFile);
  const late = new LateLine(context.clock, context.progress);
  const progress = (what: string, count: number): void => late.print(`seals again: ${what}, ${count} so far`);
  const resealed = await reseal({ ...context, secrets, progress });
  return { step: "reseal", keys: state.file, resealed, unconfirmed: [], processes: state.holders.known.length };
}

async function retire(context: KeyRotationContext, state: ReadKeyState, phase: KeyPhase): Promise<KeyStepDone> {
  if (phase.kind === "one-key") throw new RotationRefusal("there is one key");
  // First, so that no process starts any more with the old key alone.
  await recordStep(context, state, phase, ["promotedAt", "retiredAt"]);
  changeJudgedFile(context.keyFile, state.file, [phase.to], withoutSecondKey);
  return await confirmed(context, "retire", holdsExactly(phase.to), `have key ${phase.to} alone`);
}

async function confirmed(
  { kv, keyFile, clock, progress, waitMs }: KeyRotationContext,
  step: KeyStep,
  isReady: (held: HeldKeys) => boolean,
  condition: string,
): Promise<KeyStepDone> {
  const keys = readPresentKeys(keyFile).map(({ id }) => id);
  let processes = 0;
  const readUnconfirmed = async () => {
    const holders = await readHolders(kv);
    processes = holders.known.length;
    return processesNot(holders, isReady);
  };
  const what = `all coordinators are to ${condition}`;
  const unconfirmed = await waitUntil(readUnconfirmed, { clock, waitMs, progress, what });
  return { step, keys, resealed: [], unconfirmed, processes };
}
