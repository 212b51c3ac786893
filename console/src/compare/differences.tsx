import { AuthorizationFieldName, type Role } from "@authorization-service/client";
import type { User } from "@authorization-service/client/directory";
import { type ReactNode, useMemo, useState } from "react";
import { useCaller } from "../caller.ts";
import { mostSelected, useAllMatching } from "../changes/all-matching.ts";
import { BatchDialog } from "../changes/batch-dialog.tsx";
import { slotOf } from "../changes/new-row.ts";
import { type Offers, placeKey, useOffers } from "../changes/offered-roles.ts";
import { Nothing } from "../directory/answered.tsx";
import { Section, Skeleton } from "../directory/page.tsx";
import { may, maySomewhere } from "../directory/rights.ts";
import { Things } from "../directory/things.tsx";
import { asFilter } from "../filters/content.ts";
import { FailureNotice } from "../parts/failure-notice.tsx";
import { OrganizationLink, ProjectLink, personName } from "../parts/links.tsx";
import { nameOf, RoleChips } from "../parts/role-chips.tsx";
import { useMore } from "../parts/use-more.tsx";
import { compareWords as words } from "../words/compare.ts";
import { choiceOf, type Difference, differencesOf, isActive, isSame } from "./difference.ts";

type Props = { from: User; to: User };

const noLeft: ReadonlySet<string> = new Set();

/** What each of two people has by place. What the second one lacks is ticked, to be given. */
export function Differences({ from, to }: Props) {
  const caller = useCaller();
  const [mine, theirs] = [useAllMatching(listOf(from)), useAllMatching(listOf(to))];
  const all = useMemo(
    () => (mine.data && theirs.data ? differencesOf(mine.data, theirs.data, to) : []),
    [mine.data, theirs.data, to],
  );
  const lacking = useMemo(() => all.filter(({ onlyFrom }) => onlyFrom.length > 0).map(({ to }) => to), [all]);
  const mayAssign = maySomewhere(caller, "user.grant.write");
  const offers = useOffers(lacking, mayAssign && lacking.length > 0);
  const [left, setLeft] = useState(noLeft);
  const [isReviewed, setReviewed] = useState(false);

  const [listed, more] = useMore(all);

  const failed = [mine, theirs].find(({ error }) => error);
  if (failed?.error) return <FailureNotice error={failed.error} onRetry={() => void failed.refetch()} />;
  if (!mine.data || !theirs.data) return <Skeleton rows={6} columns={2} />;

  const reasonAgainst = (difference: Difference, role: Role) =>
    whyNot(difference, role, may(caller, "user.grant.write", difference.to), offers.data);
  const wished = all.flatMap((difference) => {
    const given = difference.onlyFrom.filter(
      (role) => !left.has(choiceOf(difference, role)) && reasonAgainst(difference, role) === undefined,
    );
    return given.length === 0 ? [] : [{ row: difference.to, added: given.map(({ key }) => key) }];
  });
  const count = wished.reduce((sum, { added }) => sum + added.length, 0);
  const names = { from: personName(from), to: personName(to) };

  function toggle(choice: string, isWanted: boolean) {
    setLeft(new Set(isWanted ? [...left].filter((one) => one !== choice) : [...left, choice]));
  }

  return (
    <Section
      title={words.assignments}
      count={all.length}
      actions={
        mayAssign && (
          <button
            type="button"
            className="primary"
            aria-disabled={count === 0}
            onClick={() => count > 0 && setReviewed(true)}
          >
            {count === 0 ? words.nothingToGive : words.review(count, names.to)}
          </button>
        )
      }
    >
      {[mine, theirs].some(({ data }) => data.length >= mostSelected) && (
        <p className="muted">{words.onlyFirst(mostSelected)}</p>
      )}
      {offers.error && <FailureNotice error={offers.error} onRetry={() => void offers.refetch()} />}
      {all.every(isSame) && <Nothing>{all.length === 0 ? words.none : words.noDifference}</Nothing>}
      {all.length > 0 && (
        <Things
          className="compare"
          label={words.assignments}
          columns={[words.place, words.only(names.from), words.only(names.to), words.both]}
        >
          {listed.map((difference) => (
            <tr key={slotOf(difference.to)}>
              <th scope="row">
                <ProjectLink project={difference.to.project} />
                <div className="muted">
                  <OrganizationLink organization={difference.to.organization} />
                </div>
              </th>
              <Cell name={words.only(names.from)} roles={difference.onlyFrom} of={difference.from}>
                {mayAssign &&
                  difference.onlyFrom.map((role) => (
                    <Choice
                      key={role.key}
                      role={role}
                      of={words.choice(nameOf(role), names.to, difference.to.project?.name ?? "")}
                      why={reasonAgainst(difference, role)}
                      isChosen={!left.has(choiceOf(difference, role))}
                      onToggle={(isWanted) => toggle(choiceOf(difference, role), isWanted)}
                    />
                  ))}
              </Cell>
              <Cell name={words.only(names.to)} roles={difference.onlyTo} of={difference.to} />
              <Cell name={words.both} roles={difference.both} />
            </tr>
          ))}
        </Things>
      )}
      {more}
      {isReviewed && (
        <BatchDialog
          rows={wished.map(({ row }) => row)}
          change={{
            kind: "give",
            wishes: new Map(wished.map(({ row, added }) => [slotOf(row), { added, removed: [] }])),
          }}
          onClose={() => setReviewed(false)}
        />
      )}
    </Section>
  );
}

function listOf({ id }: User) {
  const filters = [asFilter({ case: "userId", value: { id } })];
  return { filters, sortingColumn: AuthorizationFieldName.ORGANIZATION_NAME, asc: true };
}

function whyNot({ to }: Difference, role: Role, mayAssign: boolean, offers: Offers | undefined): string | undefined {
  if (!mayAssign) return words.mayNot;
  if (offers === undefined) return words.asking;
  return offers.get(placeKey(to))?.has(role.key) ? undefined : words.notOffered;
}

type ChoiceProps = {
  role: Role;
  of: string;
  why: string | undefined;
  isChosen: boolean;
  onToggle: (isChosen: boolean) => void;
};

function Choice({ role, of, why, isChosen, onToggle }: ChoiceProps) {
  return (
    <label>
      <input
        type="checkbox"
        aria-label={of}
        disabled={why !== undefined}
        checked={isChosen && why === undefined}
        onChange={({ target }) => onToggle(target.checked)}
      />
      <span>
        <bdi>{nameOf(role)}</bdi> {why && <span className="muted">({why})</span>}
      </span>
    </label>
  );
}

type CellProps = {
  /** The head of its column. */
  name: string;
  roles: readonly Role[];
  /** Whose roles they are. */
  of?: Difference["from"];
  /** What is there instead of the roles. */
  children?: ReactNode;
};

function Cell({ name, roles, of, children }: CellProps) {
  return (
    <td data-empty={roles.length === 0}>
      <span className="cell-label">{name} </span>
      {of?.changeDate && !isActive(of) && <span className="muted">{words.inactive} </span>}
      {roles.length === 0 ? <span className="muted">–</span> : children || <RoleChips roles={roles} />}
    </td>
  );
}
