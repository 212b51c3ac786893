import "./announcements.css";
import { useEffect, useInsertionEffect, useSyncExternalStore } from "react";

/** What came of something a person has done. */
export type Announcement = {
  readonly text: string;
  /** What failed looks different, and interrupts a screen reader. */
  readonly failed?: boolean;
  /** What to do next, such as undoing it. */
  readonly action?: { readonly label: string; readonly run: () => void };
};

let current: Announcement | undefined;
const listeners = new Set<() => void>();
/** Whether there is a view to say it in; one that is kept says it later. */
let hasReader = false;

/** Tells what came of a change, after what it was made with is closed. */
export function announce(announcement: Announcement): void {
  // Without a view, the person is gone, and the next one is not told.
  if (hasReader) become(announcement);
}

/** How long an outcome can be read. What failed stays until it is closed. */
const readableMs = 30_000;

/** The line for outcomes: one at a time, until it is closed, the next one comes, or it is old news. */
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
    if (announcement === undefined || announcement.failed) return;
    const timer = setTimeout(() => become(undefined), readableMs);
    return () => clearTimeout(timer);
  }, [announcement]);
  return (
    // They are in the page before they say anything, because screen readers tell of changes alone.
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
            // It is gone before it runs, so that a second click finds nothing to do.
            become(undefined);
            action.run();
          }}
        >
          {action.label}
        </button>
      )}
      <button type="button" className="plain" aria-label="Close the message" onClick={() => become(undefined)}>
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
