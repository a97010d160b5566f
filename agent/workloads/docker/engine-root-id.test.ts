import { expect, test } from "vitest";
import { rootIdOf } from "./engine.ts";

test("knows the user of a container's root by the folder of an engine that maps users", () => {
  const DockerRootDir = "/var/lib/docker/165536.165536";
  expect(rootIdOf({ SecurityOptions: ["name=seccomp,profile=default", "name=userns"], DockerRootDir })).toBe(165_536);
  expect(rootIdOf({ SecurityOptions: ["name=seccomp"], DockerRootDir })).toBe(0);
  expect(rootIdOf({ SecurityOptions: null })).toBe(0);
});
