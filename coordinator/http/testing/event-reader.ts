/** Reads server-sent events as a client does that remembers the last id it saw. */
import { expectDescribed } from "./conformance.ts";

export interface SeenEvent {
  readonly id: number | null;
  /** As it is sent. */
  readonly idText: string | null;
  readonly type: string;
  readonly data: Readonly<Record<string, unknown>>;
}

export interface ReadEvents {
  /** Left out where a header says who calls. */
  readonly key?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Cuts the connection after so many events; by default it reads until the server ends the stream. */
  readonly cutAfter?: number;
  /** Cuts the connection. */
  readonly signal?: AbortSignal;
  /** Receives each event as it comes. */
  readonly onEvent?: (event: SeenEvent) => void;
}

export async function readEvents(url: string, options: ReadEvents): Promise<SeenEvent[]> {
  const cut = new AbortController();
  const { pathname, search } = new URL(url);
  options.signal?.addEventListener("abort", () => cut.abort(), { once: true });
  const key = options.key === undefined ? {} : { "x-api-key": options.key };
  const response = await fetch(url, { headers: { ...key, ...options.headers }, signal: cut.signal });
  const { status, headers } = response;
  const exchange = { server: url, method: "GET", target: pathname + search, status, headers };
  if (status !== 200) {
    const text = await response.text();
    await expectDescribed({ ...exchange, text });
    throw new Error(`${status} ${text}`);
  }
  const events: SeenEvent[] = [];
  let whole = "";
  let text = "";
  try {
    for await (const piece of response.body ?? []) {
      text += Buffer.from(piece).toString("utf8");
      const blocks = text.split("\n\n");
      text = blocks.pop() ?? "";
      whole += `${blocks.join("\n\n")}\n\n`;
      for (const event of blocks.flatMap(parse)) {
        if (events.length === options.cutAfter) break;
        events.push(event);
        options.onEvent?.(event);
      }
      if (events.length === options.cutAfter) cut.abort();
    }
  } catch (error) {
    if (!cut.signal.aborted) throw error;
  }
  await expectDescribed({ ...exchange, text: whole });
  return events;
}

/** None for comments and for what only sets the time after which to come back. */
function parse(block: string): SeenEvent[] {
  const fields = new Map(block.split("\n").map((line) => line.split(/: ?(.*)/s, 2) as [string, string]));
  const data = fields.get("data");
  if (data === undefined) return [];
  const idText = fields.get("id") ?? null;
  return [
    {
      id: idText === null ? null : Number(idText),
      idText,
      type: fields.get("event") ?? "message",
      data: JSON.parse(data),
    },
  ];
}
