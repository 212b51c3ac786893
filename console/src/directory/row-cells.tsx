import type { AuthorizationsSearchFilterSchema } from "@authorization-service/client";
import { AuthorizationFieldName, AuthorizationService } from "@authorization-service/client";
import { DirectoryService } from "@authorization-service/client/directory";
import type { MessageInitShape } from "@bufbuild/protobuf";
import { useQuery } from "@connectrpc/connect-query";
import { Link } from "@tanstack/react-router";
import { useCallback, useState } from "react";
import { type AdministratorsSearch, withinOf } from "../administrators/search.ts";
import { useCaller } from "../caller.ts";
import { PersonLink } from "../parts/links.tsx";
import { Ago } from "../parts/moment.tsx";
import { rowWords as words } from "../words/rows.ts";
import { partSeen } from "./rights.ts";

// What decides on a row of a list. No call answers it for many rows at once, so it is asked for the rows in sight alone.

type Props = { of: "userId" | "organizationId" | "projectId"; id: string };

/** How many assignments a person has, or there are in an organization or project, and when one of them last changed. */
export function AssignmentCells({ of, id }: Props) {
  const { isSeen, ref } = useSeen();
  const filter = { filter: { case: of, value: { id } } } as MessageInitShape<typeof AuthorizationsSearchFilterSchema>;
  const request = {
    filters: [filter],
    sortingColumn: AuthorizationFieldName.CHANGED_DATE,
    pagination: { limit: 1 },
  };
  const { data } = useQuery(AuthorizationService.method.listAuthorizations, request, { enabled: isSeen });
  const total = data?.pagination?.totalResult ?? 0;
  return (
    <>
      <td ref={ref}>
        <span className="cell-label">{words.assignments}</span> {data && total === 0 && <None />}
        {total > 0 && (
          <Link to="/assignments" search={{ filters: [{ [of]: { id } }] }}>
            {words.count(total)}
          </Link>
        )}
      </td>
      <td>
        {total > 0 && <span className="cell-label">{words.lastChange}</span>}{" "}
        <Ago at={data?.authorizations[0]?.changeDate} />
      </td>
    </>
  );
}

/** The first administrator of an organization or a project, and how many others there are. */
export function AdministratorsCell({ of }: { of: AdministratorsSearch }) {
  const { isSeen, ref } = useSeen();
  const request = { ...withinOf(of), pagination: { limit: 1, asc: true } };
  const { data } = useQuery(DirectoryService.method.listAdministrators, request, { enabled: isSeen });
  const user = data?.entries[0]?.user;
  const others = (data?.pagination?.totalResult ?? 0) - 1;
  return (
    <td ref={ref}>
      <span className="cell-label">{words.administrators}</span> {data && !user && <None />}
      {user && <PersonLink user={user} />}{" "}
      {others > 0 && (
        <Link to="/administrators" search={of}>
          {words.others(others)}
        </Link>
      )}
    </td>
  );
}

/** What a cell says that has nothing in it. */
function None() {
  const caller = useCaller();
  return caller && partSeen(caller) ? words.noneSeen : words.none;
}

/** Whether an element has been in sight, which is known after it is given to `ref`. */
function useSeen() {
  const [isSeen, setSeen] = useState(false);
  const ref = useCallback((element: Element | null) => {
    if (element === null) return undefined;
    const observer = new IntersectionObserver((entries) => {
      if (!entries.some(({ isIntersecting }) => isIntersecting)) return;
      observer.disconnect();
      setSeen(true);
    });
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  return { isSeen, ref };
}
