import { expect, test } from "vitest";
import { parseIp, parseRange } from "./ip-address.ts";
import { ip } from "./testing/ip.ts";

test("addresses are read as they are written", () => {
  expect(ip("::")).toEqual(Array(16).fill(0));
  expect(ip("1::8.7.6.5")).toEqual([0, 1, ...Array(10).fill(0), 8, 7, 6, 5]);
  expect(ip("2001:db8:1:2:3:4:5:6")).toEqual([32, 1, 13, 184, 0, 1, 0, 2, 0, 3, 0, 4, 0, 5, 0, 6]);
  expect(ip("fe80::1:2")).toEqual([254, 128, ...Array(11).fill(0), 1, 0, 2]);
  for (const text of ["fe80::1%eth0", "1.2.3", "01.2.3.4", "x", ""]) expect(parseIp(text)).toBeNull();
  expect(parseRange("::/0")).toEqual({ base: Array(16).fill(0), prefixBits: 0 });
});
