/**
 * The images that the suite builds, driven without the service by testcontainers, as any user of a prover image
 * could: nothing but the container contract is between them.
 */
import { freePort } from "@elastic/deploy/local/free-port.ts";
import { publishImage } from "@elastic/deploy/local/image.ts";
import { verifyProof } from "@elastic/deploy/local/verify-proof.ts";
import { expect, test } from "vitest";
import { startEngine, whyNoEngineHere } from "../cluster/engine.ts";
import { startRegistry } from "../cluster/registry.ts";
import { CLAIM, INPUT } from "./statement.ts";

const noEngine = await whyNoEngineHere();

const EVENT_HEADERS = {
  "content-type": "application/json",
  "ce-specversion": "1.0",
  "ce-id": "0123456789abcdef0123456789abcdef",
  "ce-source": "/test",
  "ce-type": "elastic.task",
};

test.skipIf(noEngine !== null)("the demo prover's image responds to an event with a proof", async () => {
  await using engine = await startEngine();
  await using registry = await startRegistry();
  const image = await publishImage(engine.socket, { name: "poseidon", registryHost: registry.host, tag: "test" });
  // testcontainers reads these when it is loaded. Its reaper is a separate image, from a public registry.
  process.env.DOCKER_HOST = `unix://${engine.socket}`;
  process.env.TESTCONTAINERS_RYUK_DISABLED = "true";
  // Else it looks for the engine's bridge where this runs in a container itself; there is no bridge.
  process.env.TESTCONTAINERS_HOST_OVERRIDE = "127.0.0.1";
  const { GenericContainer, Wait } = await import("testcontainers");
  const port = await freePort();
  const container = await new GenericContainer(image)
    .withNetworkMode("host")
    .withEnvironment({ PORT: String(port) })
    .withWaitStrategy(Wait.forLogMessage(/listening/i))
    .start();
  try {
    const url = `http://127.0.0.1:${port}`;
    expect((await fetch(`${url}/healthz`)).status).toBe(200);
    const response = await fetch(url, { method: "POST", headers: EVENT_HEADERS, body: INPUT });
    expect(response.status).toBe(200);
    expect(await verifyProof((await response.json()) as string, CLAIM)).toBe(true);
  } finally {
    await container.stop();
  }
});
