/** Every spelling of an address that is not public, and every URL that is odd, is refused before anything is resolved. */

import { classifyAddress } from "@elastic/std/net/address-class.ts";
import { parseIp } from "@elastic/std/net/ip-address.ts";
import { ip } from "@elastic/std/net/testing/ip.ts";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type AllowRule, parseAllowRule } from "./allow-list.ts";
import { checkAddresses, checkUrl, type GuardOptions } from "./check-url.ts";
import { EgressError } from "./egress-error.ts";

function guard(...rules: readonly string[]): GuardOptions {
  const allow = rules.map((text): AllowRule => {
    const rule = parseAllowRule(text);
    if (rule === null) throw new Error(`${text} is no rule`);
    return rule;
  });
  return { allow, own: [ip("8.8.4.4")] };
}

function refusal(act: () => unknown): string {
  try {
    act();
    return "allowed";
  } catch (error) {
    if (error instanceof EgressError) return error.code;
    throw error;
  }
}

describe("a literal address in a URL", () => {
  test.each([
    "https://2130706433/",
    "https://0x7f.1/",
    "https://0177.0.0.1/",
    "https://127.1/",
    "https://①②⑦.⓪.⓪.①/",
    "https://0/",
    "https:169.254.169.254",
    "https://169.254.169.254./",
    "https://127.0.0.1/",
    "https://[::1]/",
    "https://[::]/",
    "https://[::ffff:127.0.0.1]/",
    "https://[0:0:0:0:0:ffff:a9fe:a9fe]/",
    "https://[fd00:ec2::254]/",
    "https://[64:ff9b::a9fe:a9fe]/",
    "https://[2002:a00:1::1]/",
    "https://10.0.0.1/",
    "https://192.168.0.1:8443/",
    "https://100.64.0.1/",
    "https://255.255.255.255/",
    "https://224.0.0.1/",
    "https://8.8.4.4/",
    "https://localhost/",
    "https://localhost./",
    "https://localhost../",
    "https://LOCALHOST/",
    "https://a.localhost/",
    "https://printer.local/",
    "https://metadata.google.internal/",
    "https://intranet/",
  ])("%s is refused for where it leads", (url) => {
    expect(refusal(() => checkUrl(url, guard()))).toBe("address_refused");
  });

  test.each([
    ["https://1.1.1.1/", "1.1.1.1"],
    ["https://[2606:4700:4700::1111]:8443/x?y=1", "2606:4700:4700::1111"],
    ["https://example.com./", "example.com"],
    ["https://münchen.example/", "xn--mnchen-3ya.example"],
  ])("%s may be called", (url, host) => {
    expect(checkUrl(url, guard()).host).toBe(host);
  });
});

test.each([
  ["nothing", "", "url_invalid"],
  ["words", "not a url", "url_invalid"],
  ["a path", "/v1/hooks", "url_invalid"],
  ["no host", "https://", "url_invalid"],
  ["a backslash before another host", "https:/\\169.254.169.254/", "url_invalid"],
  ["a backslash behind the host", "https://example.com\\@169.254.169.254/", "url_invalid"],
  ["a line break in it", "https://exam\nple.com/", "url_invalid"],
  ["a space before it", " https://example.com/", "url_invalid"],
  ["a zone", "https://[fe80::1%25eth0]/", "url_invalid"],
  ["a user name", "https://user@example.com/", "userinfo_refused"],
  ["a host as user name", "https://example.com:80@169.254.169.254/", "userinfo_refused"],
  ["an empty password", "https://:p@example.com/", "userinfo_refused"],
  ["no TLS", "http://example.com/", "scheme_refused"],
  ["a file", "file:///etc/passwd", "scheme_refused"],
  ["gopher", "gopher://example.com/", "scheme_refused"],
  ["FTP", "ftp://example.com/", "scheme_refused"],
  ["data", "data:text/plain,x", "scheme_refused"],
  ["a Unix socket", "unix:/var/run/docker.sock", "scheme_refused"],
  ["a script", "javascript:alert(1)", "scheme_refused"],
  ["10 kB", `https://example.com/${"x".repeat(10_000)}`, "url_too_long"],
  ["what grows beyond the limit by being escaped", `https://example.com/${"é".repeat(600)}`, "url_too_long"],
])("a URL with %s", (_what, url, code) => {
  expect(refusal(() => checkUrl(url, guard()))).toBe(code);
});

test.each([0, 1, 22, 80, 2379, 2380, 5432, 6379, 6443, 10250, 65535])("port %i is refused", (port) => {
  expect(refusal(() => checkUrl(`https://example.com:${port}/`, guard()))).toBe("port_refused");
});

test.each(["http://example.com/", "https://example.com:3000/", "https://10.0.0.1/"])(
  "the refusal of %s states the complete rule, and who may make an exception",
  (url) => {
    const rule = /https, on port 443 or 8443, of a public address/;
    expect(() => checkUrl(url, guard())).toThrow(rule);
    expect(() => checkUrl(url, guard())).toThrow("ELASTIC_EGRESS_ALLOW");
  },
);

test("on allowed addresses a URL may be http, on any port", () => {
  expect(refusal(() => checkUrl("http://127.0.0.1:3000/hook", guard("127.0.0.0/8")))).toBe("allowed");
});

