import type { Locator, Page } from "playwright-core";
import type { Visit, VisitOptions } from "./visit.ts";

/** How someone works: with the mouse, or by keyboard alone. */
export type Way = "mouse" | "keyboard";

/** The most stops that Tab and the arrow keys may need to reach something. */
const mostStops = 400;

/** Moves within a list of rows, options or choices, where Tab leads only to one of them. */
const lists = "tbody, .facets ul, [role=listbox], fieldset:has([type=radio])";

/**
 * A hand that works on a page and counts what it does. A click, a pressed shortcut or button, and a filled field count
 * one each. Moving doesn't count: neither the mouse, nor Tab and the arrow keys.
 */
export class Hand {
  steps = 0;
  readonly #page: Page;
  readonly #way: Way;

  constructor(page: Page, way: Way) {
    this.#page = page;
    this.#way = way;
  }

  /** Presses a button, follows a link, or ticks a box. */
  async press(target: Locator): Promise<void> {
    this.steps += 1;
    if (this.#way === "mouse") return target.click();
    await this.#reach(target);
    const isBox = await target.evaluate((element) => element.matches("[type=checkbox], [type=radio]"));
    await this.#page.keyboard.press(isBox ? "Space" : "Enter");
  }

  async fill(field: Locator, text: string): Promise<void> {
    this.steps += 1;
    if (this.#way === "mouse") return field.fill(text);
    await this.#reach(field);
    await this.#page.keyboard.press("Control+a");
    await this.#page.keyboard.insertText(text);
  }

  /** Presses keys that do something, such as a shortcut or Enter. */
  async keys(keys: string): Promise<void> {
    this.steps += 1;
    await this.#page.keyboard.press(keys);
  }

  /** Fills a field that searches, and takes one of the options it offers. */
  async pick(field: Locator, text: string, option: RegExp): Promise<void> {
    await this.fill(field, text);
    const offered = this.#page.getByRole("option", { name: option }).first();
    await offered.waitFor();
    this.steps += 1;
    if (this.#way === "mouse") return offered.click();
    const isHighlighted = () => offered.evaluate((element) => element.hasAttribute("data-highlighted"));
    for (let stop = 0; !(await isHighlighted()); stop += 1) {
      if (stop === mostStops) throw new Error(`the arrow keys don't lead to the option ${option}`);
      await this.#page.keyboard.press("ArrowDown");
    }
    await this.#page.keyboard.press("Enter");
  }

  /** Ticks the boxes of the first rows of the table: the first box, then the last one with Shift. */
  async pickRows(count: number): Promise<void> {
    const boxOf = (row: number) => this.#page.locator(`tr[data-index="${row}"] input[type=checkbox]`);
    await this.press(boxOf(0));
    this.steps += 1;
    const last = boxOf(count - 1);
    if (this.#way === "mouse") {
      await this.#scrollTo(count - 1);
      return last.click({ modifiers: ["Shift"] });
    }
    // A key that comes before the next row is there moves nothing.
    const rowOfFocus = () =>
      this.#page.evaluate(() =>
        Number(document.activeElement?.closest<HTMLElement>("tr[data-index]")?.dataset.index ?? -1),
      );
    for (let stop = 0; (await rowOfFocus()) < count - 1 && stop < mostStops; stop += 1)
      await this.#page.keyboard.press("ArrowDown");
    await last.press("Shift+Space");
  }

  /** Turns the wheel until a row of the table is in view: rows beyond the window are only there once it comes near. */
  async #scrollTo(row: number): Promise<void> {
    for (let turn = 0; turn < mostStops; turn += 1) {
      const way = await this.#page.evaluate(wayTo, row);
      if (way === "there") return;
      await this.#page.mouse.wheel(0, way === "down" ? 100 : -100);
    }
    throw new Error(`the wheel doesn't lead to row ${row}`);
  }

  async #reach(target: Locator): Promise<void> {
    await target.waitFor();
    for (let stop = 0; stop < mostStops; stop += 1) {
      const where = await target.evaluate((element, within) => {
        const { activeElement } = document;
        if (activeElement === element) return "there";
        if (activeElement === null || !element.closest(within)?.contains(activeElement)) return "Tab";
        // A list can get another order meanwhile.
        const isAbove = activeElement.compareDocumentPosition(element) & Node.DOCUMENT_POSITION_PRECEDING;
        return isAbove ? "ArrowUp" : "ArrowDown";
      }, lists);
      // A dialog that has just closed gives the focus back a little later.
      if (where === "there" && (await target.evaluate(hasFocusStill))) return;
      if (where !== "there") await this.#page.keyboard.press(where);
    }
    throw new Error(`neither Tab nor the arrow keys lead to ${target}`);
  }
}

/** Opens a page to work on, as carol unless told otherwise. */
export async function begin(visit: Visit, way: Way, address = "/assignments", options: VisitOptions = { as: "carol" }) {
  const page = await visit(address, options);
  return { page, hand: new Hand(page, way) };
}

/** Where a row of the table is, once the page has come to rest: a turn of the wheel moves it for a while. */
async function wayTo(row: number): Promise<"there" | "up" | "down"> {
  const frame = () => new Promise(requestAnimationFrame);
  const rows = () => [...document.querySelectorAll<HTMLElement>("tr[data-index]")];
  const places = () => rows().map((element) => `${element.dataset.index} at ${element.getBoundingClientRect().top}`);
  let quietFrames = 0;
  for (let before = ""; quietFrames < 6; ) {
    await frame();
    const now = places().join();
    quietFrames = now === before ? quietFrames + 1 : 0;
    before = now;
  }
  const target = rows().find((element) => Number(element.dataset.index) === row);
  if (target === undefined) return Number(rows()[0]?.dataset.index ?? 0) > row ? "up" : "down";
  const { left, top, height } = target.getBoundingClientRect();
  const middle = top + height / 2;
  if (document.elementFromPoint(left + 1, middle)?.closest("tr") === target) return "there";
  return middle < window.innerHeight / 2 ? "up" : "down";
}

/** Runs in the page. */
function hasFocusStill(element: Element): Promise<boolean> {
  return new Promise((resolve) => {
    requestAnimationFrame(() => requestAnimationFrame(() => resolve(document.activeElement === element)));
  });
}
