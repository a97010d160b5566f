/** Brings a task's input to where its creation finds it: uploads what is too large for that. */
import type { InputSource } from "elastic-client/tasks/create-task.ts";
import type { Caller } from "../api/caller.ts";
import { upload } from "../api/uploads.ts";
import type { Context } from "../context/context.ts";
import type { TaskInput } from "../input/task-input.ts";

/** What the creation of the task says of its input. */
export async function sendInput(
  { printer }: Pick<Context, "printer">,
  caller: Caller,
  input: TaskInput,
): Promise<InputSource> {
  if (input.kind !== "upload") return input;
  const startedAt = performance.now();
  let lastAt = 0;
  async function* watched(source: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    let sent = 0;
    for await (const chunk of source) {
      yield chunk;
      sent += chunk.byteLength;
      const seconds = Math.floor((performance.now() - startedAt) / 1000);
      if (seconds > lastAt && printer.redraws) printer.progress(stage(sent), seconds);
      lastAt = seconds;
    }
  }
  const stage = (sent: number): string =>
    input.bytes === null ? `Uploading, ${mib(sent)}` : `Uploading, ${mib(sent)} of ${mib(input.bytes)}`;
  const { upload_id: uploadId } = await upload(caller, watched(input.source), input.bytes);
  return { kind: "uploaded", uploadId };
}

function mib(bytes: number): string {
  return `${(bytes / (1024 * 1024)).toFixed(1)} MiB`;
}
