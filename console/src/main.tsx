import "./styles/base.css";
import "./styles/frame.css";
import { loadLanguage } from "./words/language/load-language.ts";

void show();

/** Evaluates the first view's code in short steps, each a file of its own, so the browser can react in between. */
async function show(): Promise<void> {
  await loadLanguage();
  await import("./first-messages.ts");
  const { beginFirstCalls } = await import("./first-calls.ts");
  // The answers are on their way while the browser reads the rest of the code.
  const queries = beginFirstCalls();
  await import("react-dom/client");
  const { showConsole } = await import("./show-console.tsx");
  showConsole(queries);
}
