import { expect, test } from "vitest";
import { QuotaBook } from "./quota-book.ts";

test("what is on its way counts, for each owner and each quota apart", () => {
  const book = new QuotaBook({ servicesPerTeam: 3, keysPerUser: 3 });
  const give = [book.take("servicesPerTeam", "a", 1), book.take("servicesPerTeam", "a", 1)];
  expect(() => book.take("servicesPerTeam", "a", 1)).toThrow(
    "The team has 3 services, and can have no more until one is gone.",
  );
  book.take("servicesPerTeam", "b", 2);
  book.take("keysPerUser", "a", 2);
  give[0]?.();
  book.take("servicesPerTeam", "a", 1);
  expect(() => book.take("servicesPerTeam", "a", 1)).toThrow(/3 services/);
});
