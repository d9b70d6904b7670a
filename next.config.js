/** @type {import("next").NextConfig} */
const config = {
  poweredByHeader: false,
  agentRules: false,
  images: { unoptimized: true },
  reactStrictMode: true,
};

export default config;
