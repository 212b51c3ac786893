// What streaming clients of other makers, and our own as it is packed, get from the feed: docs/reference/feed.md promises it.

import { spawn } from "node:child_process";
import path from "node:path";
import { beforeAll, expect, onTestFinished, test } from "vitest";
import { post } from "../support/call-headers.ts";
import { buf } from "./command-lines.ts";
import { buildGo } from "./follow-go.ts";
import { env, go, node, python, sources } from "./places.ts";
import { serveDemo, startService } from "./service.ts";

const { database, service, token } = await serveDemo("watch");
beforeAll(() => buildGo("watch", service.url, history));

const history = "service.authorization.v2.AuthorizationHistoryService";
const rpc = `${history}/WatchAuthorizations`;
const bearer = () => ["-H", `authorization: Bearer ${token}`];
const bufCurl = (protocol: string) => (request: string) => [
  ...[buf, "curl", "--http2-prior-knowledge", "--protocol", protocol],
  ...[...bearer(), "-d", request, `${service.url}/${rpc}`],
];

const connectGo = (protocol: string) => (request: string) => [
  ...[path.join(go.bin, "watch"), service.url, token, protocol, request],
];
const ourOwn =
  (protocol: string) =>
  (request: string, url: string = service.url) => [
    ...[process.execPath, path.join(node.folder, "watch.mjs"), url, token],
    ...[protocol, request],
  ];
const ourOwnProtocols = { Connect: "connect", "gRPC-Web": "grpc-web", gRPC: "grpc" };

const commands: Record<string, (request: string) => string[]> = {
  "grpcurl, gRPC": (request) => [
    ...["grpcurl", "-plaintext", ...bearer(), "-d", request],
    ...[service.url.replace("http://", ""), rpc],
  ],
  "grpcio, gRPC": (request) => [
    ...[python.program, path.join(sources, "python/watch.py"), service.url, token],
    request,
  ],
  "buf curl, gRPC": bufCurl("grpc"),
  "buf curl, gRPC-Web": bufCurl("grpcweb"),
  "buf curl, Connect": bufCurl("connect"),
  "connect-go, gRPC": connectGo("grpc"),
  "connect-go, gRPC-Web": connectGo("grpcweb"),
  "connect-go, Connect": connectGo("connect"),
  ...Object.fromEntries(
    Object.entries(ourOwnProtocols).map(([shown, protocol]) => [`our own, packed, ${shown}`, ourOwn(protocol)]),
  ),
};

/** Starts a client, and returns its next message. It ends with the test. */
function open([command = "", ...args]: string[]) {
  const child = spawn(command, args, { env, stdio: ["ignore", "pipe", "inherit"] });
  onTestFinished(() => void child.kill());
  const messages = messagesIn(child.stdout);
  return async () => {
    const { value, done } = await messages.next();
    if (done) throw new Error("the stream ended");
    return value;
  };
}

/** Messages in JSON, each on a line or on several. */
async function* messagesIn(output: NodeJS.ReadableStream): AsyncGenerator<any> {
  let text = "";
  for await (const chunk of output) {
    text += chunk;
    for (let end = text.indexOf("}\n"); end >= 0; end = text.indexOf("}\n", end + 1)) {
      const message = parsed(text.slice(0, end + 1));
      if (message === undefined) continue;
      text = text.slice(end + 2);
      end = -1;
      yield message;
    }
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

async function anActiveOne(): Promise<string> {
  const [{ id = "" } = {}] = await database.query<{ id: string }>(
    "select id from authorizations where state = 'active' order by id limit 1",
  );
  return id;
}

async function change(rpc: string, id: string): Promise<void> {
  expect((await post(service.url, token, `${rpc}Authorization`, { id })).status).toBe(200);
}

test.each(Object.entries(commands))("%s follows changes, and continues from a token", async (_name, command) => {
  const id = await anActiveOne();
  const types = async (next: () => Promise<any>) => {
    for (;;) {
      const { events = [], resumeToken } = await next();
      if (events.length > 0) return { types: events.map(({ type }: { type: string }) => type), resumeToken };
    }
  };
  const next = open(command("{}"));
  const first = await next();
  expect(first).toEqual({ resumeToken: expect.any(String) });
  await change("Deactivate", id);
  const { resumeToken, types: sent } = await types(next);
  expect(sent).toEqual(["user.grant.deactivated"]);
  await change("Activate", id);
  expect((await types(next)).types).toEqual(["user.grant.reactivated"]);
  const again = open(command(JSON.stringify({ resumeToken })));
  expect((await types(again)).types).toEqual(["user.grant.reactivated"]);
});

test.each(Object.entries(ourOwnProtocols))(
  "our own, packed, keeps a copy while streams end and continue, over %s",
  async (_shown, protocol) => {
    const id = await anActiveOne();
    const restless = await startService(database, { MAX_STREAM_MS: "1000" });
    onTestFinished(restless.stop);
    const next = open(ourOwn(protocol)("copy", restless.url));
    const [{ count = "" } = {}] = await database.query<{ count: string }>("select count(*) from authorizations");
    expect(Object.keys(await next())).toHaveLength(Number(count));
    for (const [rpc, state] of [
      ["Deactivate", "STATE_INACTIVE"],
      ["Activate", "STATE_ACTIVE"],
    ] as const) {
      // A quiet stream has two messages, its first and its last, so this reaches into another stream.
      for (let messages = 0; messages < 3; messages += 1) await next();
      await change(rpc, id);
      while ((await next())[id] !== state);
    }
  },
);
