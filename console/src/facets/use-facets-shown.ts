import { useState, useSyncExternalStore } from "react";

/** The widths, in pixels, from which the table has room for the facets beside it, without and with a panel. */
const room = { alone: 1200, withPanel: 1600 };

/** Whether the facets are shown: where there is room, unless the person has decided otherwise. */
export function useFacetsShown(isPanelOpen: boolean) {
  const isWide = useMedia(`(min-width: ${isPanelOpen ? room.withPanel : room.alone}px)`);
  const isNarrow = useMedia("(max-width: 800px)");
  const [decided, setDecided] = useState<boolean>();
  // Beside a panel, the table needs the room that there is.
  const canShow = !isPanelOpen || isWide;
  const isShown = canShow && (decided ?? isWide);
  return {
    canShow,
    isShown,
    isAskedFor: decided === true,
    toggle: () => setDecided(!isShown),
    close: () => setDecided(isWide ? undefined : false),
    /** After a choice: where the facets hide the list, the person wants to see it. */
    leaveIfNarrow: () => isNarrow && setDecided(undefined),
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
