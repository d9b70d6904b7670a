import { isIPv4 } from "node:net";

/** Whether only this machine can reach a server that listens on `host` (an address or a name, no brackets). */
export function isLoopback(host: string): boolean {
  const name = host.toLowerCase();
  return name === "localhost" || name === "::1" || (isIPv4(name) && name.startsWith("127."));
}
