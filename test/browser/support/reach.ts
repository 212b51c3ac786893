import type { Page } from "playwright-core";
import { expect } from "vitest";
import { expectNoViolationsNow } from "./accessibility.ts";

/** The page as people see it who need it larger, in colors of their own, or without motion. */
export async function expectUsableByAll(page: Page): Promise<void> {
  const before = page.viewportSize() ?? { width: 1_280, height: 800 };
  await expect.poll(() => page.evaluate(tooLong), { message: "scrolls as a whole, away from its header" }).toBe(0);
  expect(await moving(page), "moves although less motion is wanted").toEqual([]);

  // Contrast is up to the system then. axe can't measure it: Chromium reports the colors of before as those of text.
  await page.emulateMedia({ forcedColors: "active" });
  expect(await page.evaluate(ownColors), "texts with colors of their own where colors are forced").toEqual([]);
  expect(await page.evaluate(lookAlike), "looks the same chosen or not where colors are forced").toEqual([]);
  await page.emulateMedia({ forcedColors: "none" });

  // Zoom of 200% halves the window.
  await page.setViewportSize({ width: 640, height: 400 });
  await expectNoViolationsNow(page, "200% zoom");
  // What is still loading can move it.
  await expect.poll(() => page.evaluate(outOfReach), { message: "out of reach at 200% zoom" }).toEqual([]);
  await page.setViewportSize(before);
}

/** Runs in the page: by how much it is longer than the window, although its main part scrolls. */
function tooLong(): number {
  const { scrollHeight, clientHeight } = document.documentElement;
  return document.querySelector("main#view") === null ? 0 : scrollHeight - clientHeight;
}

/** Runs in the page: texts that keep colors of their own. What is chosen has the colors that the system has for that. */
function ownColors(): string[] {
  const hasText = (element: Element) =>
    [...element.childNodes].some((node) => node.nodeType === Node.TEXT_NODE && node.textContent?.trim());
  const probe = document.body.appendChild(document.createElement("i"));
  probe.style.setProperty("forced-color-adjust", "none");
  probe.style.color = "HighlightText";
  const ofChosen = getComputedStyle(probe).color;
  probe.remove();
  return [...document.body.querySelectorAll("*")]
    .filter((element) => {
      const { color, forcedColorAdjust } = getComputedStyle(element) as CSSStyleDeclaration & {
        readonly forcedColorAdjust: string;
      };
      return forcedColorAdjust === "none" && color !== ofChosen;
    })
    .flatMap((element) => (hasText(element) ? [`${element.localName} "${element.textContent}"`] : []));
}

async function moving(page: Page): Promise<string[]> {
  return page.evaluate(() =>
    document
      .getAnimations()
      .map((animation) => `${animation.id} ${(animation.effect as KeyframeEffect).target?.className}`),
  );
}

/** Runs in the page: the controls that scrolling doesn't bring into the window, or that something else covers. */
function outOfReach(): string[] {
  const dialog = [...document.querySelectorAll("[role=dialog], [role=alertdialog], dialog[open]")].at(-1);
  const controls = (dialog ?? document).querySelectorAll<HTMLElement>(
    "a[href], button, input, select, textarea, summary",
  );
  const isShown = (control: HTMLElement) =>
    control.checkVisibility({ visibilityProperty: true, opacityProperty: true }) &&
    control.closest(".visually-hidden, [aria-hidden=true]") === null;
  return [...controls].filter(isShown).flatMap((control) => {
    control.scrollIntoView({ block: "center", inline: "nearest" });
    // A link can have several lines.
    const [line] = control.getClientRects();
    if (line === undefined) return [];
    const { left, right, top, bottom, width, height } = line;
    const name = `${control.localName} "${control.ariaLabel || control.textContent || control.getAttribute("name")}"`;
    if (left < 0 || right > innerWidth + 0.5 || top < 0 || bottom > innerHeight + 0.5) {
      return [`${name} is cut off: ${[left, right, top, bottom].map(Math.round)}`];
    }
    const hit = document.elementFromPoint(left + width / 2, top + height / 2);
    const isHit = hit !== null && (control.contains(hit) || hit.closest("label")?.contains(control));
    return isHit ? [] : [`${name} lies under ${hit?.localName}.${hit?.className}`];
  });
}

/** Runs in the page: what is chosen, current or pressed and differs from its neighbors by colors alone, which are forced. */
function lookAlike(): string[] {
  // A name in a text may lead to the page that it is on. Only ways say where one is.
  const chosen = "nav [aria-current], [aria-pressed=true], [aria-selected=true], [data-selected], [data-open]:is(tr)";
  const looks = (element: Element) => {
    const look = getComputedStyle(element);
    return [look.outlineStyle, look.borderWidth, look.borderStyle, look.textDecorationLine, look.fontWeight]
      .concat(getComputedStyle(element, "::before").content, getComputedStyle(element, "::after").content)
      .join();
  };
  return [...document.querySelectorAll(chosen)].flatMap((element) => {
    const place = element.closest("nav, ul, tbody, [role=listbox]");
    const others = [...(place?.querySelectorAll(element.localName) ?? [])].filter((one) => !one.matches(chosen));
    const other = others.find((one) => one.checkVisibility());
    return other && looks(other) === looks(element) ? [`${element.localName} "${element.textContent}"`] : [];
  });
}
