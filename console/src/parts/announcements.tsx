import "./announcements.css";
import { useEffect, useSyncExternalStore } from "react";
import { currentSession } from "../session/session.ts";
import { partWords as words } from "../words/parts.ts";
import { useLeaving } from "./use-leaving.ts";

/** The outcome of a person's action. */
export type Announcement = {
  readonly text: string;
  /** Whether it failed. Failures look different, and interrupt screen readers. */
  readonly failed?: boolean;
  /** What to do next, such as undoing it. */
  readonly action?: { readonly label: string; readonly run: () => void };
};

/** How long an outcome is shown. What can be undone can still be undone by the button at the top. */
const readableMs = 30_000;

let current: Announcement | undefined;
const listeners = new Set<() => void>();

/** Shows the outcome of a change after its dialog is closed. A kept view shows it later. */
export function announce(announcement: Announcement): void {
  const session = currentSession();
  // Without a view, the person is gone, and the next one must not see the message.
  if (session.token !== undefined || session.keptFor !== undefined) become(announcement);
}

/**
 * The line for outcomes. It shows one at a time, until it is closed, expires, or the next one arrives. Failures stay until
 * they are closed, so none goes unnoticed.
 */
export function Announcements() {
  const announcement = useSyncExternalStore(listen, () => current);
  useLeaving(() => {
    current = undefined;
  });
  useEffect(() => {
    if (announcement === undefined || announcement.failed) return;
    const timer = setTimeout(() => become(undefined), readableMs);
    return () => clearTimeout(timer);
  }, [announcement]);
  return (
    // The elements are on the page before they contain text, because screen readers only announce changes.
    <div className="announcements">
      <div aria-live="polite">{announcement && !announcement.failed && <Line {...announcement} />}</div>
      <div aria-live="assertive">{announcement?.failed && <Line {...announcement} />}</div>
    </div>
  );
}

function Line({ text, failed, action }: Announcement) {
  return (
    <div className="announcement" data-failed={failed || undefined}>
      <span>{text}</span>
      {action && (
        <button
          type="button"
          onClick={() => {
            // Removed before it runs, so a second click does nothing.
            become(undefined);
            action.run();
          }}
        >
          {action.label}
        </button>
      )}
      <button type="button" className="plain" aria-label={words.closeMessage} onClick={() => become(undefined)}>
        <span aria-hidden="true">✕</span>
      </button>
    </div>
  );
}

function become(next: Announcement | undefined) {
  current = next;
  for (const listener of listeners) listener();
}

function listen(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
