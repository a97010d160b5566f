/** The steps of a rotation of the nodes' authority: each is checked, written to the store, and confirmed by the coordinators. */
import type { Clock } from "@elastic/std/clock.ts";
import { promoted, retired, rootOf, staged } from "../enrollment/authority-record.ts";
import { readPresentKeys } from "../secrets/change-key-file.ts";
import { keyIdOfSealed, secretsOf } from "../secrets/secrets.ts";
import { type ReadAuthority, readAuthority, replaceAuthority } from "../store/authority-claim.ts";
import { type HeldKeys, readHolders } from "../store/held-keys.ts";
import { readKeyRotation, whyKeysDoNotServe } from "../store/key-rotation.ts";
import type { Kv } from "../store/kv.ts";
import type { View } from "../store/store.ts";
import {
  type AuthorityState,
  type AuthorityStep,
  coordinatorsNot,
  cutOffByRetiring,
  isStagedTooShort,
  issuesFrom,
  trusts,
  trustsAlone,
  whyNotAuthorityStep,
} from "./authority-steps.ts";
import { describeHolder } from "./key-steps.ts";
import { RotationRefusal } from "./refusal.ts";
import { waitUntil } from "./wait-until.ts";

export interface AuthorityRotationContext {
  readonly kv: Kv;
  readonly view: Pick<View, "nodes" | "joinTokens">;
  readonly keyFile: string;
  readonly clock: Clock;
  /** A line for whoever waits. */
  readonly progress: (line: string) => void;
  /** How long a step waits for the coordinators. */
  readonly waitMs: number;
}

export interface AuthorityStepDone {
  readonly step: AuthorityStep;
  /** Digest of the root that the step was about. */
  readonly root: string;
  /** Whom the step cut off, where it was forced. */
  readonly cutOff: readonly string[];
  /** Coordinators that do not confirm the step yet. */
  readonly unconfirmed: readonly string[];
}

export interface ReadAuthorityState extends AuthorityState, ReadAuthority {}

export async function readAuthorityState({
  kv,
  view,
  clock,
}: Pick<AuthorityRotationContext, "kv" | "view" | "clock">): Promise<ReadAuthorityState> {
  const [read, holders] = await Promise.all([readAuthority(kv), readHolders(kv)]);
  if (read === null) {
    throw new RotationRefusal(
      "this store has no authority: its certificates are of another one (ELASTIC_TLS_CA), which is rotated where it is, " +
        "or no coordinator has started yet",
    );
  }
  const nodes = [...view.nodes.values()].map(({ value }) => value);
  const joinTokens = [...view.joinTokens.values()].map(({ value }) => value);
  return { ...read, holders, nodes, joinTokens, now: clock.now() };
}

/** Throws a RotationRefusal where the step may not be done now. */
export async function doAuthorityStep(
  context: AuthorityRotationContext,
  step: AuthorityStep,
  { isForced }: { readonly isForced: boolean },
): Promise<AuthorityStepDone> {
  const state = await readAuthorityState(context);
  const why = whyNotAuthorityStep(step, state, isForced);
  if (why !== null) throw new RotationRefusal(why);
  switch (step) {
    case "stage":
      return await stage(context, state);
    case "promote":
      return await promote(context, state);
    case "retire":
      return await retire(context, state);
  }
}

async function stage(context: AuthorityRotationContext, state: ReadAuthorityState): Promise<AuthorityStepDone> {
  const { kv, keyFile, clock } = context;
  let { record } = state;
  if (record.next === undefined || isStagedTooShort(state)) {
    const secrets = secretsOf(readPresentKeys(keyFile), keyFile);
    const [seals = ""] = secrets.keyIds();
    const sealedBy = keyIdOfSealed(record.sealedKey);
    if (!secrets.keyIds().includes(sealedBy)) {
      throw new RotationRefusal(
        `the root's key is sealed with key ${sealedBy}, which is not in ${keyFile}: name the coordinators' key file, --secrets-key-file`,
      );
    }
    const { rotation } = await readKeyRotation(kv);
    const outdated = whyKeysDoNotServe(rotation, secrets.keyIds());
    if (outdated !== null) throw new RotationRefusal(`${keyFile} ${outdated}`);
    const others = state.holders.known.filter(({ keys }) => !keys.includes(seals));
    if (others.length > 0) {
      const names = others.map(describeHolder).join("; ");
      throw new RotationRefusal(
        `the key file of this machine seals with key ${seals}, but ${names}: name the coordinators' key file, --secrets-key-file`,
      );
    }
    record = staged(record, secrets, clock.now());
    await replaceAuthority(kv, state, record);
  }
  const { sha256 } = rootOf(record.next?.certificate ?? record.certificate);
  return await confirmed(context, "stage", sha256, trusts(sha256));
}

async function promote(context: AuthorityRotationContext, state: ReadAuthorityState): Promise<AuthorityStepDone> {
  const record = promoted(state.record, context.clock.now());
  if (record !== state.record) await replaceAuthority(context.kv, state, record);
  const { sha256 } = rootOf(record.certificate);
  return await confirmed(context, "promote", sha256, issuesFrom(sha256));
}

async function retire(context: AuthorityRotationContext, state: ReadAuthorityState): Promise<AuthorityStepDone> {
  const cutOff = cutOffByRetiring(state);
  await replaceAuthority(context.kv, state, retired(state.record));
  const { sha256 } = rootOf(state.record.certificate);
  return { ...(await confirmed(context, "retire", sha256, trustsAlone(sha256))), cutOff };
}

async function confirmed(
  { kv, clock, progress, waitMs }: AuthorityRotationContext,
  step: AuthorityStep,
  root: string,
  isReady: (held: HeldKeys) => boolean,
): Promise<AuthorityStepDone> {
  const what = `all coordinators are to confirm \`authority ${step}\``;
  const left = async () => coordinatorsNot(await readHolders(kv), isReady);
  const unconfirmed = await waitUntil(left, { clock, waitMs, progress, what });
  return { step, root, cutOff: [], unconfirmed };
}
