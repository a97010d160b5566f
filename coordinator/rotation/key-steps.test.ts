import { expect, test } from "vitest";
import type { HeldKeys } from "../store/held-keys.ts";
import { whyKeysDoNotServe } from "../store/key-rotation.ts";
import { type KeyState, type KeyStep, keyPhase, nextKeyStep, whyNotKeyStep } from "./key-steps.ts";

const HOUR_MS = 3_600_000;
const [OLD, NEW] = ["aaaaaaaa", "bbbbbbbb"] as const;

function holder(name: string, keys: readonly string[], complaint: string | null = null): HeldKeys {
  return { id: name, name, startedAt: 0, keys, complaint, authority: null, registry: null };
}

const rotation = { from: OLD, to: NEW, stagedAt: 0, promotedAt: null, retiredAt: null };

function state(given: Partial<KeyState> & { readonly keys?: readonly (readonly string[])[] }): KeyState {
  const { keys = [[OLD], [OLD]], ...rest } = given;
  const known = keys.map((held, index) => holder(`c${index + 1}`, held));
  return { file: [OLD], rotation: null, holders: { known, silent: [] }, sealed: new Map(), now: 0, ...rest };
}

const one = state({});
const staged = state({ file: [OLD, NEW], rotation, keys: Array(2).fill([OLD, NEW]), sealed: new Map([[OLD, 3]]) });
const promotedRotation = { ...rotation, promotedAt: 0 };
const promoted = state({
  file: [NEW, OLD],
  rotation: promotedRotation,
  keys: Array(2).fill([NEW, OLD]),
  sealed: new Map([[OLD, 3]]),
});
const resealed = state({
  ...promoted,
  keys: Array(2).fill([NEW, OLD]),
  sealed: new Map([[NEW, 3]]),
  now: 26 * HOUR_MS,
});

test.each([
  ["one key", one, "stage"],
  ["a staged key", staged, "promote"],
  ["a promoted key and envelopes of the old one", promoted, "reseal"],
  ["everything sealed again", resealed, "retire"],
] as const)("with %s the next step may be done, and no other that changes anything", (_, given, next) => {
  expect(nextKeyStep(given)).toBe(next);
  expect(whyNotKeyStep(next, given)).toBeNull();
  const others = (["stage", "promote", "reseal", "retire"] as const).filter((step) => step !== next);
  const allowed = others.filter((step) => whyNotKeyStep(step, given) === null);
  // Those that wait again for what was done before.
  const repeated: Readonly<Record<KeyStep, readonly KeyStep[]>> = {
    stage: [],
    promote: ["stage"],
    reseal: ["promote"],
    retire: ["promote", "reseal"],
  };
  expect(allowed).toEqual(repeated[next]);
});

test.each([
  [
    "promote",
    "a coordinator lacks the new key",
    { ...staged, ...state({ keys: [[OLD, NEW], [OLD]] }) },
    /not every coordinator has both keys: c2 seals with aaaaaaaa\. .*copy this machine's there/,
  ],
  [
    "reseal",
    "a coordinator seals with the old key",
    state({
      ...promoted,
      holders: state({
        keys: [
          [NEW, OLD],
          [OLD, NEW],
        ],
      }).holders,
    }),
    /not every coordinator seals with key bbbbbbbb: c2 seals with aaaaaaaa and opens with bbbbbbbb/,
  ],
  [
    "retire",
    "a coordinator seals with the old key",
    state({ ...resealed, holders: state({ keys: [[OLD, NEW]] }).holders }),
    /not every coordinator seals with key bbbbbbbb/,
  ],
  [
    "retire",
    "envelopes of the old key are left",
    state({ ...resealed, sealed: new Map([[OLD, 2]]) }),
    /still sealed with key aaaaaaaa: 2 secrets. First `secrets reseal`/,
  ],
  [
    "retire",
    "links that the old key signed are still good",
    state({ ...resealed, now: HOUR_MS }),
    /links to results until 1970-01-02T01:00Z, rights to pull images until .* --now/,
  ],
  [
    "retire",
    "it is not recorded since when the old key signs nothing",
    state({ ...resealed, rotation }),
    /not recorded since when key aaaaaaaa signs nothing: first `secrets promote`/,
  ],
  [
    "stage",
    "the coordinators have another key",
    state({ file: [NEW] }),
    /the key file of this machine has key bbbbbbbb, but c1 seals with aaaaaaaa/,
  ],
  [
    "stage",
    "everything is sealed again and the old key is not retired",
    resealed,
    /key aaaaaaaa is still to be retired: nothing is sealed with it, so `secrets retire`$/,
  ],
  [
    "reseal",
    "this machine has a copy of the file from before the promotion",
    state({ ...resealed, file: [OLD, NEW] }),
    /this machine still has key aaaaaaaa first, but the coordinators seal with key bbbbbbbb .*: copy the key file/,
  ],
  ["promote", "nothing is staged", one, /no second key is in the key file: first `secrets stage`/],
] as const)("refuses %s while %s", (step, _, given, why) => {
  const file = step === "promote" && given !== one ? staged.file : given.file;
  expect(whyNotKeyStep(step, { ...given, file })).toMatch(why);
});

