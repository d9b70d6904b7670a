/** @type {import("next").NextConfig} */
const config = {
  poweredByHeader: false,
  agentRules: false,
  reactStrictMode: true,
  // No optimiser behind an address that strangers can ask: there are no images to optimise.
  images: { unoptimized: true },
  // Else a lock file in a folder above this one would move the root there.
  turbopack: { root: import.meta.dirname },
  // The server reads a whole cluster while it starts: a page is loaded when it is first asked for.
  experimental: { preloadEntriesOnStart: false },
  // Security headers are set by lib/server/http-server.ts, which sees every request first.
};

export default config;
