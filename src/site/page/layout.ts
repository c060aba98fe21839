/** The layout that all pages share. Pure. */

import type { Bundle } from '../bundle.ts';
import { type Html, html } from '../html.ts';

export interface Page {
  readonly title: string;
  readonly description: string;
  /** The links beside the brand. */
  readonly links: readonly (readonly [address: string, name: string])[];
  readonly main: Html;
  /** The source of the content; by default, the contract. */
  readonly origin?: string;
}

const GENERATED = 'Everything on this page is generated from the contract that the service enforces.';

/** Renders a page. */
export function layout(
  { style, script, fonts }: Bundle,
  { title, description, links, main, origin = GENERATED }: Page,
): string {
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="description" content="${description}">
<title>${title}</title>
<link rel="icon" href="/icon.svg" type="image/svg+xml">
${fonts.map((font) => html`<link rel="preload" href="${font}" as="font" type="font/woff2" crossorigin>\n`)}<link rel="stylesheet" href="${style}">
<script type="module" src="${script}"></script>
</head>
<body>
<a class="skip button" href="#main">Skip to the content</a>
<header class="top">
<a class="brand" href="/"><img src="/icon.svg" alt="" width="30" height="30">Reservation event intake</a>
<nav class="sections" aria-label="Sections"><ul>${links.map(([address, name]) => html`<li><a href="${address}">${name}</a></li>`)}</ul></nav>
</header>
<main id="main" tabindex="-1">
${main}
</main>
<footer class="foot">
<p>${origin} <a href="/openapi.json">OpenAPI 3.1</a> · <a href="#main">Back to the top</a></p>
</footer>
</body>
</html>
`.text;
}
