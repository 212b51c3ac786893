import { withClient } from "../../test/support/with-client.ts";
import { askOurs, askRival, type Bench, type Case, compare } from "../bench.ts";
import type { Post } from "../load.ts";
import { httpSide } from "../sides.ts";
import { throughput } from "./pages.ts";
import { restoreUpdated, saveForUpdate } from "./put-back.ts";

/** Sets that no loaded authorization holds, in every project and grant of the world. */
const roleSets = [
  ["approver", "viewer"],
  ["editor", "owner"],
];

/** Roles replaced back and forth, by the owner of the largest organization. */
export const updateCase: Case = {
  name: "update",
  title: "UpdateAuthorization, owner of the largest organization",
  async run(bench) {
    const ids = await idsToUpdate(bench);
    await withClient(bench.world, (client) => saveForUpdate(client, ids));
    try {
      const sides = [
        httpSide("ours, JSON", backAndForth(askOurs(bench, "largest", "UpdateAuthorization", {}), ids)),
        httpSide("rival", backAndForth(askRival(bench, "largest", "update", {}), ids)),
      ];
      const measurements = await compare(bench, { load: throughput, connections: 16, sides });
      return { measurements, numbers: {}, notes: [] };
    } finally {
      await withClient(bench.world, restoreUpdated);
    }
  },
};

export async function idsToUpdate({ world }: Bench): Promise<string[]> {
  const { rows } = await withClient(world, (client) => client.query<{ id: string }>(selectIds));
  return rows.map((row) => row.id);
}

/** Every request changes another authorization than those that are under way. */
export function backAndForth(post: Post, ids: readonly string[]): Post {
  let count = 0;
  return {
    ...post,
    body() {
      const id = ids[count % ids.length];
      const roleKeys = roleSets[Math.floor(count / ids.length) % 2];
      count += 1;
      return JSON.stringify({ id, roleKeys });
    },
  };
}

const selectIds = `
  select a.id
  from authorizations a
  where a.organization_id = (select id from bench.organizations where number = 0)
  order by md5(a.id)
  limit 2000`;
