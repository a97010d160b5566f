import { expect, test } from "vitest";
import { readGoBuildInfo } from "./go-build-info.ts";

const MARK = "0123456789abcdef";
const LIST = [
  "path\tgithub.com/moby/buildkit/cmd/buildkitd",
  "mod\tgithub.com/moby/buildkit\tv0.30.0\th1:aaa=",
  "dep\tgithub.com/old/name\tv1.0.0\th1:bbb=",
  "=>\tgithub.com/new/name\tv1.1.0\th1:ccc=",
  "dep\texample.com/local\tv0.0.0",
  "build\t-trimpath=true",
  "",
].join("\n");

/** As the linker writes it. */
function program(list: string, { flags = 2, at = 64 } = {}): Buffer {
  const header = Buffer.alloc(32);
  Buffer.from("\xff Go buildinf:", "latin1").copy(header);
  header[14] = 8;
  header[15] = flags;
  const text = (content: string): Buffer => {
    const bytes = Buffer.from(content);
    return Buffer.concat([Buffer.from([(bytes.length & 127) | 128, bytes.length >> 7]), bytes]);
  };
  return Buffer.concat([Buffer.alloc(at), header, text("go1.26.1"), text(MARK + list + MARK), Buffer.alloc(9)]);
}

test("reads which package a program is, and the modules that are in it, as they were replaced", () => {
  expect(readGoBuildInfo(program(LIST))).toEqual({
    go: "1.26.1",
    path: "github.com/moby/buildkit/cmd/buildkitd",
    modules: [
      { path: "github.com/moby/buildkit", version: "v0.30.0", sum: "h1:aaa=" },
      { path: "github.com/new/name", version: "v1.1.0", sum: "h1:ccc=" },
      { path: "example.com/local", version: "v0.0.0", sum: null },
    ],
  });
});

test("passes over a program that only mentions the magic, and over one that is cut", () => {
  expect(readGoBuildInfo(program(LIST, { at: 63 }))).toBeNull();
  expect(readGoBuildInfo(program(LIST, { flags: 0 }))).toBeNull();
  expect(readGoBuildInfo(program(LIST).subarray(0, 120))).toBeNull();
  expect(readGoBuildInfo(Buffer.from("\x7fELF of C"))).toBeNull();
});
