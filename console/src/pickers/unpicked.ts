/**
 * Leads to a field whose typed text was not picked, if there is one. Until then, nothing is sent: the form doesn't have
 * what the field shows.
 */
export function focusUnpicked(form: HTMLElement | null): boolean {
  const field = form?.querySelector<HTMLElement>("[data-unpicked]");
  field?.focus();
  return field != null;
}
