import { expect, test } from "vitest";
import { browserProgram } from "./open-page.ts";

const PAGE = "https://proving.example.com/device";
const DESKTOP = { browser: undefined, hasDesktop: true };
const NO_DESKTOP = { browser: undefined, hasDesktop: false };

test("opens the page with the system's program for pages, or with the user's", () => {
  expect(browserProgram(PAGE, DESKTOP, "linux")).toEqual(["xdg-open", PAGE]);
  expect(browserProgram(PAGE, NO_DESKTOP, "darwin")).toEqual(["open", PAGE]);
  expect(browserProgram(PAGE, NO_DESKTOP, "win32")).toEqual(["rundll32", "url.dll,FileProtocolHandler", PAGE]);
  expect(browserProgram(PAGE, { browser: "lynx", hasDesktop: false }, "linux")).toEqual(["lynx", PAGE]);
});

test("opens nothing without a desktop, and nothing that is no page", () => {
  expect(browserProgram(PAGE, NO_DESKTOP, "linux")).toBeNull();
  for (const address of ["file:///etc/passwd", "--help", "javascript:alert(1)", ""]) {
    expect(browserProgram(address, DESKTOP, "darwin")).toBeNull();
  }
});
