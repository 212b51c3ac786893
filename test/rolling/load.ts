import { assign } from "../support/assign.ts";
import type { TestDatabase } from "../support/database.ts";
import { type Balancer, causeOf } from "./balancer.ts";

/** People at work: each has an authorization of its own, changes it, and looks whether it is what it made it. */
export async function startLoad(balancer: Balancer, database: TestDatabase) {
  const token = await database.token("root");
  const own: string[] = [];
  for (let number = 0; number < 8; number += 1) own.push((await assign(database)).id);
  const failures: string[] = [];
  let answered = 0;
  let stopping = false;

  async function ask(rpc: string, body: object): Promise<any> {
    try {
      const answer = await balancer.post(rpc, body, token);
      if (answer.status === 200) answered += 1;
      else failures.push(`${rpc}: ${answer.status} ${JSON.stringify(answer.body)}`);
      return answer.body;
    } catch (error) {
      failures.push(`${rpc}: ${causeOf(error) ?? error}`);
      return {};
    }
  }

  const work = own.map(async (id) => {
    for (let round = 0; !stopping; round += 1) {
      const roleKeys = round % 2 === 0 ? ["seller"] : [];
      await ask("UpdateAuthorization", { id, roleKeys });
      const { authorizations } = await ask("ListAuthorizations", { filters: [{ authorizationIds: { ids: [id] } }] });
      const held = authorizations?.[0]?.roles.map(({ key }: { key: string }) => key);
      if (held?.join() !== roleKeys.join()) failures.push(`${id} holds ${held} instead of ${roleKeys}`);
    }
  });

  return {
    /** Ends when everybody has its last answer. */
    async stop() {
      stopping = true;
      await Promise.all(work);
      return { answered, failures };
    },
  };
}
