/** The self-test on the library itself, and with tampered answers. */
import { beforeAll, expect, test } from "vitest";
import { ACCEL_LIBRARY } from "../../testing/start-test-agent.ts";
import { Accelerator } from "./accelerator.ts";
import { bindZka } from "./bind.ts";
import { LIMBS } from "./bn256.ts";
import { type Answers, knownAnswers, queryLibrary, whatIsWrong } from "./known-answers.ts";

const LOG2 = 5;
const N = 2 ** LOG2;
const known = knownAnswers(LOG2);

let answers: Answers;
beforeAll(() => {
  answers = queryLibrary(new Accelerator(bindZka(ACCEL_LIBRARY), "cpu"), LOG2);
});

/** A copy with the lowest bit of one word turned. */
function bent(words: BigUint64Array, word: number): BigUint64Array {
  return words.map((value, index) => (index === word ? value ^ 1n : value));
}

test("the library computes the known answers", () => {
  expect(answers.transformed.length).toBe(N * LIMBS);
  expect(answers.inverted.length).toBe(N * LIMBS);
  expect(whatIsWrong(answers, known)).toBeNull();
});

test("one wrong bit in any limb of any answer is found, and named", () => {
  for (let word = 0; word < N * LIMBS; word++) {
    const number = Math.floor(word / LIMBS);
    expect(whatIsWrong({ ...answers, transformed: bent(answers.transformed, word) }, known)).toBe(
      `1 of ${N} values of the transform is wrong, first number ${number}`,
    );
    expect(whatIsWrong({ ...answers, inverted: bent(answers.inverted, word) }, known)).toBe(
      `1 of ${N} inverses is wrong, first number ${number}`,
    );
  }
  for (let word = 0; word < 2 * LIMBS; word++) {
    expect(whatIsWrong({ ...answers, sum: bent(answers.sum, word) }, known)).toContain(
      "coordinates of the sum of multiples",
    );
  }
});

test("finds missing answers wrong, and reports all that is wrong", () => {
  const none = new BigUint64Array(0);
  const wrong = whatIsWrong({ transformed: answers.transformed, inverted: none, sum: bent(answers.sum, 0) }, known);
  expect(wrong).toBe(
    `${N} of ${N} inverses are wrong, first number 0; 1 of 2 coordinates of the sum of multiples is wrong, first number 0`,
  );
});
