import { roleChangeWords as words } from "../words/directory-changes.ts";

/** The longest list of keys. */
export const longestList = 5_000;

/** The keys in a list with commas, each once. */
export function keysIn(text: string): string[] {
  return [...new Set(text.split(",").map((key) => key.trim()))].filter(Boolean);
}

/** A key that programs can write, for a text that looks like a name. */
function keyFor(text: string): string {
  return text.normalize("NFD").replaceAll(/\p{M}/gu, "").toLowerCase().replaceAll(/\s+/g, "-");
}

type Props = {
  keys: readonly string[];
  /** Called with better keys, and with the name that was typed, if it is one. */
  onUse: (keys: string, name: string | undefined) => void;
};

/** Says that a name is about to become a key, which stays forever, and offers a better key. */
export function KeyAdvice({ keys, onUse }: Props) {
  const names = keys.filter((key) => /\s/.test(key));
  const better = keys.map((key) => (names.includes(key) ? keyFor(key) : key)).join(", ");
  return (
    <div role="status">
      {names.length > 0 && (
        <p className="hint">
          {words.isName(names)}{" "}
          <button
            type="button"
            className="plain"
            onClick={() => onUse(better, keys.length === 1 ? names[0] : undefined)}
          >
            {words.insteadUse(better)}
          </button>
        </p>
      )}
    </div>
  );
}
