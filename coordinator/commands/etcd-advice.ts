/** What an operator does about a connection that etcd, or this coordinator, refuses. */

interface Advice {
  readonly why: string;
  readonly remedy: string;
}

/** By words of OpenSSL, of Node and of etcd. */
const ADVICE: readonly (readonly [pattern: RegExp, advice: Advice])[] = [
  [
    /authentication failed/,
    {
      why: "etcd rejects the user or the password",
      remedy: "correct ELASTIC_ETCD_USER and the content of ELASTIC_ETCD_PASSWORD_FILE",
    },
  ],
  [
    /permission denied|user name is empty/,
    {
      why: "etcd does not permit this coordinator to read and write what begins with /elastic/",
      remedy: "set ELASTIC_ETCD_USER to a user with a role that may (docs/operators.md, etcd)",
    },
  ],
  [
    /authentication is not enabled/,
    {
      why: "etcd has no users, and ELASTIC_ETCD_USER names one",
      remedy: "enable authentication in etcd, or leave out ELASTIC_ETCD_USER and ELASTIC_ETCD_PASSWORD_FILE",
    },
  ],
  [
    /alert (unknown ca|bad certificate|certificate required|certificate expired|unsupported certificate|certificate unknown)/,
    {
      why: "etcd does not accept this coordinator's certificate",
      remedy: "set ELASTIC_ETCD_CERT and ELASTIC_ETCD_KEY to a valid client certificate of etcd's --trusted-ca-file",
    },
  ],
  [
    /certificate signature failure|unable to (get|verify)|self-signed|self signed/,
    {
      why: "etcd's certificate is of another authority",
      remedy: "set ELASTIC_ETCD_CA to the authority of etcd's --cert-file",
    },
  ],
  [
    /altnames/,
    {
      why: "etcd's certificate is of another host",
      remedy: "name etcd in ELASTIC_ETCD by a name or address that its certificate has",
    },
  ],
  [
    /certificate has expired/,
    { why: "etcd's certificate has expired", remedy: "renew it, or set this machine's clock" },
  ],
];

/** A member with TLS cuts a connection without it, and one without TLS does not understand what begins one. */
function schemeAdvice(message: string, endpoints: readonly string[]): Advice | undefined {
  const some = (scheme: string): boolean => endpoints.some((endpoint) => endpoint.startsWith(scheme));
  if (some("http://") && /socket hang up|ECONNRESET|Connection dropped/.test(message)) {
    return {
      why: "etcd ends connections without TLS",
      remedy: "name it by https:// in ELASTIC_ETCD, if it has certificates",
    };
  }
  if (some("https://") && /wrong version number|packet length too long/.test(message)) {
    return { why: "etcd has no TLS", remedy: "name it by http:// in ELASTIC_ETCD, or start it with --cert-file" };
  }
  return undefined;
}

/** One sentence with what to do; null where nothing but reaching etcd is at fault. */
export function etcdAdvice(message: string, endpoints: readonly string[]): string | null {
  const advice = ADVICE.find(([pattern]) => pattern.test(message))?.[1] ?? schemeAdvice(message, endpoints);
  return advice === undefined ? null : `${advice.why} (${endpoints.join(", ")}): ${advice.remedy}`;
}
