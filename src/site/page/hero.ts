/** The first screen: what the service is, and one event with its answer. Pure. */

import { ENDPOINT_PATH } from '../../contract/endpoint.ts';
import { type Html, html } from '../html.ts';
import { ACCEPTED } from '../openapi/responses.ts';
import { MAX_BODY } from '../words/rules.ts';
import { code, ORIGIN } from './code.ts';
import { EVENT } from './snippets.ts';

const REQUEST = `POST ${ENDPOINT_PATH} HTTP/1.1
Authorization: Bearer ••••••••••••
Content-Type: application/json

${EVENT}`;

const ANSWER = `HTTP/1.1 202 Accepted

${JSON.stringify({ ...ACCEPTED, response: { ...ACCEPTED.response, warnings: [] } }, null, 2)}`;

/** The first screen. */
export function hero(): Html {
  return html`<section class="hero columns" aria-labelledby="title">
<div>
<h1 id="title">One event,<br><em>one request.</em></h1>
<p class="lead">Your property management system posts each reservation event here. We check it while you wait, and answer 202 only when it is safely stored.</p>
<dl class="facts">
<div class="address"><dt>Send to</dt><dd><code>POST <span data-origin>${ORIGIN}</span><wbr>${ENDPOINT_PATH}</code></dd></div>
<div><dt>Say who you are</dt><dd><code>Authorization: Bearer <i>your token</i></code><br>or <code>Authentication</code>, as the contract spells it</dd></div>
<div><dt>Send as</dt><dd>one JSON object in UTF-8, up to ${MAX_BODY}, or <a href="#batches">several events at once</a></dd></div>
</dl>
<p class="actions"><a class="button" href="#try">Try it here</a> <a class="button plain" href="/openapi.json">OpenAPI 3.1</a></p>
</div>
<div>
${code(REQUEST, 'http', 'A request')}
${code(ANSWER, 'http', 'Its answer')}
</div>
</section>`;
}
