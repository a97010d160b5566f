/** How an image is requested; docker.component.test.ts pulls real ones. */
import { Readable } from "node:stream";
import type Docker from "dockerode";
import { expect, test } from "vitest";
import type { ImageUse } from "../../domain/image-use.ts";
import type { PullRight } from "../../domain/pull-right.ts";
import { StartFailure } from "../../domain/start-failure.ts";
import { NO_EVICTIONS } from "../../testing/no-evictions.ts";
import { pullImage } from "./pull-image.ts";

const IMAGE = "registry.example.com:5000/team/prover@sha256:0";

interface Script {
  /** What each pull ends with, in order; null for an image that came. */
  readonly pulls: readonly (string | null)[];
  readonly right?: () => Promise<PullRight | null>;
  readonly images?: ImageUse;
}

async function pull({ pulls, right = async () => null, images = NO_EVICTIONS }: Script) {
  const shown: unknown[] = [];
  let here = false;
  const docker = {
    getImage: () => ({
      inspect: async () => {
        if (here) return { Id: "i" };
        throw Object.assign(new Error("no such image"), { statusCode: 404 });
      },
    }),
    pull: async (_image: string, options: { readonly authconfig?: unknown }) => {
      shown.push(options.authconfig ?? null);
      const error = pulls[shown.length - 1] ?? null;
      here = error === null;
      return Readable.from([Buffer.from(`${JSON.stringify(error === null ? { status: "x" } : { error })}\n`)]);
    },
  } as unknown as Docker;
  const options = { onBytes: () => undefined, right, images, signal: new AbortController().signal };
  const failure = await pullImage(docker, IMAGE, options).then(
    () => null,
    (error: unknown) => StartFailure.from(error),
  );
  return { shown, reason: failure?.reason ?? null, message: failure?.message ?? null };
}

test("the right to pull is shown to its own registry alone", async () => {
  const of = (host: string) => pull({ pulls: [null], right: async () => ({ host, password: "p" }) });
  const auth = { username: "node", password: "p", serveraddress: "registry.example.com:5000" };
  expect(await of("registry.example.com:5000")).toMatchObject({ reason: null, shown: [auth] });
  for (const host of ["registry.example.com", "other:5000", "registry.example.com:50", ""]) {
    expect([host, (await of(host)).shown]).toEqual([host, [null]]);
  }
  expect((await pull({ pulls: [null] })).shown).toEqual([null]);
});

test("a right that cannot be had is no fault of the image", async () => {
  const right = () => Promise.reject(new Error("no coordinator responds"));
  expect(await pull({ pulls: [], right })).toMatchObject({
    shown: [],
    reason: "internal",
    message: expect.stringContaining("no coordinator responds"),
  });
});

test("requests again of a registry that is away for a moment, each time with a new right", async () => {
  let requested = 0;
  const right = async () => ({ host: "registry.example.com:5000", password: `p${++requested}` });
  const away = [
    "dial tcp 10.0.0.1:5000: connect: connection refused",
    "unexpected HTTP status: 503 Service Unavailable",
  ];
  const { shown, reason } = await pull({ pulls: [...away, null], right });
  expect({ reason, passwords: shown.map((auth) => (auth as PullRight).password) }).toEqual({
    reason: null,
    passwords: ["p1", "p2", "p3"],
  });
});

test("reports what is final at once", async () => {
  for (const words of ["manifest unknown", "pull access denied", "unauthorized: authentication required"]) {
    expect(await pull({ pulls: [words, null] })).toMatchObject({ reason: "image_unavailable", shown: [null] });
  }
});

test("reports that the node has no room for it as the node's fault", async () => {
  const words = "write /var/lib/docker/tmp/GetImageBlob1: no space left on device";
  expect(await pull({ pulls: [words] })).toMatchObject({ reason: "node_disk_full", shown: [null] });
});

test("is looked for after an eviction of it has ended, and noted before it is fetched", async () => {
  const order: string[] = [];
  const images = {
    whenSettled: async (image: string) => void order.push(`settled ${image}`),
    fetching: async (image: string) => void order.push(`fetching ${image}`),
  };
  const right = async () => {
    order.push("right");
    return null;
  };
  await pull({ pulls: [null], right, images });
  expect(order).toEqual([`settled ${IMAGE}`, `fetching ${IMAGE}`, "right"]);
});
