const name = "authorization-console.single-keys";

/** Whether shortcuts of a single key are on. People who dictate turn them off (WCAG 2.1.4). */
export function hasSingleKeys(): boolean {
  try {
    return localStorage.getItem(name) !== "off";
  } catch {
    return true;
  }
}

/** Keeps the choice in this browser, if the browser allows it. */
export function setSingleKeys(isOn: boolean): void {
  try {
    if (isOn) localStorage.removeItem(name);
    else localStorage.setItem(name, "off");
  } catch {
    // The choice is then lost with the page.
  }
}
