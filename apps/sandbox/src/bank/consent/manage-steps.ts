import {
  connections,
  deleteConnection,
  listConnections,
  listLiveConnections,
  permitUntil,
  sharedAccountsOf,
} from '#bank/basiq/connections.ts';
import { endConsent, extendConsent, findActiveConsent, listConsents, yearMs } from '#bank/basiq/consents.ts';
import { startJob } from '#bank/basiq/jobs.ts';
import { getBank } from '#bank/statements/banks.ts';
import { html } from '#pages/html.ts';
import { form, longDate, page, type Step } from './page.ts';
import { finishVisit } from './visits.ts';

const closing = html`<button class="plain" name="decision" value="close">Close</button>`;

export const manageStep: Step = {
  show({ db }, visit) {
    const all = listConsents(db, visit.userId);
    const consent = all.find(({ status }) => status === 'active');
    const past = all
      .filter(({ status }) => status !== 'active')
      .map(({ status, createdAt, updatedAt }) => `${longDate(createdAt)}: ${status} on ${longDate(updatedAt)}`)
      .map((line) => html`<li>${line}</li>`);
    const history = past.length === 0 ? undefined : html`<h2>Earlier consents</h2><ul class="quiet">${past}</ul>`;
    if (consent === undefined) {
      return page('Manage sharing', html`<p>You are not sharing any data.</p>${history}${form(visit, closing)}`);
    }
    const shared = listConnections(db, visit.userId)
      .filter(({ status }) => status === 'active' || status === 'invalid')
      .map((connection) => {
        const { name } = getBank(connection.institution);
        const accounts = sharedAccountsOf(db, connection).map(({ account }) => account.name);
        return html`<div><h2>${name}</h2><p class="quiet">${accounts.join(', ') || 'No accounts'}. Authorised until ${longDate(connection.expiresAt)}.</p>
<button class="danger" name="remove" value="${connection.id}" aria-label="Remove ${name}">Remove</button></div>`;
      });
    const { createdAt, expiresAt } = consent;
    const details = html`<dl><dt>Sharing since</dt><dd>${longDate(createdAt)}</dd><dt>Ends</dt><dd>${longDate(expiresAt)}</dd></dl>`;
    const content = html`${details}${shared}<div class="buttons"><button class="danger" name="decision" value="revoke">Stop sharing</button>${closing}</div>${history}`;
    return page('Manage sharing', form(visit, content));
  },
  submit(world, visit, { decision, remove }) {
    const { db, clock } = world;
    const consent = findActiveConsent(db, visit.userId);
    const connection = listLiveConnections(db, visit.userId).find(({ id }) => id === remove);
    if (connection !== undefined) deleteConnection(world, connection);
    if (decision === 'revoke' && consent !== undefined) endConsent(world, consent, 'revoked', clock.now());
    return { visit: decision === 'close' ? finishVisit(db, visit) : visit };
  },
};

export const extendStep: Step = {
  show({ db, clock }, visit) {
    const now = clock.now();
    const until = findActiveConsent(db, visit.userId)?.expiresAt ?? now;
    const content = html`<p>Your consent ends on ${longDate(until)}. Extending it lets your data be used until ${longDate(now + yearMs)}.</p>
<div class="buttons"><button name="decision" value="extend">Extend consent</button>${closing}</div>`;
    return page('Extend your consent', form(visit, content));
  },
  submit(world, visit, { decision }) {
    const consent = findActiveConsent(world.db, visit.userId);
    if (decision === 'extend' && consent !== undefined) extendConsent(world, consent, world.clock.now());
    return { visit: finishVisit(world.db, visit) };
  },
};

const weekMs = 7 * 86_400_000;

/** The bank is asked again, by the same person, for the same accounts; their ids stay as they are. */
export const reauthoriseStep: Step = {
  show({ db, clock }, visit) {
    const rows = listLiveConnections(db, visit.userId).map(({ id, institution, expiresAt }) => {
      const { name } = getBank(institution);
      const isEnding = expiresAt - clock.now() < weekMs;
      const status = isEnding ? 'Expiring soon' : `Authorised until ${longDate(expiresAt)}`;
      return html`<div><h2>${name}</h2><p class="quiet">${status}</p>
<button name="reauthorise" value="${id}" aria-label="Reauthorise ${name}">Reauthorise</button></div>`;
    });
    return page('Reauthorise your banks', form(visit, html`${rows}${closing}`));
  },
  submit(world, visit, { reauthorise, decision }) {
    const { db, clock } = world;
    if (decision === 'close') return { visit: finishVisit(db, visit) };
    const connection = listLiveConnections(db, visit.userId).find(({ id }) => id === reauthorise);
    if (connection === undefined) return { visit };
    connections.update(db, { id: connection.id }, { status: 'active' });
    permitUntil(world, connection.id, clock.now() + yearMs);
    return { visit: finishVisit(db, visit, startJob(world, connection, 'connect', clock.now())) };
  },
};
