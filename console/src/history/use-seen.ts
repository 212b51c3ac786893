import { type RefObject, useEffect, useState } from "react";

/** Whether an element is, or was, visible or nearly visible. */
export function useSeen(thing: RefObject<Element | null>): boolean {
  const [isSeen, setSeen] = useState(false);
  useEffect(() => {
    if (isSeen || !thing.current) return;
    const observer = new IntersectionObserver(
      (changes) => setSeen(changes.some(({ isIntersecting }) => isIntersecting)),
      { rootMargin: "300px" },
    );
    observer.observe(thing.current);
    return () => observer.disconnect();
  }, [isSeen, thing]);
  return isSeen;
}
