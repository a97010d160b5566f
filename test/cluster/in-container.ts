/** Programs in containers of a test's engine, as a session would run them: by another way than the one under test. */
import Docker from "dockerode";

/** All that the command prints. */
export async function inContainer(engineSocket: string, containerId: string, command: string): Promise<string> {
  const exec = await new Docker({ socketPath: engineSocket })
    .getContainer(containerId)
    .exec({ Cmd: ["/bin/sh", "-c", command], AttachStdout: true, AttachStderr: true, Tty: true });
  const stream = await exec.start({ hijack: true, Tty: true });
  const parts: Buffer[] = [];
  for await (const part of stream as AsyncIterable<Buffer>) parts.push(part);
  return Buffer.concat(parts).toString("utf8").replaceAll("\r\n", "\n");
}
