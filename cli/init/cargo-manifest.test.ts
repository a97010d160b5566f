import fc from "fast-check";
import { expect, test } from "vitest";
import { addDependencies } from "./cargo-manifest.ts";

const SDK = { "elastic-sdk": '{ path = "elastic-sdk" }' };
const PACKAGE = '[package]\nname = "prover"\nversion = "0.1.0"\n';

test("what cargo init makes gets the dependency under its header", () => {
  const edited = addDependencies(`${PACKAGE}edition = "2024"\n\n[dependencies]\n`, SDK);
  expect(edited).toEqual({
    kind: "edited",
    text: `${PACKAGE}edition = "2024"\n\n[dependencies]\nelastic-sdk = { path = "elastic-sdk" }\n`,
    added: ["elastic-sdk"],
  });
});

test("a manifest without the table gets one at its end, whatever its line ends", () => {
  expect(addDependencies(PACKAGE, SDK)).toMatchObject({
    text: `${PACKAGE}\n[dependencies]\nelastic-sdk = { path = "elastic-sdk" }\n`,
  });
  expect(addDependencies('[package]\r\nname = "p"', SDK)).toMatchObject({
    text: '[package]\r\nname = "p"\r\n\r\n[dependencies]\r\nelastic-sdk = { path = "elastic-sdk" }\r\n',
  });
});

test("comments, order and spaces of the rest stay as they were", () => {
  const text = `# mine\n${PACKAGE}\n [ dependencies ]  # what it needs\nserde   = "1"   # why\n\n[dependencies.tokio]\nversion = "1"\n`;
  const edited = addDependencies(text, SDK);
  expect(edited).toMatchObject({ kind: "edited", added: ["elastic-sdk"] });
  if (edited.kind !== "edited") return;
  expect(edited.text.replace('elastic-sdk = { path = "elastic-sdk" }\n', "")).toBe(text);
});

test("a dependency that is there stays as the user wrote it", () => {
  const text = `${PACKAGE}\n[dependencies.elastic-sdk]\ngit = "ssh://somewhere"\n`;
  expect(addDependencies(text, SDK)).toEqual({ kind: "edited", text, added: [] });
});

test("what is no package's manifest, or cannot be edited by lines, is refused with the reason", () => {
  expect(addDependencies("[package", SDK)).toMatchObject({ kind: "refused", why: "not-toml" });
  expect(addDependencies('[workspace]\nmembers = ["a"]\n', SDK)).toMatchObject({ kind: "refused", why: "no-package" });
  expect(addDependencies(`dependencies = { serde = "1" }\n${PACKAGE}`, SDK)).toMatchObject({ why: "not-understood" });
  const inText = `${PACKAGE}description = """\n[dependencies]\n"""\n`;
  expect(addDependencies(inText, SDK)).toMatchObject({ why: "not-understood" });
});

test("adding twice is adding once", () => {
  const line = fc.constantFrom(
    "",
    "# a comment",
    'serde = "1"',
    "[dependencies]",
    "[features]",
    'x = ["y"]',
    "\t[dev-dependencies]",
  );
  fc.assert(
    fc.property(fc.array(line, { maxLength: 8 }), (lines) => {
      const once = addDependencies(`${PACKAGE}${lines.join("\n")}`, SDK);
      if (once.kind !== "edited") return;
      expect(addDependencies(once.text, SDK)).toEqual({ kind: "edited", text: once.text, added: [] });
    }),
  );
});
