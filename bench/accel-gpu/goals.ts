/** What is aimed at on a GPU, by a row's name and size. */

export const ON_H200 = /\bH200\b/;

/** The most milliseconds on an H200, with everything in its memory: three fifths of what its multipliers could do. */
export const MOST_MS: Readonly<Record<string, number>> = {
  "multi-scalar multiplication, 2^20": 5,
  "multi-scalar multiplication, 2^22": 15,
  "multi-scalar multiplication, 2^24": 52,
  "number theoretic transform, 2^20": 0.35,
  "number theoretic transform, 2^22": 1.3,
  "number theoretic transform, 2^24": 5.5,
  "number theoretic transform, 2^26": 25,
};

/** The least ratio to a peer on the same GPU. */
export const LEAST_RATIOS: Readonly<Record<string, Readonly<Record<string, number>>>> = {
  "multi-scalar multiplication, 2^22": { sppark: 2 },
  "multi-scalar multiplication, 2^24": { sppark: 2 },
  "number theoretic transform, 2^22": { sppark: 1.3 },
  "number theoretic transform, 2^24": { sppark: 1.3 },
  "quotient: gates of the Poseidon circuit, 2^20": { "zkaccel cpu": 10 },
  "multiopen: fold of eight polynomials, 2^20": { "zkaccel cpu": 10 },
  "multiopen: division by a root, 2^20": { "zkaccel cpu": 10 },
  "multiopen: value at a point, 2^20": { "zkaccel cpu": 10 },
};
