import { expect, test } from "vitest";
import { StoreChangedError } from "../kv.ts";
import { StoreIdentity } from "./store-identity.ts";

const header = (revision: number, clusterId = "7") => ({ clusterId, revision });
const INSTALLATION = { epoch: 1, blobStoreId: "b" };

/** One that knows revision 100 of cluster 7. */
function known(): { readonly identity: StoreIdentity; readonly reported: StoreChangedError[] } {
  const identity = new StoreIdentity();
  const reported: StoreChangedError[] = [];
  identity.onChanged((changed) => reported.push(changed));
  identity.admits(header(100), 0);
  identity.belongsTo(INSTALLATION);
  return { identity, reported };
}

test("knows the highest revision of the answers that it admits", () => {
  const { identity } = known();
  expect(identity.admits(header(120), 100)).toBe(true);
  expect(identity.admits(header(110), 100)).toBe(true);
  expect(identity.known()).toEqual({ ...header(120), ...INSTALLATION });
});

test("requests a check for a lower answer, and changes nothing until that is decided", () => {
  const { identity, reported } = known();
  expect(identity.admits(header(60), 100)).toBe(false);
  identity.confirm({ ...header(100), installation: INSTALLATION }, 100);
  expect([identity.changed(), reported]).toEqual([null, []]);
});

test("reports a confirmed step back once, with what to do", () => {
  const { identity, reported } = known();
  const confirm = () => identity.confirm({ ...header(60), installation: INSTALLATION }, 100);
  expect(confirm).toThrow(StoreChangedError);
  expect(confirm).toThrow(StoreChangedError);
  expect(reported).toEqual([identity.changed()]);
  expect(identity.changed()?.message).toMatch(/went back from 100 to 60.*restart one of them with --accept-store 2 /);
});

test("keeps what it knew after a step back", () => {
  const { identity } = known();
  expect(() => identity.confirm({ ...header(1), installation: null }, 100)).toThrow();
  identity.admits(header(900), 100);
  expect(identity.known()).toEqual({ ...header(100), ...INSTALLATION });
});

test("reports another cluster at its first answer", () => {
  const { identity } = known();
  expect(identity.admits(header(500, "8"), 100)).toBe(true);
  expect(identity.changed()?.message).toContain("it is the cluster 8, and was 7");
});

test("reports an acceptance at another coordinator as one", () => {
  const { identity } = known();
  const accepted = { ...header(60), installation: { ...INSTALLATION, epoch: 2 } };
  expect(() => identity.confirm(accepted, 100)).toThrow(/accepted at another coordinator.*Restart this coordinator/);
});
