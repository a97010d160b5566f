/** Pushes an image, again where it was cut: layers that have arrived are not sent twice. */
import { setTimeout as delay } from "node:timers/promises";
import type { Engine } from "../engine/engine.ts";
import { CliError, interrupted } from "../errors/cli-error.ts";
import { gaveUp, pushFailure } from "./push-failure.ts";
import { afterEvent, NOTHING_PUSHED, type PushEvent, type PushState } from "./push-state.ts";

export interface Push {
  readonly host: string;
  readonly repository: string;
  readonly tag: string;
  /** The access key. */
  readonly password: string;
  readonly signal: AbortSignal;
  readonly onState: (state: PushState) => void;
  readonly onRetry: (words: string, delayMs: number) => void;
}

/** In addition to those that the engine makes for each layer. */
const TRIES_MAX = 4;
const FIRST_DELAY_MS = 500;

/** Resolves with how it went once the image is there. */
export async function pushImage(engine: Engine, push: Push): Promise<PushState> {
  for (let tries = 1; ; tries += 1) {
    const { state, failed } = await pushOnce(engine, push);
    if (failed === null) return state;
    const failure = pushFailure(failed, push.host);
    if (failure.kind === "for good") throw failure.error;
    if (tries >= TRIES_MAX) throw gaveUp(failure.words, push.host);
    const delayMs = FIRST_DELAY_MS * 2 ** (tries - 1);
    push.onRetry(failure.words, delayMs);
    await delay(delayMs, undefined, { signal: push.signal }).catch(() => {
      throw interrupted();
    });
  }
}

async function pushOnce(
  engine: Engine,
  push: Push,
): Promise<{ readonly state: PushState; readonly failed: string | null }> {
  const { host, repository, tag, signal } = push;
  const path = `/images/${host}/${repository}/push?tag=${encodeURIComponent(tag)}`;
  let state = NOTHING_PUSHED;
  try {
    const call = { method: "POST", path, headers: { "x-registry-auth": authHeader(push) }, signal } as const;
    for await (const event of engine.events<PushEvent>(call)) {
      if (event.error !== undefined) return { state, failed: event.error };
      state = afterEvent(state, event);
      push.onState(state);
    }
    return { state, failed: null };
  } catch (error) {
    if (signal.aborted) throw interrupted();
    // An error of an engine that responds is final; one that went away may be back.
    if (error instanceof CliError && error.code !== "engine_lost") throw error;
    return { state, failed: error instanceof Error ? error.message : String(error) };
  }
}

/** In base64 for URLs, with its padding: without it engines read nothing, and say nothing of it. */
function authHeader({ host, password }: Push): string {
  const auth = { username: "elastic", password, serveraddress: host };
  return Buffer.from(JSON.stringify(auth)).toString("base64").replaceAll("+", "-").replaceAll("/", "_");
}
