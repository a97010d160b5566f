import { expect, test } from "vitest";
import { EtcdMembers } from "./etcd-members.ts";

const ENDPOINTS = ["http://a:1", "http://b:1", "http://c:1"] as const;

test("stays with a member until it is left, and comes around to it again", () => {
  const members = new EtcdMembers(ENDPOINTS, 1);
  const seen = Array.from({ length: 4 }, () => {
    const at = members.current();
    members.leave(at);
    return at;
  });
  expect(seen).toEqual(["http://b:1", "http://c:1", "http://a:1", "http://b:1"]);
});

test("stays where only a member fails that was left already", () => {
  const members = new EtcdMembers(ENDPOINTS, 0);
  members.leave("http://a:1");
  members.leave("http://a:1");
  expect(members.current()).toBe("http://b:1");
});
