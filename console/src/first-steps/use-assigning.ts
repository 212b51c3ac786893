import {
  type Authorization,
  AuthorizationSchema,
  AuthorizationService,
  type BatchError,
} from "@authorization-service/client";
import type { ListedProject, Organization, User } from "@authorization-service/client/directory";
import { create } from "@bufbuild/protobuf";
import { createClient } from "@connectrpc/connect";
import { useTransport } from "@connectrpc/connect-query";
import { useState } from "react";
import { useAskAnew } from "../changes/changed-queries.ts";
import { useOneAtATime } from "../changes/one-at-a-time.ts";
import type { Made } from "../undo/undoables.ts";
import { useRemember } from "../undo/use-remember.ts";
import { firstStepsWords } from "../words/first-steps.ts";

const words = firstStepsWords.assignments;

/** What became of a request to assign roles. */
export type Outcome = {
  /** The request itself failed. */
  readonly failure?: unknown;
  /** Those who got no assignment, and why. */
  readonly refused?: readonly { readonly user: User; readonly error: BatchError }[];
};

/** Gives people assignments with the same roles, which can be undone while the page is open. */
export function useAssigning(project: ListedProject | undefined, organization: Organization | undefined) {
  const transport = useTransport();
  const askAnew = useAskAnew();
  const { tell } = useRemember();
  const { isRunning, run } = useOneAtATime();
  const [outcome, setOutcome] = useState<Outcome>({});

  async function send(users: readonly User[], roleKeys: string[]): Promise<boolean> {
    const [projectId, organizationId] = [project?.id ?? "", organization?.id ?? ""];
    setOutcome({});
    try {
      const client = createClient(AuthorizationService, transport);
      const items = users.map(({ id }) => ({ userId: id, projectId, organizationId, roleKeys }));
      const { results } = await client.batchCreateAuthorizations({ items, reason: firstStepsWords.reason });
      const paired = users.map((user, at) => ({ user, result: results[at]?.result }));
      const made = paired.flatMap(({ user, result }): Made[] => {
        if (result?.case !== "success") return [];
        const { id, creationDate: since } = result.value;
        return [{ what: "created", row: rowOf(id, user), since }];
      });
      const refused = paired.flatMap(({ user, result }) =>
        result?.case === "error" ? [{ user, error: result.value }] : [],
      );
      setOutcome({ refused });
      if (made.length > 0)
        tell(words.done(made.length), { undone: words.undone(made.length), made, reason: firstStepsWords.reason });
      return refused.length === 0;
    } catch (failure) {
      setOutcome({ failure });
      return false;
    } finally {
      askAnew();
    }
  }

  /** The new assignment, as far as undoing it needs. */
  function rowOf(id: string, user: User): Authorization {
    return create(AuthorizationSchema, {
      id,
      user: { id: user.id, displayName: user.displayName },
      project: { id: project?.id ?? "", name: project?.name ?? "", organizationId: project?.organizationId ?? "" },
      organization: { id: organization?.id ?? "", name: organization?.name ?? "" },
    });
  }

  return {
    isRunning,
    outcome,
    /** Whether everyone has got an assignment. */
    async assign(users: readonly User[], roleKeys: string[]): Promise<boolean> {
      let isWhole = false;
      await run(async () => {
        isWhole = await send(users, roleKeys);
      });
      return isWhole;
    },
  };
}
