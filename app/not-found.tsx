import Link from "next/link";
import { connection } from "next/server";

/** Everything that is no page leads back to the overview. */
export default async function NotFound() {
  // Drawn for each request: a page made at build time has no nonce for its scripts.
  await connection();
  return (
    <main className="mx-auto grid max-w-xl gap-2 px-6 py-16">
      <h1 className="text-[17px] font-[620]">There is no such page</h1>
      <p className="text-ink-2">Pods, nodes and pools have their address on the overview.</p>
      <p>
        <Link href="/" className="underline underline-offset-2">
          To the overview
        </Link>
      </p>
    </main>
  );
}
