import { cleanup, fireEvent, render, screen, waitFor } from "@testing-library/react";
import { useEffect, useRef, useState } from "react";
import { afterEach, expect, it } from "vitest";
import { useKeptFocus } from "../../src/parts/use-kept-focus.ts";

afterEach(cleanup);

/** A view with a box in it, with a button that takes itself away, beside what may have opened that. */
function View({ tabIndex, returnTo }: { tabIndex?: number; returnTo?: string }) {
  useKeptFocus();
  const [isThere, setThere] = useState(true);
  const wasThere = useRef(true);
  useEffect(() => {
    // As dialogs do.
    if (wasThere.current && !isThere && returnTo)
      requestAnimationFrame(() => document.getElementById(returnTo)?.focus());
    wasThere.current = isThere;
  }, [isThere, returnTo]);
  return (
    <main id="view" tabIndex={-1}>
      <section id="box" tabIndex={tabIndex}>
        {isThere && (
          <button type="button" onClick={() => setThere(false)}>
            Take away
          </button>
        )}
      </section>
      <button type="button" id="opener">
        Open
      </button>
      {!isThere && <p>It is gone</p>}
    </main>
  );
}

function takeAway() {
  const button = screen.getByRole("button", { name: "Take away" });
  button.focus();
  fireEvent.click(button);
}

const focused = () => document.activeElement?.id;

/** As long as it takes to mend what is lost. */
async function aFewFrames() {
  for (let frame = 0; frame < 4; frame += 1) await new Promise(requestAnimationFrame);
}

it("the view has the focus when what had it is gone", async () => {
  render(<View />);
  takeAway();
  await waitFor(() => expect(focused()).toBe("view"));
});

it("what is nearer around it has it, if it can", async () => {
  render(<View tabIndex={-1} />);
  takeAway();
  await waitFor(() => expect(focused()).toBe("box"));
});

it("a focus that is given back on purpose stays there", async () => {
  render(<View tabIndex={-1} returnTo="opener" />);
  const taken: unknown[] = [];
  takeAway();
  document.getElementById("view")?.addEventListener("focusin", ({ target }) => taken.push(target));
  await aFewFrames();
  expect(taken).toEqual([document.getElementById("opener")]);
});
