import { once } from "node:events";
import { constants, createServer, type Http2Server, type ServerHttp2Stream } from "node:http2";
import type { AddressInfo } from "node:net";
import { KVService, TxnRequest, TxnResponse } from "@elastic/proto/gen/etcd/kv.ts";
import { status } from "@grpc/grpc-js";
import { afterEach, expect, test } from "vitest";
import { EtcdLogin } from "./etcd-login.ts";
import { EtcdMembers } from "./etcd-members.ts";
import { encodeMessage, readMessage } from "./grpc-wire.ts";
import { GrpcStatusError, NeverSentError, UnaryChannel } from "./unary-channel.ts";

const REQUEST = TxnRequest.fromPartial({ compare: [{ key: Buffer.from("k") }] });
const stops: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const stop of stops.splice(0)) await stop();
});

type Answer = (stream: ServerHttp2Stream, request: Buffer, head: Record<string, unknown>) => void;

/** Returns its endpoint. */
async function serve(answer: Answer): Promise<string> {
  const server: Http2Server = createServer();
  const sessions = new Set<{ destroy(): void }>();
  server.on("session", (session) => sessions.add(session));
  server.on("stream", (stream, head) => {
    const chunks: Buffer[] = [];
    stream.on("error", () => undefined);
    stream.on("data", (chunk: Buffer) => chunks.push(chunk));
    stream.on("end", () => answer(stream, Buffer.concat(chunks), head));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  stops.push(async () => {
    for (const session of sessions) session.destroy();
    await new Promise((resolve) => server.close(resolve));
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

function channel(
  endpoints: readonly string[],
  given: { timeoutMs?: number; answerBytesMax?: number } = {},
): UnaryChannel {
  const login = new EtcdLogin(
    () => null,
    async () => "",
  );
  const tls = () => ({ ca: Buffer.alloc(0) });
  const made = new UnaryChannel({
    members: new EtcdMembers(endpoints, 0),
    tls,
    login,
    timeoutMs: 5_000,
    answerBytesMax: 1024,
    ...given,
  });
  stops.unshift(async () => made.close());
  return made;
}

function callTxn(of: UnaryChannel): Promise<TxnResponse> {
  return of.call(KVService.txn, REQUEST);
}

/** How the call failed. */
async function failure(of: UnaryChannel): Promise<unknown> {
  return await callTxn(of).then(
    () => null,
    (error: unknown) => error,
  );
}

/** As etcd does: the message, then the status behind it. */
function answerRevision(revision: bigint): Answer {
  return (stream) => {
    stream.respond({ ":status": 200, "content-type": "application/grpc" }, { waitForTrailers: true });
    stream.on("wantTrailers", () => stream.sendTrailers({ "grpc-status": "0" }));
    stream.end(encodeMessage(TxnResponse.encode(TxnResponse.fromPartial({ header: { revision } })).finish()));
  };
}

/** As etcd does when it has no message. */
function refuse(code: number, message: string): Answer {
  return (stream) =>
    stream.respond({ ":status": 200, "grpc-status": `${code}`, "grpc-message": message }, { endStream: true });
}

const silence: Answer = () => undefined;

test("a call brings its message and takes the response's", async () => {
  const received: unknown[] = [];
  const endpoint = await serve((stream, request, head) => {
    received.push(TxnRequest.decode(readMessage(request)), head[":path"], head["content-type"], head.te);
    answerRevision(7n)(stream, request, head);
  });
  expect((await callTxn(channel([endpoint]))).header?.revision).toBe(7n);
  expect(received).toEqual([REQUEST, "/etcdserverpb.KV/Txn", "application/grpc", "trailers"]);
});

test("rejects with the text of a status that comes without a message", async () => {
  const error = await failure(channel([await serve(refuse(status.INVALID_ARGUMENT, "too%20large"))]));
  expect(error).toBeInstanceOf(GrpcStatusError);
  expect(error).toMatchObject({ code: status.INVALID_ARGUMENT, message: "too large" });
});

test("where nobody listens the call was never sent, and the next goes to the next member", async () => {
  const of = channel(["http://127.0.0.1:1", await serve(answerRevision(8n))]);
  expect(await failure(of)).toBeInstanceOf(NeverSentError);
  expect((await callTxn(of)).header?.revision).toBe(8n);
});

test("a call that a member refuses unread was never sent", async () => {
  const endpoint = await serve((stream) => stream.close(constants.NGHTTP2_REFUSED_STREAM));
  expect(await failure(channel([endpoint]))).toBeInstanceOf(NeverSentError);
});

test.each<[string, Answer]>([
  ["hangs", silence],
  ["breaks the connection", (stream) => stream.session?.destroy()],
  ["ends the response before its status", (stream) => stream.close()],
  ["says more than is taken", (stream) => stream.end(Buffer.alloc(64 * 1024))],
  ["responds in another protocol", (stream) => stream.end("<html>")],
])("of a call to a member that %s nobody knows what became, and the next succeeds", async (_how, broken) => {
  let calls = 0;
  const member = await serve((...call) => (calls++ === 0 ? broken : answerRevision(9n))(...call));
  const of = channel([member], { timeoutMs: 300 });
  const error = await failure(of);
  expect(error).toBeInstanceOf(Error);
  expect(error instanceof NeverSentError || error instanceof GrpcStatusError).toBe(false);
  expect((await callTxn(of)).header?.revision).toBe(9n);
});

test("calls to a member that hangs go to the next one as soon as one of them has waited in vain", async () => {
  const of = channel([await serve(silence), await serve(answerRevision(10n))], { timeoutMs: 300 });
  await Promise.all([failure(of), failure(of)]);
  expect((await callTxn(of)).header?.revision).toBe(10n);
});

test("a member that says it is unavailable is left for the next", async () => {
  const of = channel([
    await serve(refuse(status.UNAVAILABLE, "etcdserver: no leader")),
    await serve(answerRevision(11n)),
  ]);
  expect(await failure(of)).toMatchObject({ code: status.UNAVAILABLE });
  expect((await callTxn(of)).header?.revision).toBe(11n);
});

test("once it is closed it sends nothing, and what was under way ends", async () => {
  const of = channel([await serve(silence)]);
  const underWay = failure(of);
  const begun = callTxn(of).catch(() => undefined);
  of.close();
  expect(await underWay).toBeInstanceOf(Error);
  await begun;
  expect(await failure(of)).toBeInstanceOf(NeverSentError);
});
