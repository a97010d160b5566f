/**
 * The clients of etcd, one for each way of failing. etcd3 retries by one policy for all calls, which must not touch
 * leases, and a failed call resets every stream of its client, which must not touch watches and leases. Transactions
 * go once, over a connection of their own.
 */

import { type CallCredentials, Channel, type ChannelCredentials, type Interceptor } from "@grpc/grpc-js";
import {
  ConsecutiveBreaker,
  circuitBreaker,
  ExponentialBackoff,
  handleWhen,
  isBrokenCircuitError,
  noop,
  type RetryPolicy,
  retry,
} from "cockatiel";
import { Etcd3, isRecoverableError } from "etcd3";
import { channelCredentials, type EtcdCredentials } from "./etcd-credentials.ts";
import { EtcdLogin, needsNewToken, noticeRefusals, tokenCredentials } from "./etcd-login.ts";
import { UnaryChannel } from "./unary-channel.ts";

/** A call without a deadline hangs for as long as etcd is frozen. */
const CALL_TIMEOUT_MS = 2000;
/** A page of the largest records, with room. */
const MESSAGE_BYTES_MAX = 32 * 1024 * 1024;

const GRPC_OPTIONS = {
  // etcd ends a connection as abused ("excess pings") after a few pings that come faster than every 5 s, or at any
  // pace while no call is open: an idle connection is left alone, and its next call finds out by its own deadline.
  // Where watches and leases are open, what etcd sends forgives a ping that jitter brings early. Twice the interval
  // would double how long a view stays stale behind a connection that died without a word.
  "grpc.keepalive_time_ms": 6000,
  "grpc.keepalive_timeout_ms": 2000,
  "grpc.keepalive_permit_without_calls": 0,
  "grpc.initial_reconnect_backoff_ms": 100,
  "grpc.max_reconnect_backoff_ms": 500,
  "grpc.max_receive_message_length": MESSAGE_BYTES_MAX,
  "grpc.max_send_message_length": MESSAGE_BYTES_MAX,
};

export interface EtcdClients {
  /** Sends once. */
  readonly transactions: UnaryChannel;
  /** Retries a few times: for what does no harm twice. */
  readonly reads: Etcd3;
  /** Watches and leases; their loops reconnect on their own. */
  readonly streams: Etcd3;
  /** Whose token all of them send. */
  readonly login: EtcdLogin;
  close(): void;
}

export function connectClients(endpoints: readonly string[], credentials: EtcdCredentials): EtcdClients {
  const isSecure = endpoints.some((endpoint) => endpoint.startsWith("https:"));
  const channel = channelCredentials(isSecure, credentials);
  const plain = { endpoints, channel, interceptors: [], callOptions: {} };
  const authentication = connect({ ...plain, global: readRetry() });
  const login = new EtcdLogin(
    () => credentials.login(),
    async (user) => (await authentication.auth.authenticate({ ...user })).token,
  );
  const transactions = new UnaryChannel({
    endpoints,
    tls: () => credentials.tls(),
    login,
    timeoutMs: CALL_TIMEOUT_MS,
    answerBytesMax: MESSAGE_BYTES_MAX,
  });
  const withToken = { interceptors: [noticeRefusals(login)], callOptions: { credentials: tokenCredentials(login) } };
  const identified = { ...plain, ...(credentials.login() === null ? {} : withToken) };
  const reads = connect({ ...identified, global: readRetry() });
  const streams = connect({ ...identified, global: retry(handleWhen(needsNewToken), { maxAttempts: 1 }) });
  return {
    transactions,
    reads,
    streams,
    login,
    close: () => {
      for (const client of [transactions, reads, streams, authentication]) client.close();
      credentials.stop();
    },
  };
}

interface ClientOptions {
  readonly endpoints: readonly string[];
  readonly channel: ChannelCredentials;
  readonly interceptors: readonly Interceptor[];
  readonly callOptions: { readonly credentials?: CallCredentials };
  readonly global: RetryPolicy;
}

function connect({ endpoints, channel, interceptors, callOptions, global }: ClientOptions): Etcd3 {
  return new Etcd3({
    hosts: [...endpoints],
    faultHandling: {
      // With one server there is nothing to turn to meanwhile.
      host: () => (endpoints.length > 1 ? hostBreaker() : noop),
      global,
    },
    defaultCallOptions: ({ isStream }) =>
      isStream ? callOptions : { ...callOptions, deadline: Date.now() + CALL_TIMEOUT_MS },
    grpcOptions: {
      ...GRPC_OPTIONS,
      interceptors,
      // etcd3 itself reads certificates once, and never again.
      channelFactoryOverride: (address: string, _fixed: ChannelCredentials, options: object) =>
        new Channel(address, channel, options),
    },
  });
}

function hostBreaker() {
  return circuitBreaker(handleWhen(isRecoverableError), { halfOpenAfter: 250, breaker: new ConsecutiveBreaker(5) });
}

function readRetry() {
  return retry(
    handleWhen((error) => isRecoverableError(error) || isBrokenCircuitError(error) || needsNewToken(error)),
    { maxAttempts: 3, backoff: new ExponentialBackoff({ initialDelay: 50, maxDelay: 200 }) },
  );
}
