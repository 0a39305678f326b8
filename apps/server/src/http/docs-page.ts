import { ErrorBody, type Operation } from '@sparechange/contract';
import { examples, openApi, refusalsOf } from '@sparechange/contract/openapi';
import { z } from 'zod';
import { escapeHtml } from '#html.ts';

export const docsStyle = `
:root{color-scheme:light;--accent:#17696b;--line:#e3e6e8;--quiet:#5a6368}
*{box-sizing:border-box}body{margin:0;font:16px/1.5 system-ui,sans-serif;color:#16191b}
main{max-width:60rem;margin:0 auto;padding:2rem 1rem 4rem}h1{font-size:2rem;margin:0 0 .5rem}
h2{font-size:1.1rem;margin:0}a{color:var(--accent)}section{border-top:1px solid var(--line);padding:1.5rem 0}
code,pre{font:.875rem/1.5 ui-monospace,monospace}pre{background:#f5f7f7;border-radius:6px;padding:.75rem 1rem;overflow-x:auto;margin:.5rem 0}
table{border-collapse:collapse;width:100%}td,th{text-align:left;vertical-align:top;padding:.25rem .75rem .25rem 0}
th{white-space:nowrap;font-weight:600}.quiet{color:var(--quiet)}.path{overflow-wrap:anywhere}nav ul{columns:16rem;padding-left:1rem}
details{margin:.5rem 0}summary{cursor:pointer;min-height:24px}`;

const json = (value: unknown): string => `<pre tabindex="0">${escapeHtml(JSON.stringify(value, null, 2))}</pre>`;

const table = (rows: [string, string][]): string =>
  `<table>${rows.map(([name, text]) => `<tr><th scope="row">${escapeHtml(name)}</th><td>${escapeHtml(text)}</td></tr>`).join('')}</table>`;

const schema = (name: string, of: z.ZodType, io: 'input' | 'output'): string => {
  const { $schema: _, ...rest } = z.toJSONSchema(of, { io });
  return `<details><summary>${name}</summary>${json(rest)}</details>`;
};

const access = {
  open: 'everybody with a tenant’s key',
  supporter: 'the signed-in supporter, for their own ids only',
};

function section(operation: Operation): string {
  const { name, method, path, summary, input, output, headers = {}, answers = { 200: 'done' } } = operation;
  const statuses = { ...answers, ...refusalsOf(operation) };
  const example = examples[name];
  return `<section id="${name}" aria-labelledby="${name}-title">
<h2 id="${name}-title">${name}</h2>
<p class="path"><code>${method} /api${escapeHtml(path)}</code></p>
<p>${escapeHtml(summary)}</p>
${table([['Who', access[operation.access]], ...Object.entries(headers).map(([header, { description }]): [string, string] => [header, description])])}
<p class="quiet">${method === 'GET' ? 'Query' : 'Payload'}, for example</p>${json(example?.input)}
<p class="quiet">Answer, for example</p>${json(example?.output)}
${schema(method === 'GET' ? 'Query, exactly' : 'Payload, exactly', input, 'input')}
${schema('Answer, exactly', output, 'output')}
<details><summary>Statuses</summary>${table(Object.entries(statuses))}</details>
</section>`;
}

/** Renders the contract for people as a page without scripts. */
export function docsPage(operations: readonly Operation[]): string {
  const codes = ErrorBody.shape.error.shape.code.options.join(', ');
  const refusal = { error: { code: 'invalid-input', message: '…', fields: { cdrid: 'Invalid UUID' }, requestId: '…' } };
  const { info } = openApi([]) as { info: { description: string } };
  return `<!doctype html>
<html lang="en-AU"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>Sparechange API</title><style>${docsStyle}</style></head><body><main>
<h1>Sparechange API</h1>
<p>${escapeHtml(info.description)} The same as <a href="/api/openapi.json">OpenAPI 3.1</a>.</p>
${table([
  ['apikey, tenant', 'the two headers of every call: the key and the underscore form of one tenant'],
  ['Authorization', 'Bearer and the ID token, where a supporter is asked for'],
  ['Content-Type', 'application/json for every payload, at most 64 kB'],
])}
<p>Amounts are whole cents of AUD unless a name says otherwise. Every refusal looks like this, with one of the codes ${codes}:</p>
${json(refusal)}
<nav aria-label="Operations"><ul>${operations.map(({ name }) => `<li><a href="#${name}">${name}</a></li>`).join('')}</ul></nav>
${operations.map(section).join('\n')}
</main></body></html>`;
}
