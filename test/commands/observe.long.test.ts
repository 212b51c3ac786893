import { statfs } from "node:fs/promises";
import { beforeEach, expect, onTestFinished, test } from "vitest";
import { newDataDirectory } from "../embedded/place.ts";
import { post } from "../support/call-headers.ts";
import { objectsIn, runCommand } from "../support/command.ts";
import { databaseInTest, type TestDatabase } from "../support/database.ts";
import { type OtlpReceiver, openOtlpReceiver } from "../support/otlp-receiver.ts";
import { scrape } from "../support/scrape.ts";
import { startInTest, stop } from "../support/start-in-test.ts";
import { loadSmallWorld } from "../support/world.ts";

const rpc = "service.authorization.v2.AuthorizationService/ListAuthorizations";

let database: TestDatabase;
let receiver: OtlpReceiver;

beforeEach(async () => {
  database = await databaseInTest();
  receiver = await openOtlpReceiver();
  onTestFinished(() => receiver.stop());
});

test("A server that is told to logs, counts and traces its requests, and loses nothing of it when it stops", async () => {
  await loadSmallWorld(database);
  const server = startInTest(["serve"], {
    env: {
      DATABASE_URL: database.url,
      PORT: "0",
      METRICS_PORT: "0",
      OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url,
      OTEL_EXPORTER_OTLP_PROTOCOL: "http/json",
      OTEL_SERVICE_NAME: "permissions",
      OTEL_RESOURCE_ATTRIBUTES: "deployment.environment.name=test",
    },
  });
  const said = await server.until("stderr", /Server listening at/);
  const url = /listening at (http:[^"]*)/.exec(said)?.[1];
  const response = await post(url, await database.token("root"));
  expect(response.status).toBe(200);
  const { values } = await scrape(/serving metrics at (http:[^"]*)/.exec(said)?.[1]);
  expect(values.get(`authorization_request_duration_seconds_count{rpc="${rpc}",protocol="connect",code="ok"}`)).toBe(1);
  expect(values.get("authorization_database_up")).toBe(1);
  expect(values.has("authorization_data_volume_free_bytes")).toBe(false);
  const { stderr } = await stop(server);
  const [line] = objectsIn(stderr).filter(({ msg }) => msg === "answered");
  const requestId = response.headers.get("x-request-id");
  expect(line).toMatchObject({ rpc, caller: "root", code: "ok", requestId });
  expect(receiver.spans.filter(({ kind }) => kind === "SERVER")).toMatchObject([{ name: rpc, traceId: line.traceId }]);
  expect(receiver.resource).toMatchObject({ "service.name": "permissions", "deployment.environment.name": "test" });
});

test("With the embedded Postgres, the metrics say how much room the volume of DATA_DIR has", async () => {
  const dataDirectory = newDataDirectory();
  const server = startInTest(["serve"], { env: { DATA_DIR: dataDirectory, PORT: "0", METRICS_PORT: "0" } });
  const said = await server.until("stderr", /Server listening at/);
  const { values } = await scrape(/serving metrics at (http:[^"]*)/.exec(said)?.[1]);
  const { bsize, blocks } = await statfs(dataDirectory);
  expect(values.get("authorization_data_volume_size_bytes")).toBe(blocks * bsize);
  expect(values.get("authorization_data_volume_free_bytes")).toBeGreaterThan(0);
  await stop(server);
});

test("Where metrics cannot be listened on, it says so and does not start", async () => {
  const { port } = new URL(receiver.url);
  const env = { DATABASE_URL: database.url, PORT: "0", METRICS_PORT: port };
  const { code, stderr } = await runCommand(["serve"], { env });
  expect(code).toBe(1);
  expect(stderr).toContain(`127.0.0.1:${port} is already in use: choose another port with METRICS_PORT.`);
});
