import { expect, test } from "vitest";
import { assertConfidential } from "./confidential.ts";

test.each(["https://a.example", "http://127.0.0.1:8088", "http://localhost:1", "http://[::1]:1"])(
  "lets a key go to %s",
  (url) => expect(assertConfidential(url, { checksCertificates: true })).toBeUndefined(),
);

test("sends no key over http to another machine, and says how to reach it", () => {
  const send = () => assertConfidential("http://10.0.0.1:8080", { checksCertificates: true });
  expect(send).toThrow("An API key is not sent to http://10.0.0.1:8080: it is not encrypted");
  expect(send).toThrow(
    expect.objectContaining({ next: expect.stringContaining("ssh -L 8088:127.0.0.1:8080 10.0.0.1") }),
  );
});

test("sends no key over https where certificates are not checked", () => {
  const send = (url: string) => () => assertConfidential(url, { checksCertificates: false });
  expect(send("https://a.example")).toThrow("NODE_TLS_REJECT_UNAUTHORIZED=0 turns off the check of its certificate");
  expect(send("http://127.0.0.1:8088")).not.toThrow();
});
