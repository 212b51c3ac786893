/** Kinds of filters that belong together, each with its name. */
export type KindsOfGroup<Kind extends string> = {
  /** Absent if it is the only group. */
  readonly name?: string;
  readonly kinds: readonly (readonly [kind: Kind, name: string])[];
};

type Props<Kind extends string> = { groups: readonly KindsOfGroup<Kind>[]; onPick: (kind: Kind) => void };

/** The list of all kinds of filters, to start one. */
export function KindList<Kind extends string>({ groups, onPick }: Props<Kind>) {
  return (
    <div className="kind-list">
      {groups.map(({ name, kinds }) => (
        <section key={name ?? ""} aria-label={name}>
          {name !== undefined && <h3>{name}</h3>}
          <ul className="lines">
            {kinds.map(([kind, label]) => (
              <li key={kind}>
                <button type="button" className="plain" onClick={() => onPick(kind)}>
                  {label}
                </button>
              </li>
            ))}
          </ul>
        </section>
      ))}
    </div>
  );
}
