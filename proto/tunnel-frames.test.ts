import { expect, test } from "vitest";
import { BulkServiceService } from "./gen/elastic/fleet/v1/fleet.ts";
import type { TunnelRequest, TunnelResponse } from "./gen/elastic/fleet/v1/tunnel.ts";
import { TUNNEL_CALL } from "./tunnel-frames.ts";

const { tunnel } = BulkServiceService;
const SIZES = [0, 1, 127, 128, 16_383, 16_384, 64 * 1024, 100_000];

test.each(SIZES)("data of %i bytes is written and read as the generated code does", (bytes) => {
  const value = Buffer.alloc(bytes, "abc");
  for (const $case of ["stdout", "stderr"] as const) {
    const request: TunnelRequest = { message: { $case, value } };
    const written = tunnel.requestSerialize(request);
    expect(TUNNEL_CALL.requestSerialize(request).equals(written)).toBe(true);
    expect(TUNNEL_CALL.requestDeserialize(written)).toEqual(request);
  }
  const response: TunnelResponse = { message: { $case: "stdin", value } };
  const written = tunnel.responseSerialize(response);
  expect(TUNNEL_CALL.responseSerialize(response).equals(written)).toBe(true);
  expect(TUNNEL_CALL.responseDeserialize(written)).toEqual(response);
});

test("every other message is the generated code's", () => {
  const exit: TunnelRequest = { message: { $case: "exit", value: { code: 3 } } };
  expect(TUNNEL_CALL.requestDeserialize(TUNNEL_CALL.requestSerialize(exit))).toEqual(exit);
  const resize: TunnelResponse = { message: { $case: "resize", value: { columns: 80, rows: 24 } } };
  expect(TUNNEL_CALL.responseDeserialize(TUNNEL_CALL.responseSerialize(resize))).toEqual(resize);
});

test.each([
  ["is cut", [0x12, 5, 1, 2]],
  ["has a length that never ends", [0x12, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80]],
])("data that %s is as wrong as it is to the generated code", (_what, bytes) => {
  expect(() => tunnel.requestDeserialize(Buffer.from(bytes))).toThrow();
  expect(() => TUNNEL_CALL.requestDeserialize(Buffer.from(bytes))).toThrow();
});

test("ignores what a later version adds after the data", () => {
  const added = Buffer.from([0x12, 2, 7, 8, 0x78, 1]);
  expect(TUNNEL_CALL.requestDeserialize(added)).toEqual(tunnel.requestDeserialize(added));
});
