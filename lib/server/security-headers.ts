/**
 * The policy under which a browser runs our page: nothing from elsewhere, no inline script without this request's nonce.
 * `nonce`: unguessable, new for each request. Next reads it from the request's header of the same name and puts it on
 * its own scripts and styles (https://nextjs.org/docs/app/guides/content-security-policy).
 */
export function contentSecurityPolicy(nonce: string, options: { readonly dev: boolean }): string {
  const { dev } = options;
  return [
    "default-src 'none'",
    // React's error overlay evaluates; hot reloading speaks WebSocket and puts styles into the page.
    `script-src 'self' 'nonce-${nonce}'${dev ? " 'unsafe-eval'" : ""}`,
    `style-src 'self' ${dev ? "'unsafe-inline'" : `'nonce-${nonce}'`}`,
    // Widths of bars come as style attributes with the first HTML.
    "style-src-attr 'unsafe-inline'",
    "img-src 'self' data:",
    "font-src 'self'",
    `connect-src 'self'${dev ? " ws:" : ""}`,
    "manifest-src 'self'",
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join("; ");
}

/** Headers of every answer besides the policy. No CORS header is ever sent. */
export const SECURITY_HEADERS: Readonly<Record<string, string>> = {
  "x-content-type-options": "nosniff",
  "referrer-policy": "no-referrer",
  "x-frame-options": "DENY",
  "cross-origin-opener-policy": "same-origin",
  "cross-origin-resource-policy": "same-origin",
};
