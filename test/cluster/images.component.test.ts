import { publishImage } from "@elastic/deploy/local/image.ts";
import Docker from "dockerode";
import { expect, test } from "vitest";
import { startEngine, whyNoEngineHere } from "./engine.ts";
import { startRegistry } from "./registry.ts";

const noEngine = await whyNoEngineHere();

test.skipIf(noEngine !== null)("an image that the suite builds is pulled from the registry and runs", async () => {
  await using engine = await startEngine();
  await using registry = await startRegistry();
  const reference = await publishImage(engine.socket, { name: "misbehave", registryHost: registry.host, tag: "test" });
  const docker = new Docker({ socketPath: engine.socket });
  await docker.getImage(reference).remove({ force: true });
  const pulled = await docker.pull(reference);
  await new Promise((resolve, reject) =>
    docker.modem.followProgress(pulled, (error) => (error ? reject(error) : resolve(null))),
  );
  const container = await docker.createContainer({
    Image: reference,
    Env: ["MISBEHAVE=exit", "EXIT_CODE=7"],
    HostConfig: { NetworkMode: "none" },
  });
  await container.start();
  expect(await container.wait()).toMatchObject({ StatusCode: 7 });
  await container.remove();
});
