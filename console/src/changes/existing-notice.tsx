import { AuthorizationService } from "@authorization-service/client";
import { useQuery } from "@connectrpc/connect-query";
import { RoleChips } from "../parts/role-chips.tsx";
import { StateBadge } from "../parts/state-badge.tsx";
import { assignmentName } from "./assignment-name.ts";

/** Says that the user already has an assignment there, and shows its roles. */
export function ExistingNotice({ id, onOpen }: { id: string; onOpen: () => void }) {
  const { data } = useQuery(AuthorizationService.method.listAuthorizations, {
    filters: [{ filter: { case: "authorizationIds", value: { ids: [id] } } }],
  });
  const existing = data?.authorizations[0];
  return (
    <section className="existing" role="alert">
      <p>
        <strong>The user has an assignment there already.</strong> A user has one at most for a project in an
        organization: open it and edit its roles.
      </p>
      {existing && (
        <>
          <p>
            {assignmentName(existing)}: <StateBadge state={existing.state} />
          </p>
          <RoleChips roles={existing.roles} />
        </>
      )}
      <button type="button" onClick={onOpen}>
        Open it
      </button>
    </section>
  );
}
