import { getBank } from '#bank/statements/banks.ts';
import { type Html, html } from '#pages/html.ts';
import type { World } from '#world/world.ts';
import type { Visit } from './visits.ts';

export interface Page {
  title: string;
  body: Html;
}

/** The fields of all forms. */
interface Submitted {
  institution?: string | undefined;
  crn?: string | undefined;
  code?: string | undefined;
  account: string[];
  decision?: string | undefined;
  remove?: string | undefined;
  reauthorise?: string | undefined;
}

/** One page of the way, and what its form does to the visit, its consent and connections. */
export interface Step {
  show: (world: World, visit: Visit, error: string | undefined) => Page;
  submit: (world: World, visit: Visit, form: Submitted) => { visit: Visit; error?: string };
}

export const page = (title: string, content: Html, brand = 'Secure data sharing'): Page => ({
  title,
  body: html`<div class="brand">${brand}</div><div class="card"><h1>${title}</h1>${content}</div>
<p class="quiet">This is the sandbox. No bank and no money is involved.</p>`,
});

export const form = (visit: Visit, content: Html): Html =>
  html`<form method="post" action="/home/${visit.id}"><input type="hidden" name="step" value="${visit.step}">${content}</form>`;

export const bankName = (visit: Visit): string => getBank(visit.institution ?? '').name;

interface Field {
  name: string;
  label: string;
  hint: string;
  error: string | undefined;
}

export const field = ({ name, label, hint, error }: Field): Html => html`<div>
<label for="${name}">${label}</label>
<input type="text" id="${name}" name="${name}" inputmode="numeric" autocomplete="off" required
  aria-describedby="${name}-hint${error === undefined ? '' : ` ${name}-error`}"${error === undefined ? undefined : html` aria-invalid="true" autofocus`}>
<p class="quiet hint" id="${name}-hint">${hint}</p>
${error === undefined ? undefined : html`<p class="error" id="${name}-error" role="alert">${error}</p>`}
</div>`;

const sentences = {
  'resource-not-found': 'There is no current consent for this. Start again from the application.',
  'missing-attributes': 'This link is not complete. Start again from the application.',
  'token-expired': 'This link has expired. Start again from the application.',
};

export const errorPage = (code: keyof typeof sentences): Page =>
  page('Something is missing', html`<p>${sentences[code]}</p><p class="quiet"><code>${code}</code></p>`);

const dates = new Intl.DateTimeFormat('en-AU', { dateStyle: 'long', timeZone: 'Australia/Sydney' });

export const longDate = (instant: number): string => dates.format(instant);
