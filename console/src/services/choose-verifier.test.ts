import { expect, test } from "vitest";
import { chooseVerifier } from "./choose-verifier.ts";

const IMAGE = "builtin:poseidon-verify";

function service(given: Partial<Parameters<typeof chooseVerifier>[0][number]>) {
  return { service_id: "id", service_name: "poseidon-verify", image: IMAGE, state: "Ready", ...given } as const;
}

test("takes the verifier that runs, whatever its name", () => {
  const choice = { kind: "running", serviceId: "id" };
  expect(chooseVerifier([service({}), service({ service_id: "b" })], IMAGE)).toEqual(choice);
  expect(chooseVerifier([service({ service_name: "x", state: "Unready" })], IMAGE)).toEqual(choice);
});

test("deploys one that failed, or that was created and not deployed", () => {
  const choice = { kind: "deploy", serviceId: "id" };
  expect(chooseVerifier([service({ state: "Failed" })], IMAGE)).toEqual(choice);
  expect(chooseVerifier([service({ image: null, state: "Unready", service_name: "Poseidon-Verify" })], IMAGE)).toEqual(
    choice,
  );
});

test("never deploys over another prover of that name, and creates the verifier under a free one", () => {
  expect(chooseVerifier([], IMAGE)).toEqual({ kind: "create", name: "poseidon-verify" });
  const others = [
    service({ image: "r/x", state: "Failed" }),
    service({ image: "r/x", service_name: "Poseidon-verify-2" }),
  ];
  expect(chooseVerifier(others, IMAGE)).toEqual({ kind: "create", name: "poseidon-verify-3" });
});
