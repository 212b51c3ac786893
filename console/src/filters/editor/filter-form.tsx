import { type AuthorizationsSearchFilter, State } from "@authorization-service/client";
import { filterWords } from "../../words/filters.ts";
import { contentOf } from "../content.ts";
import { problemOf } from "../limits.ts";
import { stateNames } from "../words.ts";
import { IdForm } from "./id-form.tsx";
import { ListForm } from "./list-form.tsx";
import { ahead, past } from "./presets.ts";
import { GrantForm, RoleKeysForm } from "./project-choices.tsx";
import { RangeForm } from "./range-form.tsx";
import { TextForm } from "./text-form.tsx";

type Props = {
  filter: AuthorizationsSearchFilter;
  onChange: (filter: AuthorizationsSearchFilter) => void;
  /** Whether to show what is missing or wrong. */
  isTold: boolean;
};

/** The fields of a filter without nested ones. group-form.tsx has those of groups. */
export function FilterForm({ filter, onChange, isTold }: Props) {
  const content = contentOf(filter);
  if (content === undefined || filter.filter.case === undefined) return null;
  const problem = isTold ? problemOf(filter) : undefined;
  const { subject } = filterWords.kinds[filter.filter.case];
  switch (content.shape) {
    case "text":
      return (
        <TextForm
          label={subject}
          {...content}
          problem={problem}
          onChange={(text, method) => onChange(content.having(text, method))}
        />
      );
    case "id":
      return (
        <IdForm
          of={content.of}
          label={subject}
          id={content.id}
          problem={problem}
          onChange={(id) => onChange(content.having(id))}
        />
      );
    case "grant":
      return <GrantForm id={content.id} problem={problem} onChange={(id) => onChange(content.having(id))} />;
    case "list": {
      const Form = content.of === "role" ? RoleKeysForm : ListForm;
      return (
        <Form
          of={content.of}
          list={content.list}
          problem={problem}
          onChange={(list) => onChange(content.having(list))}
        />
      );
    }
    case "state":
      return (
        <fieldset className="choices">
          <legend>{filterWords.state}</legend>
          {[State.ACTIVE, State.INACTIVE].map((state) => (
            <label key={state}>
              <input
                type="radio"
                checked={content.state === state}
                onChange={() => onChange(content.having(state))}
                aria-invalid={problem !== undefined || undefined}
              />
              {stateNames[state]}
            </label>
          ))}
        </fieldset>
      );
    case "range":
      return (
        <RangeForm
          offered={filter.filter.case === "expires" ? ahead : past}
          range={content.range}
          problem={problem}
          onChange={(range) => onChange(content.having(range))}
        />
      );
    default:
      return null;
  }
}
