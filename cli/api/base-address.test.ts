import { expect, test } from "vitest";
import { notTheBaseAddress } from "./base-address.ts";

test.each([
  ["http://h:8080/v1", "Give the address without its path: http://h:8080."],
  ["http://h:8080/v1/services/x", "Give the address without its path: http://h:8080."],
  ["https://h/base/v1", "Give the address without its path: https://h/base."],
  ["https://h/docs", "Give the address without its path: https://h."],
  ["https://h", "Give the address that the service is reached at, as in https://proving.example.com."],
])("for %s the next step is: %s", (address, next) => {
  expect(notTheBaseAddress(address, undefined)).toMatchObject({
    message: `${address} is not the base address of the service.`,
    next,
    exitCode: 2,
  });
});
