/** A client that follows a task's events as a browser does: it reconnects automatically with the id of the last event. */
import { setTimeout as delay } from "node:timers/promises";
import { expectHeadDescribed } from "@elastic/coordinator/http/testing/conformance.ts";

/** Sooner than the server requests, so that a test is quick. */
const COME_BACK_MS = 50;

export interface ReceivedEvent {
  readonly id: number;
  readonly type: string;
}

export interface Follow {
  readonly key: string;
  readonly taskId: string;
  /** Where to connect next. */
  readonly at: () => { readonly url: string };
  readonly onEvent: (event: ReceivedEvent) => void;
}

/** All events, once the server responds that none will follow. */
export async function followTask({ key, taskId, at, onEvent }: Follow): Promise<readonly ReceivedEvent[]> {
  const received: ReceivedEvent[] = [];
  for (;;) {
    const last = received.at(-1)?.id;
    const headers = { "x-api-key": key, ...(last === undefined ? {} : { "last-event-id": String(last) }) };
    const response = await fetch(`${at().url}/v1/tasks/${taskId}/events`, { headers }).catch(() => null);
    if (response !== null) await expectHeadDescribed(response);
    if (response?.status === 204) return received;
    try {
      for await (const event of eventsOf(response)) {
        received.push(event);
        onEvent(event);
      }
    } catch {
      // Cut.
    }
    await delay(COME_BACK_MS);
  }
}

async function* eventsOf(response: Response | null): AsyncGenerator<ReceivedEvent> {
  if (response?.status !== 200) return;
  let text = "";
  for await (const piece of response.body ?? []) {
    text += Buffer.from(piece).toString("utf8");
    const blocks = text.split("\n\n");
    text = blocks.pop() ?? "";
    for (const block of blocks) {
      const id = /^id: (\d+)$/m.exec(block)?.[1];
      const type = /^event: (.*)$/m.exec(block)?.[1];
      // What is of the moment has no id, and comments have neither.
      if (id !== undefined && type !== undefined) yield { id: Number(id), type };
    }
  }
}
