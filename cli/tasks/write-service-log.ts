/**
 * Writes a service's log out, line by line, each with the end of its task's id, which differs between the tasks of a
 * service. After a cut connection it connects again, and skips what it has written.
 */
import { away } from "../api/away.ts";
import type { Caller } from "../api/caller.ts";
import { type LogPiece, openServiceLog, type ServiceLogPlace } from "../api/service-logs.ts";
import type { Context } from "../context/context.ts";
import { type PrintableStream, printableStream } from "../output/printable-stream.ts";

/** Ids begin with the time. */
const ID_CHARS = 6;

interface Source {
  /** Bytes of its log that have come. */
  end: number;
  readonly text: PrintableStream;
  readonly prefix: string;
}

/** Whether there was a line. With `follow` it ends by Ctrl-C alone. Waits up to a minute for a service that is unavailable, then throws. */
export async function writeServiceLog(
  { printer, signal }: Pick<Context, "printer" | "signal">,
  caller: Caller,
  serviceId: string,
  place: ServiceLogPlace,
): Promise<boolean> {
  const sources = new Map<string, Source>();
  const waiting = away(signal);
  const flush = async () => {
    for (const { text, prefix } of sources.values()) await printer.stream(prefixed(text.end(), prefix));
  };
  for (;;) {
    try {
      for await (const event of await openServiceLog(caller, serviceId, place)) {
        waiting.end();
        if (event.type === "log") await printer.stream(linesOf(sources, event));
        else if (event.type === "skipped")
          printer.note(
            `The logs of ${event.tasks === 1 ? "1 task" : `${event.tasks} tasks`} are left out: too many ran.`,
          );
      }
      if (!place.follow) {
        await flush();
        return sources.size > 0;
      }
      throw new Error("the service ended the log");
    } catch (error) {
      if (!place.follow || signal.aborted) await flush();
      await waiting.pause(error);
    }
  }
}

/** What can be printed by now. */
function linesOf(sources: Map<string, Source>, piece: LogPiece): string {
  const { task_id: taskId, attempt, offset, bytes } = piece;
  const name = `${taskId}/${attempt}`;
  const source = sources.get(name) ?? { end: offset, text: printableStream(), prefix: `${taskId.slice(-ID_CHARS)} ` };
  sources.set(name, source);
  if (offset + bytes <= source.end) return "";
  const known = Math.max(0, source.end - offset);
  source.end = offset + bytes;
  return prefixed(source.text.take(Buffer.from(piece.text).subarray(known)), source.prefix);
}

/** A line without an end gets one: another task's may follow. */
function prefixed(text: string, prefix: string): string {
  if (text === "") return "";
  const lines = text.replace(/\n$/, "").split("\n");
  return lines.map((line) => `${prefix}${line}\n`).join("");
}
