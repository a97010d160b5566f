import { expect, test } from "vitest";
import { browserProgram } from "./open-browser.ts";

const PAGE = "https://proving.example.com/device";

test("opens the page with the system's program for pages", () => {
  expect(browserProgram(PAGE, { DISPLAY: ":0" }, "linux")).toEqual(["xdg-open", PAGE]);
  expect(browserProgram(PAGE, { WAYLAND_DISPLAY: "wayland-0" }, "linux")).toEqual(["xdg-open", PAGE]);
  expect(browserProgram(PAGE, {}, "darwin")).toEqual(["open", PAGE]);
  expect(browserProgram(PAGE, {}, "win32")).toEqual(["rundll32", "url.dll,FileProtocolHandler", PAGE]);
});

test("opens nothing without a desktop, and nothing that is no page", () => {
  expect(browserProgram(PAGE, { DISPLAY: "" }, "linux")).toBeNull();
  for (const address of ["file:///etc/passwd", "--help", "javascript:alert(1)", ""]) {
    expect(browserProgram(address, {}, "darwin")).toBeNull();
  }
});
