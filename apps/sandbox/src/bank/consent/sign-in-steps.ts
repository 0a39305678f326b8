import { randomInt, randomUUID } from 'node:crypto';
import { findActiveConsent, yearMs } from '#bank/basiq/consents.ts';
import { addDeclinedJob } from '#bank/basiq/jobs.ts';
import { banks, findBank } from '#bank/statements/banks.ts';
import { customerOf, isCrn } from '#bank/statements/customers.ts';
import { balanceOf } from '#bank/statements/ledger.ts';
import { html } from '#pages/html.ts';
import { aud } from '#world/money.ts';
import { bankName, field, form, longDate, page, type Step } from './page.ts';
import { authorise, changeVisit, finishVisit, type Visit } from './visits.ts';

export const bankStep: Step = {
  show(_world, visit) {
    const choices = banks.map(({ id, name }) => html`<button name="institution" value="${id}">${name}</button>`);
    const content = form(visit, html`<div class="choices">${choices}</div>`);
    const intro = html`<p class="quiet">You sign in at your bank. Your password is never shared.</p>`;
    return page('Choose your bank', html`${intro}${content}`);
  },
  submit({ db }, visit, { institution = '' }) {
    const chosen = findBank(institution);
    return { visit: chosen ? changeVisit(db, visit, { institution: chosen.id, step: 'crn' }) : visit };
  },
};

export const crnStep: Step = {
  show(_world, visit, error) {
    const hint = 'The 8-digit customer reference number you use to sign in.';
    const input = field({ name: 'crn', label: 'Internet Banking CRN', hint, error });
    return page(`Sign in to ${bankName(visit)}`, form(visit, html`${input}<button>Continue</button>`), bankName(visit));
  },
  submit({ db }, visit, form) {
    const crn = (form.crn ?? '').replaceAll(/\s/g, '');
    if (!isCrn(crn)) return { visit, error: 'That CRN is not right. It has 8 digits.' };
    return { visit: changeVisit(db, visit, { crn, code: String(randomInt(100_000, 1_000_000)), step: 'code' }) };
  },
};

export const codeStep: Step = {
  show(_world, visit, error) {
    const input = field({ name: 'code', label: 'Code', hint: 'The 6 digits your bank has just sent you.', error });
    const message = html`<div class="phone"><div class="quiet">${bankName(visit)} app, just now</div>
<div>Your one-time code is <output>${visit.code ?? ''}</output></div></div>`;
    const content = html`${message}${form(visit, html`${input}<button>Continue</button>`)}`;
    return page('Enter your code', content, bankName(visit));
  },
  submit({ db }, visit, { code = '' }) {
    if (code.trim() === visit.code) return { visit: changeVisit(db, visit, { step: 'accounts' }) };
    return { visit, error: 'That code is not right. Enter the one your bank has just sent.' };
  },
};

const customerOn = ({ institution, crn }: Visit) => customerOf(institution ?? '', crn ?? '');

export const accountsStep: Step = {
  show({ db, clock }, visit, error) {
    const now = clock.now();
    const customer = customerOn(visit);
    const until = findActiveConsent(db, visit.userId)?.expiresAt ?? now + yearMs;
    const ticks = customer.accounts.map((account) => {
      const { position, name, number } = account;
      const details = `ending ${number.slice(-4)}, ${aud(balanceOf({ db, now }, customer, account))}`;
      return html`<label class="tick"><input type="checkbox" name="account" value="${position}" checked>
<span>${name}<small>${details}</small></span></label>`;
    });
    const choice =
      ticks.length === 0
        ? html`<p>You have no accounts that can be shared.</p>`
        : html`<fieldset><legend>Accounts to share</legend>${ticks}</fieldset>`;
    const content = html`${choice}
<div><h2>What is shared</h2><ul class="quiet"><li>Account name, type and balance</li><li>Account number and BSB</li><li>Transactions, up to 24 months back</li></ul>
<p class="quiet">Until ${longDate(until)}. You can stop sharing at any time.</p></div>
${error === undefined ? undefined : html`<p class="error" role="alert">${error}</p>`}
<div class="buttons"><button name="decision" value="authorise">Authorise</button><button class="plain" name="decision" value="cancel">Cancel</button></div>`;
    return page(`Hello ${customer.firstName}`, form(visit, content), bankName(visit));
  },
  submit(world, visit, { decision, account }) {
    const { db, clock } = world;
    const customer = customerOn(visit);
    const { institution, crn } = customer;
    if (decision === 'cancel') {
      const source = { id: randomUUID(), userId: visit.userId, institution, crn };
      return { visit: finishVisit(db, visit, addDeclinedJob(world, source, clock.now())) };
    }
    if (decision !== 'authorise') return { visit };
    const offered = customer.accounts.map(({ position }) => position);
    const positions = offered.filter((position) => account.includes(String(position)));
    if (positions.length === 0 && offered.length > 0)
      return { visit, error: 'Choose at least one account, or cancel.' };
    return { visit: finishVisit(db, visit, authorise(world, visit.userId, customer, positions)) };
  },
};
