/**
 * The messages of a service from now on, each once, over cut connections: the team's event stream resumes after its last event,
 * and where it cannot, what happened meanwhile is read from lists.
 */
import { followEvents } from "elastic-client/events/follow-events.ts";
import { pause } from "elastic-client/http/pause.ts";
import { RETRIES } from "elastic-client/http/retry.ts";
import type { Caller } from "../api/caller.ts";
import { explainFailedCall } from "../api/explain-failed-call.ts";
import { connectionOf } from "../api/transport.ts";
import { CliError, interrupted } from "../errors/cli-error.ts";
import { EXIT } from "../errors/exit-code.ts";
import { Recent } from "./recent.ts";
import type { Change, MessageSource, WebhookMessage } from "./webhook-message.ts";

/** Whoever listens waits through any outage; a service that rejects the key ends it. */
const RETRIES_WITHOUT_END = {
  ...RETRIES,
  attemptsMax: Number.POSITIVE_INFINITY,
  retryAfterMsMax: Number.POSITIVE_INFINITY,
};
const READ_AGAIN_MS = 1_000;

export interface Following {
  readonly caller: Caller;
  readonly teamId: string;
  readonly source: MessageSource;
  /** Called with why, and how long it is until the next attempt. */
  readonly onCut: (why: string, delayMs: number) => void;
}

/** Rejects with a CliError; Ctrl-C is one. */
export async function* followMessages(following: Following): AsyncGenerator<WebhookMessage> {
  const { source } = following;
  const sent = new Recent<true>();
  for await (const changes of changesOf(following)) {
    for (const message of await messagesOf(following, source, changes)) {
      if (sent.get(message.id)) continue;
      sent.set(message.id, true);
      yield message;
    }
  }
}

/** Null where the stream cannot say what changed since. */
async function* changesOf({ caller, teamId, onCut }: Following): AsyncGenerator<readonly Change[] | null> {
  try {
    const events = followEvents(await connectionOf(caller), {
      path: `/v1/events?team_id=${encodeURIComponent(teamId)}`,
      signal: caller.signal,
      retries: RETRIES_WITHOUT_END,
      onCut: ({ message }, delayMs) => onCut(message, delayMs),
    });
    for await (const { type, data } of events) {
      yield type === "reset" ? null : (JSON.parse(data) as { readonly changes: readonly Change[] }).changes;
    }
  } catch (error) {
    throw explainFailedCall(caller, error);
  }
}

async function messagesOf(
  following: Following,
  source: MessageSource,
  changes: readonly Change[] | null,
): Promise<readonly WebhookMessage[]> {
  if (changes === null || changes.some((change) => source.isUnnamed(change))) {
    return await patiently(following, () => source.catchUp());
  }
  const messages: WebhookMessage[] = [];
  for (const change of changes) {
    const message = await patiently(following, () => source.onChange(change));
    if (message !== null) messages.push(message);
  }
  return messages;
}

/** What could not be read now is read later: its event does not come again. */
async function patiently<T>({ caller, onCut }: Following, read: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await read();
    } catch (error) {
      if (!(error instanceof CliError) || error.exitCode !== EXIT.tryAgain) throw error;
      onCut(error.message, READ_AGAIN_MS);
      await pause(READ_AGAIN_MS, caller.signal).catch(() => {
        throw interrupted();
      });
    }
  }
}
