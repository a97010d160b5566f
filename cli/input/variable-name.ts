/** What the service takes as the name of an environment variable. */

const NAME = /^[A-Za-z_][A-Za-z0-9_]{0,127}$/;

export const VARIABLE_RULE = "A name has letters, digits and underscores, and begins with no digit.";

export function isVariableName(text: string): boolean {
  return NAME.test(text);
}
