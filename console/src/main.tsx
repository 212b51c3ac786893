import "./styles/base.css";
import "./styles/frame.css";
import { beginFirstCalls } from "./first-calls.ts";

// The answers are on their way while the browser reads the rest of the code, in several short steps.
beginFirstCalls();
void show();

/** Not at the top level: the view imports modules of this file, and would wait for it while it waits for the view. */
async function show(): Promise<void> {
  await import("react-dom/client");
  const { showConsole } = await import("./show-console.tsx");
  showConsole();
}
