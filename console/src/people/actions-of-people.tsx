import { AuthorizationFieldName, State } from "@authorization-service/client";
import type { User } from "@authorization-service/client/directory";
import { Link, useNavigate } from "@tanstack/react-router";
import { lazy, Suspense, useState } from "react";
import { useCaller } from "../caller.ts";
import { useAllMatching } from "../changes/all-matching.ts";
import { DialogFrame } from "../changes/dialog-frame.tsx";
import { maySomewhere } from "../directory/rights.ts";
import { asFilter } from "../filters/content.ts";
import { FailureNotice } from "../parts/failure-notice.tsx";
import { batchWords } from "../words/assignment-changes.ts";
import { rowWords as words } from "../words/rows.ts";

const CreateForm = lazy(async () => ({ default: (await import("../changes/create-dialog.tsx")).CreateForm }));
const BatchDialog = lazy(async () => ({ default: (await import("../changes/batch-dialog.tsx")).BatchDialog }));

/** The address names each of them, and servers limit its length. */
const mostInAddress = 200;

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
            preset={{}}
            users={users}
            onOpen={(id) => void navigate({ to: "/assignments", search: { id } })}
            onClose={close}
          />
        )}
        {opened === "deactivate" && <Deactivate ids={ids} onClose={close} />}
      </Suspense>
    </>
  );
}

/** Deactivates what people have, which is looked up first. */
function Deactivate({ ids, onClose }: { ids: string[]; onClose: () => void }) {
  const { data, isFetchedAfterMount, error, refetch } = useAllMatching({
    filters: [
      asFilter({ case: "inUserIds", value: { ids } }),
      asFilter({ case: "state", value: { state: State.ACTIVE } }),
    ],
    sortingColumn: AuthorizationFieldName.USER_DISPLAY_NAME,
    asc: true,
  });
  if (data && isFetchedAfterMount) return <BatchDialog change={{ kind: "deactivate" }} rows={data} onClose={onClose} />;
  return (
    <DialogFrame title={words.deactivateTheirs} onClose={onClose}>
      {error ? (
        <FailureNotice error={error} onRetry={() => void refetch()} />
      ) : (
        <p role="status">{batchWords.looking}</p>
      )}
    </DialogFrame>
  );
}
