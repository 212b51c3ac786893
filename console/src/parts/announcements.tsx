import "./announcements.css";
import { useEffect, useInsertionEffect, useRef, useSyncExternalStore } from "react";
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

/** How long an outcome is shown, unless something can be done about it. */
const readableMs = 30_000;

type Props = {
  /** The page that is shown. */
  page: string;
  /** The page that is shown or being loaded. */
  destination: () => string;
};

/**
 * The line for outcomes. It shows one at a time, until it is closed, expires, or the next one arrives. An outcome also
 * ends with its page, because the next page is about something else. What can be undone can still be undone there, by
 * the button at the top. Failures stay until they are closed, so none goes unnoticed.
 */
export function Announcements({ page, destination }: Props) {
  const announcement = useSyncExternalStore(listen, () => current);
  const home = useRef<string>(undefined);
  // A change can lead to another page. Its outcome belongs there.
  // biome-ignore lint/correctness/useExhaustiveDependencies: each outcome has a page of its own.
  useEffect(() => {
    home.current = destination();
  }, [announcement]);
  useEffect(() => {
    if (current !== undefined && !current.failed && home.current !== page) become(undefined);
  }, [page]);
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
