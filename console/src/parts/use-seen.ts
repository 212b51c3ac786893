import { useCallback, useState } from "react";

/** Whether an element has been in sight, which is known after it is given to `ref`. */
export function useSeen() {
  const [isSeen, setSeen] = useState(false);
  const ref = useCallback((element: Element | null) => {
    if (element === null) return undefined;
    const observer = new IntersectionObserver((entries) => {
      if (!entries.some(({ isIntersecting }) => isIntersecting)) return;
      observer.disconnect();
      setSeen(true);
    });
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  return { isSeen, ref };
}
