import { TextFilterMethod } from "@authorization-service/client";
import { filterEditorWords } from "../../words/filter-editor.ts";
import { methodNames } from "../words.ts";
import { useProblem } from "./problem.tsx";

const words = filterEditorWords;

type Props = {
  label: string;
  text: string;
  method: TextFilterMethod;
  problem: string | undefined;
  onChange: (text: string, method: TextFilterMethod) => void;
};

/** A text, and how it is compared. */
export function TextForm({ label, text, method, problem, onChange }: Props) {
  const { state, shown } = useProblem(problem);
  return (
    <div className="stack">
      <div className="text-form">
        <select
          aria-label={words.comparison(label)}
          value={method}
          onChange={({ target }) => onChange(text, Number(target.value) as TextFilterMethod)}
        >
          {methods.map((one) => (
            <option key={one} value={one}>
              {methodNames[one]?.replace(/,$/, "")}
            </option>
          ))}
        </select>
        <input
          aria-label={label}
          {...state}
          autoComplete="off"
          spellCheck={false}
          value={text}
          onChange={({ target }) => onChange(target.value, method)}
        />
      </div>
      {shown}
    </div>
  );
}

/** The methods that people usually mean come first. These ignore case. */
const methods: readonly TextFilterMethod[] = [
  TextFilterMethod.CONTAINS_IGNORE_CASE,
  TextFilterMethod.EQUALS_IGNORE_CASE,
  TextFilterMethod.STARTS_WITH_IGNORE_CASE,
  TextFilterMethod.ENDS_WITH_IGNORE_CASE,
  TextFilterMethod.CONTAINS,
  TextFilterMethod.EQUALS,
  TextFilterMethod.STARTS_WITH,
  TextFilterMethod.ENDS_WITH,
];
