import { type ReactNode, type RefObject, useCallback, useEffect, useRef, useState } from "react";

/** What a dialog says between its title and its buttons; where that is too long, it is scrolled, also by the keyboard. */
export function DialogBody({ children }: { children: ReactNode }) {
  const body = useRef<HTMLElement>(null);
  const isScrolled = useIsScrolled(body);
  return (
    <section
      ref={body}
      className="dialog-body"
      {...(isScrolled && { tabIndex: 0, "aria-label": "What the dialog is about" })}
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
  // With each answer it may hold more or less.
  useEffect(measure);
  useEffect(() => {
    const observer = new ResizeObserver(measure);
    if (body.current) observer.observe(body.current);
    return () => observer.disconnect();
  }, [body, measure]);
  return isScrolled;
}
