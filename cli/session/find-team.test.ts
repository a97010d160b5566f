import { expect, test } from "vitest";
import { pickTeam } from "./find-team.ts";

const TEAMS = [
  { team_id: "aa", name: "research" },
  { team_id: "bb", name: "aa" },
  { team_id: "cc", name: "twin" },
  { team_id: "dd", name: "twin" },
];

test("a team is picked by its id before its name", () => {
  expect(pickTeam(TEAMS, "research").team_id).toBe("aa");
  expect(pickTeam(TEAMS, "aa").name).toBe("research");
});

test("a name that is unknown or shared picks none and names the choices", () => {
  expect(() => pickTeam(TEAMS, "nobody")).toThrow("in no team named nobody");
  expect(() => pickTeam(TEAMS, "twin")).toThrow("Several teams are named twin");
});