describe("what a name resolves to", () => {
  const check = (...addresses: readonly string[]) =>
    refusal(() => checkAddresses(checkUrl("https://example.com/", guard()), addresses.map(ip), guard()));

  test("may be called when all of it is public", () => {
    expect(check("1.1.1.1", "2606:4700:4700::1111")).toBe("allowed");
  });

  test("is refused when any of it is not, wherever it stands", () => {
    expect(check("10.0.0.1")).toBe("address_refused");
    expect(check("1.1.1.1", "10.0.0.1")).toBe("address_refused");
    expect(check("::1", "1.1.1.1")).toBe("address_refused");
    expect(check("8.8.4.4")).toBe("address_refused");
  });
});

describe("what the operator allows", () => {
  const check = (rules: readonly string[], url: string, ...addresses: readonly string[]) =>
    refusal(() => {
      const options = guard(...rules);
      checkAddresses(checkUrl(url, options), addresses.map(ip), options);
    });

  test("by a range may be called at any port and without TLS, as an address or by a name", () => {
    expect(check(["10.1.0.0/16"], "http://10.1.2.3:3000/", "10.1.2.3")).toBe("allowed");
    expect(check(["10.1.0.0/16"], "http://hooks:3000/", "10.1.2.3")).toBe("allowed");
    expect(check(["fd12::/16"], "http://[fd12::1]:3000/", "fd12::1")).toBe("allowed");
  });

  test("by a range does not reach beyond it", () => {
    expect(check(["10.1.0.0/16"], "https://10.2.0.1/", "10.2.0.1")).toBe("address_refused");
    expect(check(["10.1.0.0/16"], "http://hooks.example/", "1.1.1.1")).toBe("scheme_refused");
    expect(check(["10.1.0.0/16"], "https://hooks.example:3000/", "1.1.1.1")).toBe("port_refused");
    expect(check(["10.1.0.0/16"], "https://hooks.example/", "10.1.0.1", "10.2.0.1")).toBe("address_refused");
    expect(check(["10.1.0.0/16"], "http://hooks.example/", "10.1.0.1", "1.1.1.1")).toBe("scheme_refused");
    expect(check(["10.1.0.0/16"], "ftp://10.1.0.1/", "10.1.0.1")).toBe("scheme_refused");
    expect(check(["10.1.0.0/16"], "http://u:p@10.1.0.1/", "10.1.0.1")).toBe("userinfo_refused");
  });

  test("by host and port may be called there alone, wherever the name leads", () => {
    expect(check(["Hooks:3000"], "http://hooks:3000/", "10.1.2.3")).toBe("allowed");
    expect(check(["[::1]:3000"], "http://[::1]:3000/", "::1")).toBe("allowed");
    expect(check(["hooks:3000"], "https://hooks/", "10.1.2.3")).toBe("address_refused");
    expect(check(["hooks:3000"], "https://hooks:3001/", "10.1.2.3")).toBe("port_refused");
    expect(check(["hooks:3000"], "http://other:3000/", "10.1.2.3")).toBe("scheme_refused");
  });
});

test.each([
  "10.0.0.1/8",
  "10.0.0.0/33",
  "::1/129",
  "10.0.0.0/8/8",
  "10.0.0.0/",
  "host",
  "host:0",
  "host:99999",
  "a b:1",
])("%s is no rule", (text) => expect(parseAllowRule(text)).toBeNull());

describe("whatever the text", () => {
  test("it is refused in so many words, or leads where the parser says and nowhere else", () => {
    const parts = fc.constantFrom(
      "https://",
      "http:",
      "//",
      "@",
      "\\",
      "/",
      ":",
      "[",
      "]",
      "%",
      "?",
      "#",
      ".",
      "127",
      "::1",
      "a",
    );
    const text = fc.oneof(
      fc.webUrl(),
      fc.string(),
      fc.array(fc.oneof(parts, fc.string({ maxLength: 3 }))).map((all) => all.join("")),
    );
    fc.assert(
      fc.property(text, (url) => {
        if (refusal(() => checkUrl(url, guard())) !== "allowed") return;
        const { protocol, hostname, username } = new URL(url);
        expect([protocol, username]).toEqual(["https:", ""]);
        const address = parseIp(hostname.replace(/^\[|\]$/g, ""));
        if (address !== null) expect(classifyAddress(address, [])).toBe("public");
      }),
      { numRuns: 2_000 },
    );
  });

  test("an address is judged alike in every spelling", () => {
    fc.assert(
      fc.property(fc.nat(0xffff_ffff), (number) => {
        const [a = 0, b = 0, c = 0, d = 0] = [24, 16, 8, 0].map((shift) => (number >>> shift) & 0xff);
        const spellings = [
          `${a}.${b}.${c}.${d}`,
          `${number}`,
          `0x${number.toString(16)}`,
          `0${number.toString(8)}`,
          `${a}.${(b << 16) | (c << 8) | d}`,
          `0x${a.toString(16)}.0${b.toString(8)}.${(c << 8) | d}`,
          `${a}.${b}.${c}.${d}.`,
        ];
        const judged = spellings.map((host) => refusal(() => checkUrl(`https://${host}/`, guard())));
        const expected = classifyAddress([a, b, c, d], [ip("8.8.4.4")]) === "public" ? "allowed" : "address_refused";
        expect(judged).toEqual(spellings.map(() => expected));
      }),
    );
  });
});
