/** What a build needs of others and does not get: named, and the next build is as it was. */
import { afterAll, afterEach, beforeAll, expect, test, vi } from "vitest";
import { FileUnavailableError } from "../volumes/fetch-file.ts";
import { type BuildFixture, startBuildFixture } from "./testing/build-fixture.ts";

// A push to a registry that is down is tried for seven seconds.
vi.setConfig({ testTimeout: 60_000 });

let builder: BuildFixture;

beforeAll(async () => {
  builder = await startBuildFixture();
});
afterAll(() => builder.close());
afterEach(async () => {
  if (builder.registryPart.child().exit() !== null) await builder.registryPart.start();
  expect((await builder.build(PROVER)).failure).toBeNull();
});

const PROVER = [["Dockerfile", 'FROM busybox:1\nRUN echo run > /prover\nENTRYPOINT ["/prover"]\n']] as const;

test("names the registry that is down when the image is pushed", async () => {
  let killed = Promise.resolve();
  const { failure, stages } = await builder.build(
    PROVER,
    {},
    {
      onStage: (stage) => {
        if (stage === "checking") killed = builder.registryPart.kill();
      },
    },
  );
  await killed;
  expect(stages.at(-1)).toBe("pushing");
  expect(failure).toMatchObject({ reason: "registry_unavailable", message: expect.stringContaining(builder.registry) });
});

test("names the base image that cannot be pulled while the registry is down", async () => {
  await builder.registryPart.kill();
  const { failure } = await builder.build(PROVER);
  expect(failure).toMatchObject({ reason: "base_image_unavailable", message: expect.stringContaining("busybox:1") });
});

test("names a source that is gone", async () => {
  const { failure, stages } = await builder.build(
    PROVER,
    {},
    {
      // biome-ignore lint/correctness/useYield: it has nothing to yield.
      open: async function* () {
        throw new FileUnavailableError("the coordinator has it no longer");
      },
    },
  );
  expect([failure?.reason, stages]).toEqual(["source_unavailable", ["fetching"]]);
  expect(failure?.message).toBe("the source could not be fetched: it is gone");
});
