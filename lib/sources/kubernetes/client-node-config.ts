import { registerHooks } from "node:module";

/**
 * client-node's KubeConfig without the thousand generated API classes that its package loads along with it: half a
 * second and 45 MB at every start, of which only `makeApiClient` makes use, which nothing here calls.
 */
const withoutGeneratedCode = registerHooks({
  resolve: (specifier, context, next) =>
    specifier === "./gen/index.js" && context.parentURL?.endsWith("/client-node/dist/config.js")
      ? { url: STAND_IN, shortCircuit: true }
      : next(specifier, context),
});

const STAND_IN =
  "data:text/javascript,export class ServerConfiguration {} export function createConfiguration() { throw new Error('the generated code is not loaded') }";

export const { KubeConfig } = await import("@kubernetes/client-node/dist/config.js");

withoutGeneratedCode.deregister();
