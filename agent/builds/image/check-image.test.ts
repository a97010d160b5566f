import { expect, test } from "vitest";
import { checkImage } from "./check-image.ts";
import type { ImageConfig } from "./image-layout.ts";

const blob = (size: number) => ({ mediaType: "x", digest: `sha256:${"0".repeat(64)}`, size });

function check(config: Partial<ImageConfig>, layers = 1, bytesMax = 1_000): void {
  const image = { architecture: "amd64", os: "linux", config: { Entrypoint: ["/prover"] }, ...config };
  const blobs = Array.from({ length: layers + 1 }, () => blob(1));
  checkImage({ manifest: { ...blob(1), text: Buffer.alloc(0) }, config: image, blobs }, bytesMax);
}

test("accepts an image with a program for linux/amd64, with port 8080 or without any", () => {
  for (const ports of [undefined, {}, { "8080/tcp": {} }, { "8080/tcp": {}, "9000/tcp": {} }]) {
    expect(() => check({ config: { Cmd: ["/prover"], ExposedPorts: ports } })).not.toThrow();
  }
});

test.each([
  [{ architecture: "arm64" }, "linux/arm64"],
  [{ os: "windows" }, "windows/amd64"],
  [{ config: {} }, "no ENTRYPOINT"],
  [{ config: { Entrypoint: [], Cmd: [] } }, "no ENTRYPOINT"],
  [{ config: { Cmd: ["/p"], ExposedPorts: { "80/tcp": {} } } }, "80/tcp"],
])("rejects %j", (config, words) => {
  expect(() => check(config)).toThrow(words);
});

test("rejects an image of too many layers or bytes", () => {
  expect(() => check({}, 121)).toThrow("121 layers");
  expect(() => check({}, 1, 2)).toThrow("3 bytes");
});
