/** HTML templates in which every value is escaped unless it is already HTML. Pure. */

/** A finished piece of HTML. */
export class Html {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

/** The values that a template accepts. Undefined and false render nothing. */
export type Content = string | number | Html | undefined | false | readonly Content[];

/** Renders a piece of HTML: html`<p>${text}</p>`. */
export function html(strings: TemplateStringsArray, ...contents: readonly Content[]): Html {
  return new Html(strings.reduce((written, string, at) => written + write(contents[at - 1]) + string));
}

/** Renders a text, with `code` for parts in backticks. */
export function prose(text: string): Html {
  return new Html(escapeHtml(text).replaceAll(/`([^`]+)`/g, '<code>$1</code>'));
}

function write(part: Content): string {
  if (part === undefined || part === false) return '';
  if (part instanceof Html) return part.text;
  return typeof part === 'object' ? part.map(write).join('') : escapeHtml(String(part));
}

function escapeHtml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
}
