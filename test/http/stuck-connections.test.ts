import { once } from "node:events";
import { type AddressInfo, BlockList, connect } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { giveUp, type Raw } from "../../src/http/hang-up.ts";
import { openPort, serveOn } from "../../src/http/one-port.ts";
import { openLimits } from "../../src/limits/limits.ts";
import { four, frame, getFrame, openFrames, preface, settingsOf } from "../support/http2-frames.ts";
import { until } from "../support/until.ts";

const longestMs = 300;
/** Together more than the system keeps for a connection, and less than makes memory tight. */
const large = Buffer.alloc(500_000);
const count = 60;

/** Serves `/large`, and `/later`, which is answered when a test says so. */
async function serve() {
  const trustedProxies = new BlockList();
  trustedProxies.addAddress("127.0.0.1");
  const limits = openLimits<Raw>(
    { maximumInFlight: 400, maximumRequestBytes: 1_000, trustedProxies },
    giveUp,
    longestMs,
  );
  const open = new Map<Raw, string | undefined>();
  let served = 0;
  const server = serveOn(
    openPort(longestMs, limits, undefined),
    (request, response) => {
      served += 1;
      open.set(response, request.url);
      response.once("close", () => open.delete(response));
      request.resume();
      if (request.url === "/large") response.end(large);
    },
    { begin: () => true, open: ({ socket }, response) => limits.open(socket.remoteAddress ?? "", response) },
  );
  await once(server.listen(0, "127.0.0.1"), "listening");
  onTestFinished(() => {
    limits.stop();
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  return { port, open, served: () => served };
}

test("Answers end whose client takes nothing of their connection, and those on another connection don't", async () => {
  const { port, open, served } = await serve();
  const moving = openFrames(`http://127.0.0.1:${port}`, false);
  moving.send(preface, frame("settings", 0, 0, settingsOf([4, 0])), getFrame(1, "/large"), getFrame(3, "/later"));
  await moving.one("reset", 1);
  expect([...open.values()]).toEqual(["/later"]);

  const stuck = connect(port, "127.0.0.1").pause();
  onTestFinished(() => void stuck.destroy());
  const unlimited = Buffer.concat([
    frame("settings", 0, 0, settingsOf([4, 0x7fffffff])),
    frame("window", 0, 0, four(0x7fff0000 - 65_535)),
  ]);
  const asked = Array.from({ length: count }, (_, index) => getFrame(2 * index + 1, "/large"));
  stuck.write(Buffer.concat([preface, unlimited, ...asked]));
  await until("all to be served", () => served() === 2 + count);
  expect(open.size).toBeGreaterThan(1);
  await until("their end", () => open.size === 1);

  const [[later]] = [...open] as [[Raw, string]];
  later.end();
  await moving.one("headers", 3);
  moving.close();
});
