/** The demo prover: what it is deployed from. */
export const DEMO_IMAGE = "builtin:poseidon";
export const DEMO_VERIFIER_IMAGE = "builtin:poseidon-verify";

/** Why a team has a second service after a first try. */
export const VERIFIER_TEXT =
  "A second service, poseidon-verify, is deployed next to it: it checks the proofs that the first one makes.";

/** Of its service, until the user chooses another. */
export const DEMO_NAME = "poseidon-demo";

/** Two integers and their hash (provers/poseidon/README.md). */
export const DEMO_INPUT = `{
  "private_input": [1, 2],
  "public_input": "7853200120776062878684798364095072458815029376092732009249414926327459813530"
}`;
