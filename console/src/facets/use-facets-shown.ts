import { useState } from "react";
import { useShortcut } from "../keyboard/shortcuts.ts";
import { useMedia } from "../parts/use-media.ts";

/** Whether the facets are shown: where there is room, unless the person has decided otherwise. */
export function useFacetsShown(isPanelOpen: boolean) {
  // From these widths on, in pixels, the table has room for them beside it, with a panel and without.
  const isWide = useMedia(`(min-width: ${isPanelOpen ? 1600 : 1200}px)`);
  const [decided, setDecided] = useState<boolean>();
  const canShow = !isPanelOpen || isWide;
  const isShown = canShow && (decided ?? isWide);
  const toggle = () => setDecided(!isShown);
  useShortcut("facets", toggle, canShow);
  return {
    canShow,
    isShown,
    isAskedFor: decided === true,
    toggle,
    close: () => setDecided(isWide ? undefined : false),
  };
}
