import { lazy, Suspense } from "react";
import { useCallerQuery } from "../caller.ts";
import { isPlain } from "../directory/rights.ts";

const YourAccessPage = lazy(async () => ({ default: (await import("../access/your-access-page.tsx")).YourAccessPage }));
const FirstPage = lazy(async () => ({ default: (await import("./first-page.tsx")).FirstPage }));

/** What the console begins with: the access of those who administer nothing, and for others what needs attention. */
export function StartPage() {
  const { data: caller, isPending } = useCallerQuery();
  if (isPending) return null;
  return <Suspense>{isPlain(caller) ? <YourAccessPage /> : <FirstPage />}</Suspense>;
}
