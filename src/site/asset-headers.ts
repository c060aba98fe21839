/** The headers of the static files, in the format of the `_headers` file of Workers static assets. Pure. */

/** Allows only this origin, and nothing inline (Content Security Policy Level 3). */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "font-src 'self'",
  "img-src 'self'",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

/** The text of `_headers`. */
export function assetHeaders(): string {
  return `/*
  Content-Security-Policy: ${POLICY}
  Cross-Origin-Opener-Policy: same-origin
  Permissions-Policy: camera=(), geolocation=(), microphone=()
  Referrer-Policy: no-referrer
  X-Content-Type-Options: nosniff
/static/*
  Cache-Control: public, max-age=31536000, immutable
/openapi.json
  Access-Control-Allow-Origin: *
`;
}
