import { MantineProvider } from "@mantine/core";
import type { UseQueryResult } from "@tanstack/react-query";
import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";
import { ApiError } from "../api/problem.ts";
import { QueryState } from "./query-state.tsx";

function shown(error: Error | null, data: string | undefined): string {
  const query = { data, error, refetch: () => undefined } as unknown as UseQueryResult<string>;
  const state = QueryState<string>({ query, children: (text) => text });
  return renderToStaticMarkup(createElement(MantineProvider, null, state));
}

test("shows what was read before while reading it again fails on the way", () => {
  for (const error of [null, new TypeError("no network"), new ApiError(503, { detail: "busy" })])
    expect(shown(error, "a proof")).toContain("a proof");
});

test("hides what was read before once it is refused to the user, and says why", () => {
  for (const status of [401, 403, 404]) {
    const page = shown(new ApiError(status, { detail: "There is no such service." }), "a proof");
    expect(page).not.toContain("a proof");
    expect(page).toContain("There is no such service.");
  }
});
