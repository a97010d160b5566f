import { expect, test } from "vitest";
import { chooseTeam, listOf } from "./choose-team.ts";

const TEAMS = [
  { team_id: "a", default: false },
  { team_id: "b", default: true },
];

test("chooses the first remembered team that the user is in, else the default", () => {
  expect(chooseTeam(TEAMS, ["a", "b"])).toBe("a");
  expect(chooseTeam(TEAMS, ["left", "a"])).toBe("a");
  expect(chooseTeam(TEAMS, ["left", null])).toBe("b");
  expect(chooseTeam([], ["left", null])).toBeNull();
});

test("leads from what one team has to the list of such things", () => {
  expect(["/services/1/logs", "/services/new", "/shells/1/terminal", "/volumes/1", "/tasks/1"].map(listOf)).toEqual([
    "/services",
    "/services",
    "/shells",
    "/volumes",
    "/settings/task-history",
  ]);
  for (const path of ["/services", "/keys", "/settings/team", "/operators/machines/1"]) expect(listOf(path)).toBe(path);
});
