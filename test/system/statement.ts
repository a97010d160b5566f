/** What the demo prover proves in tests, and a false statement next to it. */

const PUBLIC_INPUT = "7853200120776062878684798364095072458815029376092732009249414926327459813530";

/** The task's input as JSON text. */
export const INPUT = `{"private_input":[1,2],"public_input":"${PUBLIC_INPUT}"}`;

export const CLAIM = { inputs: 2, publicInput: PUBLIC_INPUT };

/** One digit is another. */
export const WRONG_CLAIM = { ...CLAIM, publicInput: PUBLIC_INPUT.replace(/0$/, "1") };

export const WRONG_INPUT = `{"private_input":[1,2],"public_input":"${WRONG_CLAIM.publicInput}"}`;
