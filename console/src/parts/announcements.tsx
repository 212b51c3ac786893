import "./announcements.css";
import { useEffect, useInsertionEffect, useSyncExternalStore } from "react";
import { partWords as words } from "../words/parts.ts";

/** The outcome of a person's action. */
export type Announcement = {
  readonly text: string;
  /** Whether it failed. Failures look different, and interrupt screen readers. */
  readonly failed?: boolean;
  /** What to do next, such as undoing it. */
  readonly action?: { readonly label: string; readonly run: () => void };
};

let current: Announcement | undefined;
const listeners = new Set<() => void>();
/** Whether there is a view to show it in. A kept view shows it later. */
let hasReader = false;

/** Shows the outcome of a change after its dialog is closed. */
export function announce(announcement: Announcement): void {
  // Without a view, the person is gone, and the next one must not see the message.
  if (hasReader) become(announcement);
}

/** How long an outcome is shown. Failures, and what can be undone or opened, stay until they are closed. */
const readableMs = 30_000;

/** The line for outcomes. It shows one at a time, until it is closed, expires, or the next one arrives. */
export function Announcements() {
  const announcement = useSyncExternalStore(listen, () => current);
  useInsertionEffect(() => {
    hasReader = true;
    return () => {
      hasReader = false;
      current = undefined;
    };
  }, []);
  useEffect(() => {
    if (announcement === undefined || announcement.failed || announcement.action) return;
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
    <div className="announcement" data-failed={failed}>
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
