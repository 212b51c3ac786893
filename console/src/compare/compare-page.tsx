import "../changes/changes.css";
import "./compare.css";
import type { User } from "@authorization-service/client/directory";
import { getRouteApi } from "@tanstack/react-router";
import { useEffect, useRef } from "react";
import { Administrators } from "../directory/administrators.tsx";
import { Page } from "../directory/page.tsx";
import { readTexts } from "../directory/search.ts";
import { useUser } from "../history/removals.ts";
import { personName } from "../parts/links.tsx";
import { UserPicker } from "../pickers/things.tsx";
import { compareWords as words } from "../words/compare.ts";
import { Differences } from "./differences.tsx";

const route = getRouteApi("/compare");

/** Two people side by side: what one has that the other lacks, to give the other the same. */
export function ComparePage() {
  const search = readTexts(route.useSearch(), ["from", "to"]);
  const navigate = route.useNavigate();
  const [from, to] = [useUser(search.from), useUser(search.to)];
  // Until their names are there, it is not known whom the columns are about.
  const isKnown = [from, to].every((user) => user?.preferredLoginName && !user.isRemoved);
  const isMissing = [from, to].some((user) => user?.isGone);
  const place = useRef<HTMLElement>(null);
  // The first field that is still empty is what the person came for.
  useEffect(() => {
    const fields = place.current?.querySelectorAll("input") ?? [];
    [...fields].find(({ value }) => value === "")?.focus();
  }, []);
  const pick = (name: "from" | "to") => (user: User | undefined) =>
    void navigate({ search: { ...search, [name]: user?.id } });

  return (
    <Page name={words.title} about="compare">
      <section ref={place} className="page-filters" aria-label={words.people}>
        <UserPicker label={words.from} value={search.from === undefined ? undefined : from} onChange={pick("from")} />
        <UserPicker label={words.to} value={search.to === undefined ? undefined : to} onChange={pick("to")} />
      </section>
      {from && to && from.id === to.id && <p role="alert">{words.same}</p>}
      {isMissing && <p role="alert">{words.notFound}</p>}
      {isKnown && from && to && from.id !== to.id ? (
        <>
          <Differences key={`${from.id} ${to.id}`} from={from} to={to} />
          {[from, to].map((user) => (
            <Administrators
              key={user.id}
              title={words.administers(personName(user))}
              none={words.noAdministers}
              search={{ user: user.id }}
            />
          ))}
        </>
      ) : (
        !(from && to) && <p className="muted">{words.advice}</p>
      )}
    </Page>
  );
}
