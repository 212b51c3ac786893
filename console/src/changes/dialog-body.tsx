import { type ReactNode, type RefObject, useCallback, useEffect, useRef, useState } from "react";
import { assignmentChangeWords } from "../words/assignment-changes.ts";

/**
 * The content of a dialog between its title and its buttons. If it is too long, it can be scrolled, also with the
 * keyboard.
 */
export function DialogBody({ id, children }: { id?: string; children: ReactNode }) {
  const body = useRef<HTMLElement>(null);
  const isScrolled = useIsScrolled(body);
  return (
    <section
      ref={body}
      id={id}
      className="dialog-body"
      {...(isScrolled && { tabIndex: 0, "aria-label": assignmentChangeWords.dialogBody })}
    >
      {children}
    </section>
  );
}

function useIsScrolled(body: RefObject<HTMLElement | null>): boolean {
  const [isScrolled, setScrolled] = useState(false);
  const measure = useCallback(() => {
    if (body.current) setScrolled(body.current.scrollHeight > body.current.clientHeight);
  }, [body]);
  // Its content can grow or shrink with each answer.
  useEffect(measure);
  useEffect(() => {
    const observer = new ResizeObserver(measure);
    if (body.current) observer.observe(body.current);
    return () => observer.disconnect();
  }, [body, measure]);
  return isScrolled;
}
