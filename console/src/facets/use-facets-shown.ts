import { useState, useSyncExternalStore } from "react";

/** Whether the facets are shown: where there is room, unless the person has decided otherwise. */
export function useFacetsShown(isPanelOpen: boolean) {
  // From these widths on, in pixels, the table has room for them beside it, with a panel and without.
  const isWide = useMedia(`(min-width: ${isPanelOpen ? 1600 : 1200}px)`);
  const [decided, setDecided] = useState<boolean>();
  const canShow = !isPanelOpen || isWide;
  const isShown = canShow && (decided ?? isWide);
  const toggle = () => setDecided(!isShown);
  return {
    canShow,
    isShown,
    isAskedFor: decided === true,
    toggle,
    close: () => setDecided(isWide ? undefined : false),
  };
}

/** Whether a media query matches, as it changes. */
function useMedia(query: string): boolean {
  return useSyncExternalStore(
    (listener) => {
      const list = matchMedia(query);
      list.addEventListener("change", listener);
      return () => list.removeEventListener("change", listener);
    },
    () => matchMedia(query).matches,
  );
}
