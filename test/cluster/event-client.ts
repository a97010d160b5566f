/** A client that follows a task's events as a browser does: it comes back by itself and says what it saw last. */
import { setTimeout as delay } from "node:timers/promises";
import { expectHeadDescribed } from "@elastic/coordinator/http/testing/conformance.ts";

/** Sooner than the server asks for, so that a test is quick. */
const COME_BACK_MS = 50;

export interface ToldEvent {
  readonly id: number;
  readonly type: string;
}

export interface Follow {
  readonly key: string;
  readonly taskId: string;
  /** Where to ask next. */
  readonly at: () => { readonly url: string };
  readonly onEvent: (event: ToldEvent) => void;
}

/** All that was told once the server says that there is nothing more to come back for. */
export async function followTask({ key, taskId, at, onEvent }: Follow): Promise<readonly ToldEvent[]> {
  const told: ToldEvent[] = [];
  for (;;) {
    const last = told.at(-1)?.id;
    const headers = { "x-api-key": key, ...(last === undefined ? {} : { "last-event-id": String(last) }) };
    const answer = await fetch(`${at().url}/v1/tasks/${taskId}/events`, { headers }).catch(() => null);
    if (answer !== null) await expectHeadDescribed(answer);
    if (answer?.status === 204) return told;
    try {
      for await (const event of eventsOf(answer)) {
        told.push(event);
        onEvent(event);
      }
    } catch {
      // Cut.
    }
    await delay(COME_BACK_MS);
  }
}

async function* eventsOf(answer: Response | null): AsyncGenerator<ToldEvent> {
  if (answer?.status !== 200) return;
  let text = "";
  for await (const piece of answer.body ?? []) {
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
