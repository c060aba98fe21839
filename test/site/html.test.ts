import { expect, test } from 'vitest';
import { Html, html, prose } from '../../src/site/html.ts';

test.each([
  ['a text, escaped', html`<p>${'<b> & "c"'}</p>`, '<p>&lt;b&gt; &amp; &quot;c&quot;</p>'],
  ['HTML as it is', html`<p>${html`<b>${1}</b>`}</p>`, '<p><b>1</b></p>'],
  ['a list without commas', html`<ul>${['a', new Html('<li>')]}</ul>`, '<ul>a<li></ul>'],
  ['nothing for undefined and false', html`<p>${undefined}${false}</p>`, '<p></p>'],
])('`html` writes %s', (_, written, expected) => {
  expect(written.text).toBe(expected);
});

test('`prose()` turns backticks into code, and escapes the rest', () => {
  expect(prose('Send `<x>` & wait').text).toBe('Send <code>&lt;x&gt;</code> &amp; wait');
});
