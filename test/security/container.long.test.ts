import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, describe, expect, test } from "vitest";
import { parse } from "yaml";
import { type Running, startCommand } from "../support/command.ts";
import { createTestDatabase } from "../support/database.ts";

const read = (file: string) => readFileSync(join(import.meta.dirname, "../..", file), "utf8");
const service = parse(read("docker-compose.yml")).services.authorization;

let server: Running | undefined;

afterEach(async () => {
  server?.process.kill("SIGKILL");
  await server?.ended;
});

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
  const database = await createTestDatabase();
  try {
    server = startCommand(["serve"], {
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
  } finally {
    await database.drop();
  }
});
