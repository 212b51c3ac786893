import { CopyButton } from "../panel/copy-button.tsx";
import { pageWords } from "../words/pages.ts";

/** The id of a thing. It is for programs, so it is behind a button. */
export function IdFact({ id, of }: { id: string; of: string }) {
  return (
    <>
      <dt>{pageWords.id}</dt>
      <dd>
        <CopyButton text={id} what={pageWords.copiesId(of)} />
      </dd>
    </>
  );
}
