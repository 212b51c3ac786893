import { createHash } from "node:crypto";
import { readdirSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { read, root } from "../support/repository.ts";

/**
 * The migrations each release brought, with the SHA-256 of their files. A release adds its own here: they are in the databases of
 * others then, and never change again.
 */
const releases: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  "0.2.0": {
    "0001_directory": "587ce6c35489ff793067a77958218166615867bb90d18511736dcebf8a9b6690",
    "0002_callers": "747cdc6691bfdfaf73d2352351bd2193431ce61c6bbe0138077102c81b3d7bc1",
    "0003_authorizations": "1513aef2f59dda7951f7ce803785a80a0baef8b138d04f8ed973b79d04b2fd1a",
    "0004_events": "5f45bd4395aceae73f39ad011e0b1e75a9494b2724ed171d898b7399f59386eb",
    "0005_numbers": "8d5bacfd75fe16478480e52110151117f50f85724c228d7fc3f73046a6c2da6d",
    "0006_directory_events": "c5f6f15aa786bde39a5ba5f499453da4c8cdbf0f44dc6d471b1a5dc8aafe154d",
    "0007_secrets": "1c682a408bf1c0c993a2f6e49a1163bb2680f468c098410feeb771beb03ffb6e",
  },
};

test("Released migrations never change again, and new ones come after them", () => {
  const released = Object.values(releases).flatMap((migrations) => Object.entries(migrations));
  const files = readdirSync(path.join(root, "migrations")).sort();
  const first = files.slice(0, released.length).map((file) => {
    const hash = createHash("sha256").update(read(`migrations/${file}`));
    return [file.replace(/\.sql$/, ""), hash.digest("hex")];
  });
  expect(first).toEqual(released);
});
