import Docker from "dockerode";
import { expect, test } from "vitest";
import { startEngine, whyNoEngineHere } from "./engine.ts";
import { importToolchainImage } from "./toolchain-image.ts";

const noEngine = await whyNoEngineHere();

test.skipIf(noEngine !== null)("the image of this machine's toolchain compiles and links a program", async () => {
  await using engine = await startEngine();
  const Image = await importToolchainImage(engine.socket);
  const docker = new Docker({ socketPath: engine.socket });
  const script = "cd /usr && echo 'fn main() {}' > main.rs && rustc main.rs -o main && ./main && cargo --version";
  const container = await docker.createContainer({
    Image,
    Cmd: ["/bin/sh", "-c", script],
    Env: ["PATH=/usr/local/bin:/usr/bin:/bin"],
    HostConfig: { NetworkMode: "none" },
  });
  await container.start();
  const { StatusCode } = await container.wait();
  const told = (await container.logs({ stdout: true, stderr: true })).toString();
  expect({ StatusCode, told }).toEqual({ StatusCode: 0, told: expect.stringContaining("cargo 1.") });
  await container.remove();
});
