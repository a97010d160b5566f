import { expect, test } from "vitest";
import { wayOn } from "./ways-on.ts";

test("offers a way on for each refusal that another name or account does not help", () => {
  expect(wayOn("repository_name_taken")).toBe("use the repository");
  expect(wayOn("source_authorization_needed")).toBe("authorize");
  for (const code of ["source_connection_ended", "source_not_permitted"]) expect(wayOn(code)).toBe("connect");
  expect(wayOn("service_name_taken")).toBe("open the service");
  for (const other of ["source_invalid", "constructor"]) expect(wayOn(other)).toBeNull();
});
