import { type Balancer, causeOf } from "./balancer.ts";

/** People at work: each has an authorization of its own, changes it, and looks whether it is what it made it. */
export type Load = {
  /** Ends when everybody has its last answer. */
  stop(): Promise<{ readonly answered: number; readonly failures: string[] }>;
};

export function startLoad(balancer: Balancer, token: string, authorizationIds: readonly string[]): Load {
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

  const work = authorizationIds.map(async (id) => {
    for (let round = 0; !stopping; round += 1) {
      const roleKeys = round % 2 === 0 ? ["seller"] : [];
      await ask("UpdateAuthorization", { id, roleKeys });
      const { authorizations } = await ask("ListAuthorizations", { filters: [{ authorizationIds: { ids: [id] } }] });
      const held = authorizations?.[0]?.roles.map(({ key }: { key: string }) => key);
      if (held?.join() !== roleKeys.join()) failures.push(`${id} holds ${held} instead of ${roleKeys}`);
    }
  });

  return {
    async stop() {
      stopping = true;
      await Promise.all(work);
      return { answered, failures };
    },
  };
}
