import type pg from "pg";
import { callHeaders } from "../../test/support/call-headers.ts";
import { withClient } from "../../test/support/with-client.ts";
import type { BenchCaller } from "../callers.ts";
import type { Post } from "../load.ts";

export const requestTitles = ["short list", "page of 100", "update", "overview"] as const;

/** The kinds of callers that send them. */
export const asking = ["own", "large", "largest"] as const;

type Asking = (typeof asking)[number];

export type Request = {
  /** What is sent to a server. Each call of this function returns a request with a sequence of its own. */
  post(url: string): Post;
};

/** What is sent under these titles, in a bench world without changes of other runs. */
export async function everydayRequests(
  world: pg.ClientConfig,
  callers: Record<Asking, BenchCaller>,
): Promise<Request[]> {
  const ids = await withClient(world, (client) => client.query<{ id: string }>(selectIds));
  let begun = 0;
  const post =
    (kind: Asking, rpc: string, body: Post["body"], service = "Authorization") =>
    (url: string) => ({
      url: `${url}/service.authorization.v2.${service}Service/${rpc}`,
      headers: callHeaders(callers[kind].token),
      body,
    });
  const list = (limit: number) => Buffer.from(JSON.stringify({ pagination: { limit } }));
  return [
    { post: post("own", "ListAuthorizations", list(1)) },
    { post: post("large", "ListAuthorizations", list(100)) },
    {
      post(url) {
        // Each side has assignments of its own, so that each of its updates changes something.
        const own = ids.rows.filter((_, index) => index % mostSides === begun).map(({ id }) => id);
        if (begun === mostSides) throw new Error(`a world has assignments for ${mostSides} sides`);
        begun += 1;
        return post("largest", "UpdateAuthorization", backAndForth(own))(url);
      },
    },
    { post: post("largest", "GetOverview", Buffer.from("{}"), "Overview") },
  ];
}

const mostSides = 8;

/** Sets that no loaded assignment has, in every project and grant of the world. */
const roleSets = [
  ["approver", "viewer"],
  ["editor", "owner"],
];

function backAndForth(ids: readonly string[]): () => string {
  let count = 0;
  return () => {
    const roleKeys = roleSets[Math.floor(count / ids.length) % roleSets.length];
    const id = ids[count % ids.length];
    count += 1;
    return JSON.stringify({ id, roleKeys });
  };
}

const selectIds = `
  select id
  from authorizations
  where organization_id = (select id from bench.organizations where number = 0)
  order by md5(id)
  limit 4000`;