test("refuses every step while a coordinator does not report its keys or complains of its file", () => {
  const silent = { ...staged, holders: { ...staged.holders, silent: ["10.0.0.1:8443"] } };
  expect(whyNotKeyStep("promote", silent)).toMatch(/10\.0\.0\.1:8443 runs an earlier version/);
  const holders = { known: [holder("c1", [OLD, NEW], "the file is empty")], silent: [] };
  expect(whyNotKeyStep("promote", { ...staged, holders })).toMatch(/c1 .* \(the file is empty\)/);
});

test("retires at once where that is said, and only then, what was signed being good", () => {
  const early = { ...resealed, now: HOUR_MS };
  expect(whyNotKeyStep("retire", early)).not.toBeNull();
  expect(whyNotKeyStep("retire", early, true)).toBeNull();
});

test("takes the second of two keys for the old one where it sealed something, if no command staged it", () => {
  const two = { file: [NEW, OLD], rotation: null };
  expect(keyPhase({ ...two, sealed: new Map([[OLD, 1]]) })).toEqual({ kind: "promoted", from: OLD, to: NEW });
  expect(keyPhase({ ...two, sealed: new Map([[NEW, 1]]) })).toEqual({ kind: "staged", from: NEW, to: OLD });
});

const recorded = { ...rotation, promotingAt: null };
const promoting = { ...rotation, promotingAt: 0 };
const retired = { ...promotedRotation, retiredAt: 1 };

test.each([
  ["staged", recorded, [OLD], null],
  ["staged", recorded, [OLD, NEW], null],
  [
    "staged",
    recorded,
    [NEW, OLD],
    /has key bbbbbbbb first, which .* is staged only.*put the line of key aaaaaaaa first/,
  ],
  ["staged", recorded, [NEW], /not key aaaaaaaa.*back as the first one/],
  ["staged", recorded, ["cccccccc", OLD], /is none of the keys of the last rotation/],
  ["staged by a command that recorded no promotion under way", rotation, [NEW, OLD], null],
  ["being promoted", promoting, [OLD, NEW], null],
  ["being promoted", promoting, [NEW, OLD], null],
  ["being promoted", promoting, [OLD], /not key bbbbbbbb.*copy the key file of another coordinator/],
  ["being promoted", promoting, [NEW], /not key aaaaaaaa.*back as the second one/],
  ["promoted", promotedRotation, [NEW, OLD], null],
  [
    "promoted",
    promotedRotation,
    [OLD, NEW],
    /has key aaaaaaaa first, .* no longer does since 1970-01-01T00:00:00.000Z/,
  ],
  ["promoted", promotedRotation, [OLD], /not key bbbbbbbb.*copy the key file of another coordinator/],
  [
    "promoted",
    promotedRotation,
    [NEW],
    /not key aaaaaaaa, which no longer seals, but opens .*`secrets retire`.*second one/,
  ],
  ["retired", retired, [NEW], null],
  ["retired", retired, [NEW, OLD], null],
  ["retired", retired, [NEW, "cccccccc"], null],
  ["retired", retired, [OLD], /not key bbbbbbbb.*back as the first one/],
  [
    "retired",
    retired,
    [OLD, NEW],
    /has key aaaaaaaa first, which would seal and was retired on .*: copy the key file .* put the line of key bbbbbbbb first/,
  ],
] as const)("with a key that is %s, decides whether a coordinator starts with its file", (_, read, keys, why) => {
  const reason = whyKeysDoNotServe(read, keys);
  if (why === null) expect(reason).toBeNull();
  else expect(reason).toMatch(why);
});

test.each(["stage", "promote", "reseal", "retire"] as const)(
  "refuses %s with a file from before a promotion",
  (step) => {
    for (const read of [promoting, promotedRotation, retired]) {
      const before = state({ rotation: read });
      expect(whyNotKeyStep(step, before)).toMatch(
        /has key aaaaaaaa and not key bbbbbbbb, .*: copy the key file of a coordinator/,
      );
    }
  },
);
