import { test } from "vitest";
import { cutLeaderOffFromEtcd } from "../scenario/leader-without-etcd.ts";

test("nothing passes between it and etcd: it responds with 503, another leads, and no proof is repeated", async () => {
  await cutLeaderOffFromEtcd("black-hole");
});
