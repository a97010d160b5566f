/**
 * A shell: a container that a user logs into. Its home outlives every stop, and stays on the node of its first start.
 *
 *   creating ─▶ ready ⇄ creating           (its container ended, or its node is away)
 *   creating | ready ──stop, longest life, idle, drain──▶ stopped ──start──▶ creating
 *   creating | ready ──cannot be started──▶ failed ──start──▶ creating
 *   any ──delete──▶ deleted                (and its home is erased)
 */
import type { Instant } from "@elastic/std/clock.ts";
import type { Resources } from "./deployment.ts";
import type { FailureReason } from "./failure.ts";

/** What ended a run: its user, its longest life, that nobody used it, or that its node is emptied. */
export type StopCause = "user" | "expired" | "idle" | "drain";

type ShellState =
  /** `waitingFor` says in words what is missing; null while it comes up. */
  | { readonly kind: "creating"; readonly since: Instant; readonly waitingFor: string | null }
  | { readonly kind: "ready"; readonly since: Instant }
  | { readonly kind: "stopped"; readonly since: Instant; readonly cause: StopCause }
  | { readonly kind: "failed"; readonly since: Instant; readonly reason: FailureReason; readonly message: string }
  | { readonly kind: "deleted"; readonly since: Instant };

export interface Shell {
  readonly id: string;
  readonly teamId: string;
  readonly creatorId: string;
  readonly createdAt: Instant;
  readonly name: string;
  /** As the installation calls it, and what it stands for. */
  readonly imageName: string;
  readonly image: string;
  readonly resources: Resources;
  /** Sizes of its disks: the home that stays, and the scratch that a stop empties. */
  readonly homeBytes: number;
  readonly scratchBytes: number;
  /** Sealed by `secrets`. */
  readonly sealedPassword: string;
  /** False where only keys open it. Left out for true. */
  readonly passwordLogin?: boolean;
  /** How long a run lasts at most. */
  readonly longestLifeMs: number;
  /** How long a run may go unused; null for as long as it lives. */
  readonly idleStopMs: number | null;
  /** Where it may connect beyond itself, as `egressRuleText` has them. Left out for nowhere. */
  readonly egress?: readonly string[];
  /** Where its home is; null before the first start, and once it is erased. */
  readonly nodeId: string | null;
  /** Since when the run lasts, or the last one began. */
  readonly runSince: Instant;
  /** When a session was last seen, to the minute. */
  readonly usedAt: Instant;
  readonly state: ShellState;
}

export type NewShell = Omit<Shell, "state" | "nodeId" | "runSince" | "usedAt">;

/** Within it a first start must find a node. */
export const SHELL_START_MS = 600_000;
/** A use is written this often: an idle stop may come so much later. */
export const SHELL_USE_WRITTEN_EVERY_MS = 60_000;
/** How long before its end a session is warned. */
export const SHELL_WARNING_MS = 300_000;

export function newShell(shell: NewShell): Shell {
  const { createdAt: since } = shell;
  return { ...shell, nodeId: null, runSince: since, usedAt: since, state: creating(since) };
}

/** Of a shell whose user names none. */
export function defaultShellName(id: string): string {
  return `shell-${id.slice(-8)}`;
}

/** Whether it shall have a container. */
export function isWanted({ state }: Pick<Shell, "state">): boolean {
  return state.kind === "creating" || state.kind === "ready";
}

/** It has a place: its home is there from now on. */
export function placed(shell: Shell, nodeId: string): Shell {
  assertWanted(shell, "placed");
  return { ...shell, nodeId };
}

export function ready(shell: Shell, now: Instant): Shell {
  assertWanted(shell, "ready");
  return { ...shell, state: { kind: "ready", since: now } };
}

/** It is coming up (again), or waits. The time stays that of the first such state. */
export function comingUp(shell: Shell, waitingFor: string | null, now: Instant): Shell {
  assertWanted(shell, "coming up");
  const since = shell.state.kind === "creating" ? shell.state.since : now;
  return { ...shell, state: { kind: "creating", since, waitingFor } };
}

export function failed(shell: Shell, reason: FailureReason, message: string, now: Instant): Shell {
  assertWanted(shell, "failed");
  return { ...shell, state: { kind: "failed", since: now, reason, message } };
}

/** Ends the run. Its home stays; a shell that does not run stays as it is. */
export function stopped(shell: Shell, cause: StopCause, now: Instant): Shell {
  assertAlive(shell);
  return isWanted(shell) ? { ...shell, state: { kind: "stopped", since: now, cause } } : shell;
}

/** Begins another run; one that is under way continues. */
export function started(shell: Shell, now: Instant): Shell {
  assertAlive(shell);
  return isWanted(shell) ? shell : { ...shell, runSince: now, usedAt: now, state: creating(now) };
}

/** Deleting twice changes nothing. */
export function deleted(shell: Shell, now: Instant): Shell {
  return shell.state.kind === "deleted" ? shell : { ...shell, state: { kind: "deleted", since: now } };
}

/** Nothing of its home is left. */
export function erased(shell: Shell): Shell {
  if (shell.state.kind !== "deleted") throw new Error(`shell ${shell.id} is not deleted`);
  return { ...shell, nodeId: null };
}

/** The shell with a session seen at `at`, or null where what is written is near enough. */
export function used(shell: Shell, at: Instant): Shell | null {
  return isWanted(shell) && at - shell.usedAt >= SHELL_USE_WRITTEN_EVERY_MS ? { ...shell, usedAt: at } : null;
}

/** When and why the run ends if nobody acts; null for a shell that does not run. */
export function endOfRun(shell: Shell): { readonly at: Instant; readonly cause: "expired" | "idle" } | null {
  if (!isWanted(shell)) return null;
  const expires = shell.runSince + shell.longestLifeMs;
  // A shell that comes up cannot be used yet.
  if (shell.idleStopMs === null || shell.state.kind !== "ready") return { at: expires, cause: "expired" };
  // What was done since the last use that is written counts too.
  const idle = Math.max(shell.usedAt, shell.state.since) + SHELL_USE_WRITTEN_EVERY_MS + shell.idleStopMs;
  return idle < expires ? { at: idle, cause: "idle" } : { at: expires, cause: "expired" };
}

function creating(since: Instant): ShellState {
  return { kind: "creating", since, waitingFor: null };
}

function assertWanted(shell: Shell, next: string): void {
  if (!isWanted(shell)) throw new Error(`shell ${shell.id} is ${shell.state.kind} and cannot be ${next}`);
}

function assertAlive(shell: Shell): void {
  if (shell.state.kind === "deleted") throw new Error(`shell ${shell.id} is deleted`);
}
