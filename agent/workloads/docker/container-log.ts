/** The end of a container's log. */
import type { Container } from "dockerode";
import { tailText } from "../../domain/log-tail.ts";
import { unframe } from "./stream-frames.ts";

/** Lines are cut by the engine at 16 KiB, so this bounds what is read. */
const LINES_MAX = 100;

/** What the container wrote since an instant, at most `bytesMax` of its end. Empty when the engine cannot say. */
export async function readLogTail(container: Container, sinceMs: number, bytesMax: number): Promise<string> {
  const options = { follow: false, stdout: true, stderr: true, tail: LINES_MAX, since: sinceMs / 1000 } as const;
  const framed = await container.logs(options).catch(() => Buffer.alloc(0));
  return tailText(unframe(Buffer.from(framed as Uint8Array)), bytesMax);
}
