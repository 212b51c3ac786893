import assert from "node:assert/strict";
import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { after, test } from "node:test";
import { createShop } from "./app.ts";
import { connect } from "./connect.ts";
import { give, take } from "./roles.ts";

const shop = createShop(connect());
after(() => shop.close());
shop.listen(0, "127.0.0.1");
await once(shop, "listening");

async function sell(user: string, at = shop): Promise<number> {
  const { port } = at.address() as AddressInfo;
  const response = await fetch(`http://127.0.0.1:${port}/sell`, { headers: { "X-User": user } });
  return response.status;
}

test("only sellers sell, from the moment they are given the role until it is taken", async () => {
  await take(connect(), "leo", "larch");
  assert.equal(await sell("leo@larch"), 403);
  await give(connect(), "leo", "larch", "seller");
  assert.equal(await sell("leo@larch"), 200);
  assert.equal(await sell("leo@maple"), 403);
  await take(connect(), "leo", "larch");
  assert.equal(await sell("leo@larch"), 403);
});

test("no one sells while the service can't be reached", async () => {
  const cutOff = createShop(connect("http://127.0.0.1:9"));
  after(() => cutOff.close());
  cutOff.listen(0, "127.0.0.1");
  await once(cutOff, "listening");
  assert.equal(await sell("leo@larch", cutOff), 503);
});
