import { useEffect, useState } from "react";

/** Tooltips appear on hover and focus (overview.css). Escape hides them until the next element is pointed at. */
export function useTips() {
  const [areAway, setAway] = useState(false);
  useEffect(() => {
    const putAway = ({ key }: KeyboardEvent) => key === "Escape" && setAway(true);
    document.addEventListener("keydown", putAway);
    return () => document.removeEventListener("keydown", putAway);
  }, []);
  const bringBack = () => setAway(false);
  return { "data-tips": areAway ? "away" : undefined, onFocus: bringBack, onPointerOver: bringBack };
}
