import { brotliCompressSync, gzipSync } from "node:zlib";
import type { Attack, Target } from "../attack.ts";
import { keepAsking } from "../connections.ts";
import { headOf, lists } from "../requests.ts";

const spaces = Buffer.alloc(4 * 1_024 * 1_024, " ");

function send({ port, tokens }: Target, encoding: string, body: Buffer): void {
  const head = headOf(lists, tokens.user, body.length, { "content-encoding": encoding });
  keepAsking(200, port, Buffer.concat([Buffer.from(head), body]));
}

export const brotliBodies: Attack = {
  what: "a plain user sends 200 bodies at once: a few bytes of Brotli that unpack to 4 MiB",
  begin: (target) => send(target, "br", brotliCompressSync(spaces)),
};

export const gzipBodies: Attack = {
  what: "the same in 4 KiB of gzip",
  begin: (target) => send(target, "gzip", gzipSync(spaces)),
};
