import fc from "fast-check";
import { expect, test } from "vitest";
import { GrowingBuffer } from "../../src/rpc/body/growing-buffer.ts";

const chunks = fc.array(fc.uint8Array({ maxLength: 50 }).map((bytes) => Buffer.from(bytes)));

test("What has arrived is every chunk in its order, and the chunks stay as they are", () => {
  fc.assert(
    fc.property(chunks, (all) => {
      const before = Buffer.concat(all);
      const body = new GrowingBuffer();
      for (const chunk of all) body.append(chunk);
      expect(Buffer.compare(body.bytes, before)).toBe(0);
      expect(Buffer.compare(Buffer.concat(all), before)).toBe(0);
    }),
  );
});

test("However short the chunks are, it takes at most twice the memory of the body", () => {
  const body = new GrowingBuffer();
  for (let n = 0; n < 100_000; n += 1) body.append(Buffer.from([n & 255]));
  expect(body.bytes.byteLength).toBe(100_000);
  expect(body.bytes.buffer.byteLength).toBeLessThanOrEqual(200_000);
});
