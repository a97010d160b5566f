import { expect, test } from "vitest";
import { ConnectionCount, type Counted } from "./connection-count.ts";
import { CONNECTIONS_PER_SHELL_MAX, UNKNOWN_CONNECTIONS_MAX, UNKNOWN_PER_SOURCE_MAX } from "./limits.ts";
import { sourceOf } from "./source.ts";

class One implements Counted {
  readonly source: string;
  dropped = false;
  readonly #count: ConnectionCount;

  constructor(count: ConnectionCount, source: string) {
    this.source = source;
    this.#count = count;
    count.opened(this);
  }

  drop(): void {
    this.dropped = true;
    this.#count.closed(this);
  }
}

test("a source that opens too many loses its own oldest", () => {
  const count = new ConnectionCount();
  const all = Array.from({ length: UNKNOWN_PER_SOURCE_MAX + 2 }, () => new One(count, "a"));
  expect(all.map(({ dropped }) => dropped).indexOf(false)).toBe(2);
  expect(count.unknown).toBe(UNKNOWN_PER_SOURCE_MAX);
});

test("when there are too many over all, the source with most gives way", () => {
  const count = new ConnectionCount();
  const owner = new One(count, "owner");
  const many = Array.from({ length: UNKNOWN_CONNECTIONS_MAX * 3 }, (_, n) => new One(count, `flood ${n % 20}`));
  expect(owner.dropped).toBe(false);
  expect(count.unknown).toBe(UNKNOWN_CONNECTIONS_MAX);
  expect(many.at(-1)?.dropped).toBe(false);
});

test("a source from which somebody came in before stays, however many others come", () => {
  const count = new ConnectionCount();
  expect(count.loggedIn(new One(count, "owner"), "shell")).toBe(true);
  const [known, unknown] = [new One(count, "owner"), new One(count, "foreign")];
  for (let n = 0; n < UNKNOWN_CONNECTIONS_MAX * 2; n += 1) new One(count, `flood ${n}`);
  expect([known.dropped, unknown.dropped]).toEqual([false, true]);
  // Nor are they more than there may be.
  for (let n = 0; n < UNKNOWN_CONNECTIONS_MAX * 2; n += 1) {
    expect(count.loggedIn(new One(count, `known ${n}`), `shell ${n}`)).toBe(true);
    new One(count, `known ${n}`);
  }
  expect(count.unknown).toBe(UNKNOWN_CONNECTIONS_MAX);
});

test("a shell has so many connections, and one that ends makes room", () => {
  const count = new ConnectionCount();
  const all = Array.from({ length: CONNECTIONS_PER_SHELL_MAX }, (_, n) => new One(count, `s${n}`));
  expect(all.every((one) => count.loggedIn(one, "shell"))).toBe(true);
  const late = new One(count, "late");
  expect(count.loggedIn(late, "shell")).toBe(false);
  expect(count.loggedIn(late, "other")).toBe(true);
  count.loggedOut(late, "other");
  count.loggedOut(late, "shell");
  expect(count.loggedIn(new One(count, "late"), "shell")).toBe(true);
  expect(count.unknown).toBe(0);
});

test.each([
  ["203.0.113.9", "203.0.113.9"],
  ["::ffff:203.0.113.9", "203.0.113.9"],
  ["2001:DB8:1:2:3:4:5:6", "2001:db8:1:2::/64"],
  ["2001:db8::6", "2001:db8:0:0::/64"],
  ["fe80::1%eth0", "fe80:0:0:0::/64"],
  [undefined, ""],
])("the source of %s is %s", (address, source) => {
  expect(sourceOf(address)).toBe(source);
});
