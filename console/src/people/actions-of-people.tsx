import type { User } from "@authorization-service/client/directory";
import { Link, useNavigate } from "@tanstack/react-router";
import { lazy, Suspense, useState } from "react";
import { useCaller } from "../caller.ts";
import { maySomewhere } from "../directory/rights.ts";
import { batchWords } from "../words/assignment-changes.ts";
import { rowWords as words } from "../words/rows.ts";

const CreateForm = lazy(async () => ({ default: (await import("../changes/create-form.tsx")).CreateForm }));

/** The address names each of them, and servers limit its length. */
const mostInAddress = 200;

const ofNoPlace = { place: undefined, organization: undefined, role: undefined, hasOrganization: false };

/** What can be done with the selected people. */
export function ActionsOfPeople({ users }: { users: readonly User[] }) {
  const mayAssign = maySomewhere(useCaller(), "user.grant.write");
  const navigate = useNavigate();
  const [isOpen, setOpen] = useState(false);
  const ids = users.map(({ id }) => id);
  const [from = "", to = ""] = ids;
  const isTooLong = ids.length > mostInAddress;
  return (
    <>
      {mayAssign && (
        <button type="button" onClick={() => setOpen(true)}>
          {batchWords.labels.give}
        </button>
      )}
      {/* There, all of them can be selected and deactivated. */}
      <Link
        className="button"
        to="/assignments"
        search={{ filters: [{ inUserIds: { ids } }] }}
        disabled={isTooLong}
        title={isTooLong ? words.tooManyPeople(mostInAddress) : undefined}
      >
        {words.theirAssignments}
      </Link>
      {ids.length === 2 && (
        <Link className="button" to="/compare" search={{ from, to }}>
          {words.compare}
        </Link>
      )}
      {isOpen && (
        <Suspense>
          <CreateForm
            picked={{ users, ...ofNoPlace }}
            onOpen={(id) => void navigate({ to: "/assignments", search: { id } })}
            onClose={() => setOpen(false)}
          />
        </Suspense>
      )}
    </>
  );
}
