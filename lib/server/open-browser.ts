import { spawn } from "node:child_process";

/** Shows `address` in the user's browser, where there is someone in front of a screen; else does nothing. */
export function openBrowser(address: string): void {
  const { platform, env, stdout } = process;
  const hasScreen = platform !== "linux" || Boolean(env.DISPLAY || env.WAYLAND_DISPLAY);
  if (!stdout.isTTY || !hasScreen || env.SSH_CONNECTION || env.BROWSER === "none") return;
  const [command, ...args] =
    platform === "darwin" ? ["open"] : platform === "win32" ? ["cmd", "/c", "start", ""] : ["xdg-open"];
  const child = spawn(command ?? "", [...args, address], { stdio: "ignore", detached: true });
  // The address was printed, so a browser that does not open is no failure.
  child.on("error", () => {});
  child.unref();
}
