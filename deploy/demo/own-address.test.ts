import { expect, test } from "vitest";
import { assertOwnAddress, ownAddresses } from "./own-address.ts";

test("accepts an address of this machine and names them where one is not", () => {
  expect(ownAddresses()).toContain("127.0.0.1");
  expect(() => assertOwnAddress("127.0.0.1", ["127.0.0.1", "10.0.0.5"])).not.toThrow();
  expect(() => assertOwnAddress("192.0.2.1", ["127.0.0.1", "10.0.0.5"])).toThrow(
    /192\.0\.2\.1 is no address of this machine.*--enroll, of 127\.0\.0\.1, 10\.0\.0\.5/,
  );
});
