import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { parse } from "yaml";
import { openTls } from "../../src/config/tls.ts";
import { databaseOfTests } from "../support/database.ts";
import { folderOfTests } from "../support/folders.ts";
import { newIdentity } from "../support/identity.ts";
import { serverInTest, startTestServer } from "../support/server.ts";
import { startInTest } from "../support/start-in-test.ts";

const read = (file: string) => readFileSync(join(import.meta.dirname, "../..", file), "utf8");
const root = join(import.meta.dirname, "../..");
const service = parse(read("docker-compose.yml")).services.authorization;

const database = await databaseOfTests();
const folder = await folderOfTests("health-check");

test("The image's user is a number other than root's, so a cluster can tell", () => {
  const users = [...read("Dockerfile").matchAll(/^USER (.*)$/gm)].map(([, user]) => user);
  expect(users.at(-1)).toMatch(/^[1-9]\d*:[1-9]\d*$/);
});

describe("In docker-compose.yml the service", () => {
  test("has a file system that it cannot write, nor a part of it", () => {
    expect(service.read_only).toBe(true);
    expect([service.volumes, service.tmpfs]).toEqual([undefined, undefined]);
  });

  test("has no capability and cannot gain any", () => {
    expect(service.cap_drop).toEqual(["ALL"]);
    expect([service.cap_add, service.privileged, service.user]).toEqual([undefined, undefined, undefined]);
    expect(service.security_opt).toEqual(["no-new-privileges:true"]);
  });

  test("has 512 MB, of which the heap takes 268", () => {
    expect(service.mem_limit).toBe("512m");
    expect(service.environment.NODE_OPTIONS).toBe("--max-old-space-size=268");
  });
});

test("A server on a Postgres of its own serves without the right to write a file", async () => {
  const server = startInTest(["serve"], {
    env: {
      DATABASE_URL: database.url,
      PORT: "0",
      METRICS_PORT: "0",
      OTEL_EXPORTER_OTLP_ENDPOINT: "http://127.0.0.1:9",
      NODE_OPTIONS: "--permission --allow-fs-read=* --allow-net",
    },
  });
  const said = await server.until("stderr", /Server listening at/);
  const url = /listening at (http:[^"]*)/.exec(said)?.[1];
  expect((await fetch(`${url}/readyz`)).status).toBe(200);
  server.process.kill("SIGTERM");
  const { code, stderr } = await server.ended;
  expect(code).toBe(0);
  expect(stderr).not.toContain("ERR_ACCESS_DENIED");
});

describe("The health check of the image", () => {
  /** Its exit code. */
  async function check(env: Record<string, string>): Promise<number> {
    const command = /HEALTHCHECK[\s\S]*?CMD (\[.*\])/.exec(read("Dockerfile"))?.[1] ?? "[]";
    expect(service.healthcheck.test).toEqual(["CMD", ...JSON.parse(command)]);
    const [, file] = JSON.parse(command);
    expect(read("Dockerfile")).toMatch(new RegExp(`^COPY (?:\\S+ )*${file} `, "m"));
    expect(read(".dockerignore").split("\n")).toContain(`!${file}`);
    const [code] = await once(spawn(process.execPath, [file], { cwd: root, env, stdio: "inherit" }), "exit");
    return code;
  }
  const portOf = (url: string) => new URL(url).port;

  test("passes while the server answers, and fails once it has ended", async () => {
    const healthy = await startTestServer();
    const env = { PORT: portOf(healthy.url) };
    expect(await check(env)).toBe(0);
    await healthy.stop();
    expect(await check(env)).toBe(1);
  });

  test("passes with TLS and the certificate of another host", async () => {
    const [certFile, keyFile] = [join(folder, "crt"), join(folder, "key")];
    const { cert, key } = await newIdentity("authorization.example");
    await Promise.all([writeFile(certFile, cert), writeFile(keyFile, key)]);
    const healthy = await serverInTest({ tls: await openTls(certFile, keyFile) });
    expect(await check({ PORT: portOf(healthy.url), TLS_CERT_FILE: certFile })).toBe(0);
    expect(await check({ PORT: portOf(healthy.url) })).toBe(1);
  });
});
