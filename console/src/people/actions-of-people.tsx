import { AuthorizationFieldName, State } from "@authorization-service/client";
import type { User } from "@authorization-service/client/directory";
import { Link, useNavigate } from "@tanstack/react-router";
import { lazy, Suspense, useState } from "react";
import { useCaller } from "../caller.ts";
import { allMatching } from "../changes/all-matching.ts";
import { maySomewhere } from "../directory/rights.ts";
import { asFilter } from "../filters/content.ts";
import { batchWords } from "../words/assignment-changes.ts";
import { rowWords as words } from "../words/rows.ts";

const CreateForm = lazy(async () => ({ default: (await import("../changes/create-form.tsx")).CreateForm }));
const LookedUpBatch = lazy(async () => ({ default: (await import("../changes/looked-up-batch.tsx")).LookedUpBatch }));

/** The address names each of them, and servers limit its length. */
const mostInAddress = 200;

const ofNoPlace = { place: undefined, organization: undefined, role: undefined, hasOrganization: false };

/** What can be done with the selected people. */
export function ActionsOfPeople({ users }: { users: readonly User[] }) {
  const mayAssign = maySomewhere(useCaller(), "user.grant.write");
  const navigate = useNavigate();
  const [opened, setOpened] = useState<"give" | "deactivate">();
  const close = () => setOpened(undefined);
  const ids = users.map(({ id }) => id);
  const [from = "", to = ""] = ids;
  return (
    <>
      {mayAssign && (
        <button type="button" onClick={() => setOpened("give")}>
          {batchWords.labels.give}
        </button>
      )}
      {ids.length > mostInAddress ? (
        <span className="muted">{words.tooManyPeople(mostInAddress)}</span>
      ) : (
        <>
          {mayAssign && (
            <button type="button" onClick={() => setOpened("deactivate")}>
              {words.deactivateTheirs}
            </button>
          )}
          <Link className="button" to="/assignments" search={{ filters: [{ inUserIds: { ids } }] }}>
            {words.theirAssignments}
          </Link>
        </>
      )}
      {ids.length === 2 && (
        <Link className="button" to="/compare" search={{ from, to }}>
          {words.compare}
        </Link>
      )}
      <Suspense>
        {opened === "give" && (
          <CreateForm
            picked={{ users, ...ofNoPlace }}
            onOpen={(id) => void navigate({ to: "/assignments", search: { id } })}
            onClose={close}
          />
        )}
        {opened === "deactivate" && (
          <LookedUpBatch
            kind="deactivate"
            look={(transport, signal) => allMatching(transport, activeOf(ids), { signal, onProgress: () => {} })}
            onClose={close}
          />
        )}
      </Suspense>
    </>
  );
}

function activeOf(ids: string[]) {
  return {
    filters: [
      asFilter({ case: "inUserIds", value: { ids } }),
      asFilter({ case: "state", value: { state: State.ACTIVE } }),
    ],
    sortingColumn: AuthorizationFieldName.USER_DISPLAY_NAME,
    asc: true,
  };
}
