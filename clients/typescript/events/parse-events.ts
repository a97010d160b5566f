/** Server-sent events from the text of a stream, which comes in pieces (https://html.spec.whatwg.org, 9.2.6). */

export interface ServerEvent {
  /** What a client names to continue after it; null for an event that is not sent again. */
  readonly id: string | null;
  readonly type: string;
  readonly data: string;
}

/** More than any event of the service takes. */
const EVENT_CHARS_MAX = 1024 * 1024;

export class EventParser {
  #rest = "";
  #id: string | null = null;
  #type = "";
  #data: string[] = [];
  #chars = 0;

  /** The events that are complete by now. Throws where one is larger than the service sends. */
  push(piece: string): readonly ServerEvent[] {
    const events: ServerEvent[] = [];
    // A line feed may follow in the next piece.
    const text = this.#rest + piece;
    const end = text.endsWith("\r") ? text.length - 1 : text.length;
    const lines = text.slice(0, end).split(/\r\n|\n|\r/);
    this.#rest = (lines.pop() ?? "") + text.slice(end);
    for (const line of lines) {
      const event = this.#takeLine(line);
      if (event !== null) events.push(event);
    }
    if (this.#rest.length + this.#chars > EVENT_CHARS_MAX) throw new Error("an event of the stream is too large");
    return events;
  }

  #takeLine(line: string): ServerEvent | null {
    if (line === "") return this.#dispatch();
    const colon = line.indexOf(":");
    const field = colon === -1 ? line : line.slice(0, colon);
    const value = colon === -1 ? "" : line.slice(colon + 1).replace(/^ /, "");
    if (field === "data") {
      this.#data.push(value);
      this.#chars += value.length;
    } else if (field === "event") this.#type = value;
    else if (field === "id" && !value.includes("\0")) this.#id = value;
    return null;
  }

  #dispatch(): ServerEvent | null {
    const event = { id: this.#id, type: this.#type || "message", data: this.#data.join("\n") };
    const isEmpty = this.#data.length === 0;
    this.#id = null;
    this.#type = "";
    this.#data = [];
    this.#chars = 0;
    return isEmpty ? null : event;
  }
}
