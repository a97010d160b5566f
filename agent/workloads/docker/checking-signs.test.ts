import { expect, test } from "vitest";
import { lookNowAndThen, portWarning } from "./checking-signs.ts";
import { parseListeningPorts } from "./listening-ports.ts";

test("warns of a prover that listens on other ports, with those and the one that is expected", () => {
  expect(portWarning(8080, [3000])).toBe(
    "the prover listens on port 3000, but tasks come to port 8080: have it listen on 0.0.0.0:$PORT",
  );
  expect(portWarning(8080, [3000, 9090])).toContain("listens on the ports 3000, 9090, but");
});

test.each([[[]], [[8080]], [[3000, 8080]]])("does not warn where the ports %j are open", (open) => {
  expect(portWarning(8080, open)).toBe("");
});

test("looks after two seconds, and every two seconds from then on", async () => {
  let nowMs = 0;
  const look = lookNowAndThen({ listeningPorts: () => [3000], logSince: async () => "loading\n" }, 8080, () => nowMs);
  const signs = { warning: portWarning(8080, [3000]), logTail: "loading\n" };
  const seen = [];
  for (nowMs of [0, 1_999, 2_000, 3_999, 4_000]) seen.push(await look());
  expect(seen).toEqual([null, null, signs, null, signs]);
});

test("reads the ports that are listened on from the kernel's table, connections left out", () => {
  const table = `  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode
   0: 00000000:0BB8 00000000:0000 0A 00000000:00000000 00:00000000 00000000     0        0 1 1 0 100 0 0 10 0
   1: 0100007F:0BB8 0100007F:C350 01 00000000:00000000 00:00000000 00000000     0        0 2 1 0 100 0 0 10 0
   2: 00000000000000000000000000000000:1F90 00000000000000000000000000000000:0000 0A 00000000:00000000 00:00000000
`;
  expect(parseListeningPorts(table)).toEqual([3000, 8080]);
});
