import { banks, getBank } from '#bank/statements/banks.ts';
import type { BankAccount, Customer } from '#bank/statements/customers.ts';

import { type Html, html } from '#pages/html.ts';
import { aud, type Cents } from '#world/money.ts';
import type { Visit } from './visits.ts';

export interface Page {
  title: string;
  body: Html;
}

const page = (title: string, content: Html, brand = 'Secure data sharing'): Page => ({
  title,
  body: html`<div class="brand">${brand}</div><div class="card"><h1>${title}</h1>${content}</div>
<p class="quiet">This is the sandbox. No bank and no money is involved.</p>`,
});

const form = (visit: Visit, content: Html): Html =>
  html`<form method="post" action="/home/${visit.id}"><input type="hidden" name="step" value="${visit.step}">${content}</form>`;

const bankName = (visit: Visit): string => getBank(visit.institution ?? '').name;

export const bankPage = (visit: Visit): Page =>
  page(
    'Choose your bank',
    html`<p class="quiet">You sign in at your bank. Your password is never shared.</p>${form(
      visit,
      html`<div class="choices">${banks.map(({ id, name }) => html`<button name="institution" value="${id}">${name}</button>`)}</div>`,
    )}`,
  );

interface Field {
  name: string;
  label: string;
  hint: string;
  error: string | undefined;
}

const field = ({ name, label, hint, error }: Field): Html => html`<div>
<label for="${name}">${label}</label>
<input type="text" id="${name}" name="${name}" inputmode="numeric" autocomplete="off" required
  aria-describedby="${name}-hint${error === undefined ? '' : ` ${name}-error`}"${error === undefined ? undefined : html` aria-invalid="true" autofocus`}>
<p class="quiet hint" id="${name}-hint">${hint}</p>
${error === undefined ? undefined : html`<p class="error" id="${name}-error" role="alert">${error}</p>`}
</div>`;

export function crnPage(visit: Visit, error?: string): Page {
  const hint = 'The 8-digit customer reference number you use to sign in.';
  const content = html`${field({ name: 'crn', label: 'Internet Banking CRN', hint, error })}<button>Continue</button>`;
  return page(`Sign in to ${bankName(visit)}`, form(visit, content), bankName(visit));
}

export function codePage(visit: Visit, error?: string): Page {
  const hint = 'The 6 digits your bank has just sent you.';
  const content = html`${field({ name: 'code', label: 'Code', hint, error })}<button>Continue</button>`;
  const message = html`<div class="phone"><div class="quiet">${bankName(visit)} app, just now</div>
<div>Your one-time code is <output>${visit.code ?? ''}</output></div></div>`;
  return page('Enter your code', html`${message}${form(visit, content)}`, bankName(visit));
}

interface OfferedAccount {
  account: BankAccount;
  balanceCents: Cents;
}

export function accountsPage(
  visit: Visit,
  customer: Customer,
  offered: OfferedAccount[],
  until: string,
  error?: string,
): Page {
  const ticks = offered.map(
    ({
      account,
      balanceCents,
    }) => html`<label class="tick"><input type="checkbox" name="account" value="${account.position}" checked>
<span>${account.name}<small>ending ${account.number.slice(-4)}, ${aud(balanceCents)}</small></span></label>`,
  );
  const accounts =
    offered.length === 0
      ? html`<p>You have no accounts that can be shared.</p>`
      : html`<fieldset><legend>Accounts to share</legend>${ticks}</fieldset>`;
  const content = html`${accounts}
<div><h2>What is shared</h2><ul class="quiet"><li>Account name, type and balance</li><li>Account number and BSB</li><li>Transactions, up to 24 months back</li></ul>
<p class="quiet">Until ${until}. You can stop sharing at any time.</p></div>
${error === undefined ? undefined : html`<p class="error" role="alert">${error}</p>`}
<div class="buttons"><button name="decision" value="authorise">Authorise</button><button class="plain" name="decision" value="cancel">Cancel</button></div>`;
  return page(`Hello ${customer.firstName}`, form(visit, content), bankName(visit));
}

export interface Sharing {
  since: string;
  until: string;
  connections: { id: string; name: string; until: string; accounts: string[] }[];
}

export function managePage(visit: Visit, sharing: Sharing | undefined, past: string[]): Page {
  const closing = html`<button class="plain" name="decision" value="close">Close</button>`;
  const history =
    past.length === 0
      ? undefined
      : html`<h2>Earlier consents</h2><ul class="quiet">${past.map((line) => html`<li>${line}</li>`)}</ul>`;
  if (sharing === undefined) {
    return page('Manage sharing', html`<p>You are not sharing any data.</p>${history}${form(visit, closing)}`);
  }
  const connections = sharing.connections.map(
    ({
      id,
      name,
      until,
      accounts,
    }) => html`<div><h2>${name}</h2><p class="quiet">${accounts.join(', ') || 'No accounts'}. Authorised until ${until}.</p>
<button class="danger" name="remove" value="${id}" aria-label="Remove ${name}">Remove</button></div>`,
  );
  const details = html`<dl><dt>Sharing since</dt><dd>${sharing.since}</dd><dt>Ends</dt><dd>${sharing.until}</dd></dl>`;
  const content = html`${details}${connections}<div class="buttons"><button class="danger" name="decision" value="revoke">Stop sharing</button>${closing}</div>${history}`;
  return page('Manage sharing', form(visit, content));
}

export function extendPage(visit: Visit, until: string, newUntil: string): Page {
  const content = html`<p>Your consent ends on ${until}. Extending it lets your data be used until ${newUntil}.</p>
<div class="buttons"><button name="decision" value="extend">Extend consent</button><button class="plain" name="decision" value="close">Close</button></div>`;
  return page('Extend your consent', form(visit, content));
}

export function reauthorisePage(visit: Visit, connections: { id: string; name: string; status: string }[]): Page {
  const rows = connections.map(
    ({ id, name, status }) => html`<div><h2>${name}</h2><p class="quiet">${status}</p>
<button name="reauthorise" value="${id}" aria-label="Reauthorise ${name}">Reauthorise</button></div>`,
  );
  const content = html`${rows}<button class="plain" name="decision" value="close">Close</button>`;
  return page('Reauthorise your banks', form(visit, content));
}

export const errorPage = (code: 'resource-not-found' | 'missing-attributes' | 'token-expired'): Page => {
  const sentences = {
    'resource-not-found': 'There is no current consent for this. Start again from the application.',
    'missing-attributes': 'This link is not complete. Start again from the application.',
    'token-expired': 'This link has expired. Start again from the application.',
  };
  return page('Something is missing', html`<p>${sentences[code]}</p><p class="quiet"><code>${code}</code></p>`);
};
