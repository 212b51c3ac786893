import { CopyButton } from "../panel/copy-button.tsx";
import { pageWords } from "../words/pages.ts";

/** The id of a thing. It is for programs, so it is behind a button. */
export function CopyId({ id, of }: { id: string; of: string }) {
  return <CopyButton text={id} what={pageWords.copiesId(of)} label={pageWords.copyId} />;
}
