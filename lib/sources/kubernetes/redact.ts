/** What stands in place of a secret. */
const BLANK = "[redacted]";

const PEM = /-----BEGIN ([A-Z0-9 ]{1,40})-----[\s\S]*?(?:-----END \1-----|$)/g;

/** Shapes that only credentials have, whatever stands before them. */
const TOKENS: readonly RegExp[] = [
  // JSON Web Tokens.
  /eyJ[\w-]{5,}\.eyJ[\w-]{5,}(?:\.[\w-]*)?/g,
  // Hugging Face, GitHub, GitLab, Slack, AWS, Google, NVIDIA, OpenAI and the like.
  /(?:hf|api_org)_[A-Za-z0-9]{16,}/g,
  /(?:gh[pousr]_[A-Za-z0-9]{16,}|github_pat_\w{20,})/g,
  /glpat-[\w-]{16,}/g,
  /xox[a-z]-[\w-]{8,}/g,
  /(?:AKIA|ASIA)[A-Z0-9]{16}/g,
  /AIza[\w-]{30,}/g,
  /ya29\.[\w-]{16,}/g,
  /nvapi-[\w-]{16,}/g,
  /(?<![A-Za-z0-9])sk-[\w-]{20,}/g,
];

/** The password of `scheme://user:password@host`. */
const URL_PASSWORD = /\b([a-z][a-z0-9+.-]{1,20}:\/\/[^\s:/@]{0,200}:)[^\s/@]{1,500}(?=@)/gi;

const HEADER =
  /\b((?:proxy-)?authorization|x-api-key|x-auth-token|cookie|set-cookie)(["']?\s*[:=]\s*["']?)(?:(bearer|basic|token)\s+)?[^\r\n"']+/gi;
const BEARER = /\b(bearer\s+)[\w.~+/=-]{8,}/gi;

/** `password=x`, `"hf_token": "x"`, `--api-key x`: the value of a name that ends in a word for a secret. */
const NAMED =
  /((?:\b|_|-)(?:password|passwd|pwd|passphrase|secret|token|api[_-]?key|access[_-]?key|secret[_-]?key|private[_-]?key|credentials?)["']?(?:\s*[=:]\s*|(?<=--[\w-]{1,40})\s+))("(?:[^"\\\r\n]|\\.)*"|'(?:[^'\\\r\n]|\\.)*'|[^\s,;&"'}\])]+)/gi;

/**
 * `text` without what looks like a credential: PEM blocks, tokens by their shape, passwords in URLs, authorization
 * headers, and the values of what is called a password, secret, token or key. It blanks too much rather than too little.
 */
export function redact(text: string): string {
  let result = text.replace(PEM, BLANK);
  result = result.replace(HEADER, (_, name, between) => `${name}${between}${BLANK}`);
  result = result.replace(BEARER, `$1${BLANK}`);
  for (const token of TOKENS) result = result.replace(token, BLANK);
  result = result.replace(URL_PASSWORD, `$1${BLANK}`);
  return result.replace(NAMED, (whole, name: string, value: string) => {
    // A count, a flag or a word of code tells nothing: `max_token: 512`, `token=null`.
    if (/^["']?(?:\d{1,6}|true|false|null|none|undefined|\[redacted\]?)["']?$/i.test(value)) return whole;
    const quote = /^["']/.exec(value)?.[0] ?? "";
    return `${name}${quote}${BLANK}${quote}`;
  });
}
