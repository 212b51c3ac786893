import { useEffect, useState } from "react";
import { partWords } from "../words/parts.ts";

/** How long people wait before the page says that it takes long, in milliseconds. */
const patience = 2_500;

/** Says that the server is slow, if an answer takes longer than usual. */
export function SlowNotice({ isWaiting }: { isWaiting: boolean }) {
  return <p role="status">{isWaiting && <Slow />}</p>;
}

function Slow() {
  const [isSlow, setSlow] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setSlow(true), patience);
    return () => clearTimeout(timer);
  }, []);
  return isSlow && <span className="banner slow-notice">{partWords.slow}</span>;
}
