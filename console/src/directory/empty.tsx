import { Link } from "@tanstack/react-router";
import { pageWords } from "../words/pages.ts";

type Props<Search> = {
  words: { readonly empty: string; readonly emptyAdvice: string };
  search: Search & { readonly page?: string };
  /** The search without the page. */
  list: object;
};

/** What a list says that has nothing on this page, and the way to where it has something. */
export function Empty<Search>({ words, search: { page }, list }: Props<Search>) {
  const isSearched = Object.keys(list).length > 0;
  const isLater = page !== undefined;
  return (
    <section className="notice">
      <h2>{isLater ? pageWords.emptyPage : isSearched ? pageWords.nothingMatches : words.empty}</h2>
      {!isLater && <p>{words.emptyAdvice}</p>}
      {(isLater || isSearched) && (
        <Link to="." search={isLater ? list : {}}>
          {isLater ? pageWords.firstPage : pageWords.clearSearch}
        </Link>
      )}
    </section>
  );
}
