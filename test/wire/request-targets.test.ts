import { describe, expect, test } from "vitest";
import { openBuiltConsole } from "../support/built-console.ts";
import { callHeaders } from "../support/call-headers.ts";
import { expectError } from "../support/connect-errors.ts";
import { openRaw, request, sendRaw } from "../support/raw-http.ts";
import { serveSmallWorld } from "../support/server.ts";

const consoleFiles = await openBuiltConsole();
const { server, root } = await serveSmallWorld({ consoleFiles, corsOrigins: ["https://shop.example"] });

const getCaller = "/service.authorization.v2.CallerService/GetCaller";
const applyChanges = "/service.directory.v1.DirectoryService/ApplyChanges";

/** A call that is in order, but for its target. */
function call(target: string, body = "{}", version = "HTTP/1.1") {
  const headers = { host: "x", ...callHeaders(root), "content-length": String(body.length) };
  return sendRaw(server.url, request(`POST ${target} ${version}`, headers, body));
}

/** The status and the body as text; the console's page is no JSON. */
async function get(target: string, method = "GET"): Promise<{ status: number; type: string; text: string }> {
  const connection = openRaw(server.url);
  let text = "";
  connection.socket.on("data", (chunk: Buffer) => {
    text += chunk.toString("latin1");
  });
  connection.send(request(`${method} ${target} HTTP/1.1`, { host: "x", connection: "close" }));
  await connection.untilClosed();
  connection.close();
  const [head = "", body = ""] = text.split("\r\n\r\n");
  const type = /^content-type: (.*)$/im.exec(head)?.[1] ?? "";
  return { status: Number(head.split(" ")[1]), type, text: body };
}

describe("An RPC is reached by its path alone, exactly as it was sent:", () => {
  test.each([
    ["a letter that is encoded", applyChanges.replace("yC", "y%43")],
    ["a slash that is encoded", applyChanges.replace("/A", "%2FA")],
    ["a point that is encoded", applyChanges.replace(".v1", "%2Ev1")],
    ["everything encoded twice", applyChanges.replace("yC", "y%2543")],
    ["a fragment", `${applyChanges}#x`],
    ["a fragment behind a query", `${applyChanges}?a=b#x`],
    ["parameters", `${applyChanges};x=y`],
    ["a trailing slash", `${applyChanges}/`],
    ["a trailing space, encoded", `${applyChanges}%20`],
    ["two slashes in front", `/${applyChanges}`],
    ["another host in front", `//elsewhere${applyChanges}`],
    ["small letters", applyChanges.toLowerCase()],
    ["a folder and back", `/a/..${applyChanges}`],
    ["this folder", `/.${applyChanges}`],
    ["dots that are encoded", `/a/%2e%2e${applyChanges}`],
    ["a backslash that is encoded", applyChanges.replace("/A", "%5CA")],
    ["a broken encoding", applyChanges.replace("A", "%A")],
  ])("not with %s", async (_, target) => {
    expectNothingAt(await call(target), target);
  });

  test("whatever stands in the query, which is not looked at", async () => {
    for (const query of ["?", "?a=b", "?%zz", "?/../x", "??", "?http://x/", `?${"a=b&".repeat(1_000)}`]) {
      const answer = await call(getCaller + query);
      expect([answer.status, answer.body.user?.id], query).toEqual([200, "root"]);
    }
  });

  test("and a change that is asked for in another spelling is not made", async () => {
    const body = JSON.stringify({ changes: [{ organization: { id: "spelled", name: "Spelled" } }] });
    const spelled = () => server.database.query("select id from organizations where id = 'spelled'");
    for (const target of [applyChanges.replace("yC", "y%43"), `${applyChanges}#x`]) {
      expectNothingAt(await call(target, body), target);
    }
    expect(await spelled()).toEqual([]);
    expect((await call(applyChanges, body)).status).toBe(200);
    expect(await spelled()).toEqual([{ id: "spelled" }]);
  });
});

describe("A target with a scheme and a host is served by its exact path:", () => {
  test.each([
    ["http", `http://host${getCaller}`],
    ["a port", `http://host:8080${getCaller}`],
    ["an IPv6 address", `http://[::1]:8080${getCaller}`],
    ["https, as a proxy may pass on that has ended TLS", `https://authorization.example${getCaller}`],
    ["capital letters in scheme and host, which mean the same", `HTTP://HOST${getCaller}`],
    ["a query", `http://host${getCaller}?a=b`],
  ])("%s", async (_, target) => {
    const answer = await call(target);
    expect([answer.status, answer.body.user?.id]).toEqual([200, "root"]);
  });

  test.each([
    ["a letter that is encoded", `http://host${getCaller.replace("C", "%43")}`],
    ["a fragment", `http://host${getCaller}#x`],
    ["a folder and back", `http://host/a/..${getCaller}`],
    ["parameters", `http://host${getCaller};x`],
    ["no host", `http://${getCaller}`],
    ["no slashes", `http:${getCaller}`],
    ["a user and a password", `http://user:pass@host${getCaller}`],
    ["a host that is encoded", `http://h%6Fst${getCaller}`],
    ["a port that is none", `http://host:8o${getCaller}`],
    ["another scheme", `ftp://host${getCaller}`],
    ["a URL within a URL", `http://host/http://host${getCaller}`],
  ])("not with %s", async (_, target) => {
    const answer = await call(target);
    // Some of these Node's parser refuses.
    if (answer.status === 400) expectError(answer, 400, "invalid_argument", "malformed HTTP request");
    else expectNothingAt(answer, target);
  });
});

describe("Health checks and the console are reached by their exact paths too", () => {
  const asset = "/assets/index-Ab_1-x.js";

  test.each(["/healthz", "/readyz", "/", "/history", "/signed-in", asset])("%s", async (path) => {
    expect((await get(path)).status).toBe(200);
    expect((await get(`${path}?a=b`)).status).toBe(200);
    expect((await get(`http://host${path}`)).status).toBe(200);
    const letter = path.at(-1) ?? "";
    const encoded = `${path.slice(0, -1)}%${letter.charCodeAt(0).toString(16)}`;
    const others = [encoded, `${path}#x`, `${path};x`, `/${path}`, `/a/..${path}`, `/.${path}`, `${path}%00`];
    for (const other of path === "/" ? others.slice(1) : [...others, `${path}/`]) {
      for (const target of [other, `http://host${other}`]) {
        const { status, type, text } = await get(target);
        const found = [status, type, JSON.parse(text).code];
        expect(found, target).toEqual([404, "application/json", "unimplemented"]);
      }
    }
  });
});

test.each(["OPTIONS", "GET", "HEAD", "POST", "PURGE"])("%s * is nothing that is served", async (method) => {
  const { status, type, text } = await get("*", method);
  expect([status, type]).toEqual([404, "application/json"]);
  if (method !== "HEAD") expect(JSON.parse(text)).toEqual({ code: "unimplemented", message: "nothing is served at *" });
});

test("a wrong method is told by the exact path as well", async () => {
  for (const [target, status] of [
    [getCaller, 405],
    [`http://host${getCaller}`, 405],
    [getCaller.replace("C", "%43"), 404],
    [`${getCaller}#x`, 404],
  ] as const) {
    for (const method of ["GET", "PUT", "OPTIONS", "PURGE"]) {
      expect([target, method, (await get(target, method)).status]).toEqual([target, method, status]);
    }
  }
});

function expectNothingAt(answer: Awaited<ReturnType<typeof call>>, target: string): void {
  expectError(answer, 404, "unimplemented", `nothing is served at ${target.split("?", 1)[0]}`);
}
