import { settings } from "../settings.ts";

/** The name of the console. */
export const product = settings.title;

/** The title of a page, which the browser shows on its tab. */
export function titleOf(page: string): string {
  return `${page} · ${product}`;
}
