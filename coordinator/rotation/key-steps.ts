/**
 * Which step of a rotation of the master key may be done, and which is next: pure.
 *
 *   one key ──stage──▶ old, new ──promote──▶ new, old ──reseal, retire──▶ new
 *
 * Each step waits until every process of the coordinators has the keys of the step before it.
 */

import type { Instant } from "@elastic/std/clock.ts";
import { counted } from "@elastic/std/counted.ts";
import type { HeldKeys, Holders } from "../store/held-keys.ts";
import { isNewKeyInUse, type KeyRotation } from "../store/key-rotation.ts";
import { CARRIED, type Carried } from "./sealed-places.ts";

export type KeyStep = "stage" | "promote" | "reseal" | "retire";

export interface KeyState {
  /** Ids of the keys in this machine's file, the one that seals first. */
  readonly file: readonly string[];
  readonly rotation: KeyRotation | null;
  readonly holders: Holders;
  /** Envelopes in the store, by the id of their key. */
  readonly sealed: ReadonlyMap<string, number>;
  readonly now: Instant;
}

export type KeyPhase =
  | { readonly kind: "one-key"; readonly key: string }
  | { readonly kind: "staged"; readonly from: string; readonly to: string }
  | { readonly kind: "promoted"; readonly from: string; readonly to: string };

/** Of two keys that no command wrote, the second is the old one where it sealed something. */
export function keyPhase({ file, rotation, sealed }: Pick<KeyState, "file" | "rotation" | "sealed">): KeyPhase {
  const [first = "", second] = file;
  if (second === undefined) return { kind: "one-key", key: first };
  const staged = { kind: "staged", from: first, to: second } as const;
  const promoted = { kind: "promoted", from: second, to: first } as const;
  if (rotation?.from === first && rotation.to === second) return staged;
  if (rotation?.from === second && rotation.to === first) return promoted;
  return (sealed.get(second) ?? 0) > 0 ? promoted : staged;
}

export function nextKeyStep(state: KeyState): KeyStep {
  const phase = keyPhase(state);
  if (phase.kind === "one-key") return "stage";
  if (phase.kind === "staged") return "promote";
  const { rotation, holders } = state;
  if (promotedAt(phase, rotation) === null || processesNot(holders, sealsWith(phase.to)).length > 0) return "promote";
  return (state.sealed.get(phase.from) ?? 0) > 0 ? "reseal" : "retire";
}

/** Null for a step that may be done. `isNow`: without waiting for what the old key made elsewhere. */
export function whyNotKeyStep(step: KeyStep, state: KeyState, isNow = false): string | null {
  const { holders } = state;
  const [silent] = holders.silent;
  if (silent !== undefined) {
    return `the coordinator at ${silent} runs an earlier version, which does not report its keys: update it first`;
  }
  const lacks = whyFileIsOutdated(state);
  if (lacks !== null) return lacks;
  const phase = keyPhase(state);
  switch (step) {
    case "stage":
      return whyNotStage(phase, state);
    case "promote":
      return whyNotPromote(phase, holders);
    case "reseal":
      return whyNotSealing(phase, state);
    case "retire":
      return whyNotSealing(phase, state) ?? whyNotRetire(phase, state, isNow);
  }
}

/** Those that are not as they have to be for a step, as lines for an operator. */
export function processesNot({ known }: Holders, isReady: (held: HeldKeys) => boolean): readonly string[] {
  return known.filter((held) => !isReady(held)).map(describeHolder);
}

export function describeHolder({ name, keys, complaint }: HeldKeys): string {
  const [seals, ...opens] = keys;
  const also = opens.length === 0 ? "" : ` and opens with ${opens.join(", ")}`;
  return `${name} seals with ${seals}${also}${complaint === null ? "" : ` (${complaint})`}`;
}

export const holdsExactly =
  (...ids: readonly string[]) =>
  ({ keys, complaint }: HeldKeys): boolean =>
    complaint === null && keys.join() === ids.join();

export const holdsBoth =
  (one: string, other: string) =>
  ({ keys, complaint }: HeldKeys): boolean =>
    complaint === null && keys.includes(one) && keys.includes(other);

