/** The problem with the field that it describes. */
export function Problem({ id, text }: { id: string; text: string | undefined }) {
  return (
    text !== undefined && (
      <p id={id} className="problem">
        {text}
      </p>
    )
  );
}
