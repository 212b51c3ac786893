import "./panel.css";
import { type Authorization, AuthorizationService } from "@authorization-service/client";
import { type Timestamp, timestampMs } from "@bufbuild/protobuf/wkt";
import { useQuery } from "@connectrpc/connect-query";
import { Link } from "@tanstack/react-router";
import { lazy, type ReactNode, Suspense, useLayoutEffect, useRef, useState } from "react";
import { Answered, Nothing } from "../directory/answered.tsx";
import { HistoryLink } from "../directory/history-link.tsx";
import { Skeleton } from "../directory/page.tsx";
import { Changes } from "../history/changes.tsx";
import { isOfAssignment } from "../history/entry.ts";
import { useHistory } from "../history/use-history.ts";
import { Avatar } from "../parts/avatar.tsx";
import { FailureNotice } from "../parts/failure-notice.tsx";
import { OldAnswer } from "../parts/old-answer.tsx";
import { useShown } from "../parts/use-shown.ts";
import { panelWords as words } from "../words/panel.ts";
import { Access } from "./access.tsx";
import { Details, Roles } from "./details.tsx";

const AssignmentActions = lazy(async () => ({
  default: (await import("../changes/assignment-actions.tsx")).AssignmentActions,
}));

const latest = { lines: 20, events: 100 };

/** Everything about one assignment in its current state. */
export function Panel({ id, onClose }: { id: string; onClose: () => void }) {
  const focus = usePanelFocus(onClose);
  const query = useQuery(AuthorizationService.method.listAuthorizations, {
    filters: [{ filter: { case: "authorizationIds", value: { ids: [id] } } }],
    pagination: { limit: 1, skipTotal: true },
  });
  const { answer, isOld, failure } = useShown(query);
  const authorization = answer?.authorizations[0];
  const [lastKnown, setLastKnown] = useState(authorization);
  if (authorization && authorization !== lastKnown) setLastKnown(authorization);

  return (
    <aside ref={focus.panel} className="panel" aria-label={words.title} aria-busy={!answer && !failure}>
      <Head authorization={authorization} isGone={answer !== undefined && !authorization} focus={focus} />
      {isOld && <OldAnswer />}
      {/* What is decided on in it stays open when the assignment goes meanwhile: there it is said. */}
      <div className="panel-actions" hidden={authorization === undefined || failure !== null}>
        {lastKnown && (
          <Suspense>
            <AssignmentActions
              authorization={lastKnown}
              onGone={() => {
                focus.heading.current?.focus();
                void query.refetch();
              }}
            />
          </Suspense>
        )}
      </div>
      {failure ? (
        <FailureNotice error={failure} onRetry={() => void query.refetch()} />
      ) : answer === undefined ? (
        <Section title={words.details}>
          <Skeleton rows={6} />
        </Section>
      ) : authorization === undefined ? (
        <Gone id={id} />
      ) : (
        <>
          <Roles roles={authorization.roles} />
          <Details authorization={authorization} />
          <Section title={words.history}>
            <Timeline id={id} asOf={authorization.changeDate} />
          </Section>
          <Access id={id} />
        </>
      )}
    </aside>
  );
}

type HeadProps = {
  authorization: Authorization | undefined;
  isGone: boolean;
  focus: ReturnType<typeof usePanelFocus>;
};

function Head({ authorization, isGone, focus }: HeadProps) {
  const { user, project, organization } = authorization ?? {};
  return (
    <header className="panel-head">
      {user && <Avatar user={user} />}
      <div className="lines">
        <h2 ref={focus.heading} tabIndex={-1}>
          {user ? user.displayName || user.id : isGone ? words.notFound : words.title}
        </h2>
        {authorization && <span className="muted">{words.place(`${project?.name}`, `${organization?.name}`)}</span>}
      </div>
      <button type="button" className="plain" aria-label={words.close} title={words.closeHint} onClick={focus.close}>
        <span aria-hidden="true">✕</span>
      </button>
    </header>
  );
}

/** The latest events of the assignment. Each change adds one, so they are asked for again if the change date differs. */
function useTimeline(id: string, asOf?: Timestamp) {
  return useHistory({ assignment: id }, latest, asOf && timestampMs(asOf));
}

function Gone({ id }: { id: string }) {
  const last = useTimeline(id).data?.lines[0]?.first;
  const { user, project, organization } = last && isOfAssignment(last) ? last : {};
  return (
    <>
      <Section title={words.gone}>
        <p>{words.goneAdvice}</p>
        <p>
          {user && words.wasOf(user.displayName || user.id, `${project?.name}`, `${organization?.name}`)} {words.itsId}{" "}
          <code>{id}</code>.
        </p>
        {user && (
          <Link to="/person" search={{ id: user.id }}>
            {words.person}
          </Link>
        )}
      </Section>
      <Section title={words.whatBecame}>
        <Timeline id={id} asOf={undefined} />
      </Section>
    </>
  );
}

function Timeline({ id, asOf }: { id: string; asOf: Timestamp | undefined }) {
  return (
    <>
      <Answered query={useTimeline(id, asOf)} shape={{ rows: 5, columns: 3 }}>
        {({ lines }) => (lines.length > 0 ? <Changes lines={lines} isOfOne /> : <Nothing>{words.nothing}</Nothing>)}
      </Answered>
      <HistoryLink search={{ assignment: id }} />
    </>
  );
}

function Section({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section>
      <h3>{title}</h3>
      {children}
    </section>
  );
}

/** Moves the focus to the panel's heading, closes the panel on Escape, and returns the focus to its row. */
function usePanelFocus(onClose: () => void) {
  const panel = useRef<HTMLElement>(null);
  const heading = useRef<HTMLHeadingElement>(null);
  const returnTo = useRef<HTMLElement>(null);

  function close() {
    returnTo.current = document.querySelector<HTMLElement>("tr[data-open] .opener") ?? document.getElementById("view");
    onClose();
  }

  // Before the paint, so Escape closes the panel as soon as it is visible.
  useLayoutEffect(() => {
    if (!isAtWork()) heading.current?.focus({ preventScroll: true });
    // Only once the panel is gone, because on narrow screens it hides the row.
    return () => returnTo.current?.focus();
  }, []);

  useLayoutEffect(() => {
    const element = panel.current;
    const closeOnEscape = (event: KeyboardEvent) => {
      if (event.key === "Escape" && !event.defaultPrevented && !isOfSomethingOpen(event.target)) close();
    };
    element?.addEventListener("keydown", closeOnEscape);
    return () => element?.removeEventListener("keydown", closeOnEscape);
  });

  return { panel, heading, close };
}

/** Whether the person is typing or choosing something. A panel that opens late must not interrupt them. */
function isAtWork(): boolean {
  return (
    document.activeElement?.matches("input:not([type=checkbox]), select, textarea, dialog *, [popover] *") ?? false
  );
}

/** Whether the key is meant for something open in the panel, and closes only that. */
function isOfSomethingOpen(target: EventTarget | null): boolean {
  return target instanceof Element && target.closest("dialog, [role=dialog], [popover], [aria-expanded=true]") !== null;
}