export const sealsWith =
  (id: string) =>
  ({ keys, complaint }: HeldKeys): boolean =>
    complaint === null && keys[0] === id;

/** What the old key made and nobody can make again, with the time at which the last of it ends. */
function stillCarried(since: Instant, now: Instant): readonly (Carried & { readonly endsAt: Instant })[] {
  return CARRIED.map((one) => ({ ...one, endsAt: since + one.lifeMs })).filter(({ endsAt }) => endsAt > now);
}

/** Null where it is not recorded of these two keys: then it is not known until when the old one signed. */
function promotedAt({ from, to }: { readonly from: string; readonly to: string }, rotation: KeyRotation | null) {
  return rotation?.from === from && rotation.to === to ? rotation.promotedAt : null;
}

/** Of a file from before a promotion: its steps would overwrite that the new key is needed. */
function whyFileIsOutdated({ file, rotation }: KeyState): string | null {
  if (rotation === null || !isNewKeyInUse(rotation) || file.includes(rotation.to)) return null;
  return (
    `the key file of this machine has key ${file.join(", ")} and not key ${rotation.to}, with which the coordinators of this ` +
    "store seal: copy the key file of a coordinator here, or name it, --secrets-key-file"
  );
}

function whyNotStage(phase: KeyPhase, { holders, sealed }: KeyState): string | null {
  if (phase.kind === "staged") return null;
  if (phase.kind === "promoted") {
    const left = sealed.get(phase.from) ?? 0;
    const first =
      left > 0 ? "first `secrets reseal`, then `secrets retire`" : "nothing is sealed with it, so `secrets retire`";
    return `key ${phase.from} is still to be retired: ${first}`;
  }
  const others = processesNot(holders, holdsExactly(phase.key));
  if (others.length === 0) return null;
  return (
    `the key file of this machine has key ${phase.key}, but ${others.join("; ")}: ` +
    "name the coordinators' key file (ELASTIC_SECRETS_KEY_FILE), or make the files of all machines the same"
  );
}

function whyNotPromote(phase: KeyPhase, holders: Holders): string | null {
  if (phase.kind === "one-key") return "no second key is in the key file: first `secrets stage`";
  const others = processesNot(holders, holdsBoth(phase.from, phase.to));
  if (others.length === 0) return null;
  return `not every coordinator has both keys: ${others.join("; ")}. ${COPY}`;
}

function whyNotSealing(phase: KeyPhase, { holders, rotation }: KeyState): string | null {
  if (phase.kind === "one-key") return "the key file has one key: a rotation begins with `secrets stage`";
  if (phase.kind === "staged" && promotedAt(phase, rotation) !== null) {
    return (
      `the key file of this machine still has key ${phase.from} first, but the coordinators seal with key ${phase.to} since its ` +
      "promotion: copy the key file of a coordinator here, or name it, --secrets-key-file"
    );
  }
  if (phase.kind === "staged") return `key ${phase.to} is staged and does not seal yet: first \`secrets promote\``;
  const others = processesNot(holders, sealsWith(phase.to));
  if (others.length === 0) return null;
  return `not every coordinator seals with key ${phase.to}: ${others.join("; ")}. ${COPY}`;
}

function whyNotRetire(phase: KeyPhase, { sealed, rotation, now }: KeyState, isNow: boolean): string | null {
  if (phase.kind === "one-key") return null;
  const left = sealed.get(phase.from) ?? 0;
  if (left > 0) return `still sealed with key ${phase.from}: ${counted(left, "secret")}. First \`secrets reseal\``;
  if (isNow) return null;
  const since = promotedAt(phase, rotation);
  if (since === null) return `it is not recorded since when key ${phase.from} signs nothing: first \`secrets promote\``;
  const carried = stillCarried(since, now);
  if (carried.length === 0) return null;
  const ends = carried.map(({ what, endsAt }) => `${what} until ${new Date(endsAt).toISOString().slice(0, 16)}Z`);
  return `what key ${phase.from} signed is still good: ${ends.join(", ")}. Wait, or end it at once with --now`;
}

export const COPY = "Where each machine has its own copy of the key file, copy this machine's there";
