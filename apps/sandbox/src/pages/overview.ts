import type { FastifyInstance } from 'fastify';
import { listConnections, sharedAccountsOf } from '#bank/basiq/connections.ts';
import { listConsents } from '#bank/basiq/consents.ts';
import { users } from '#bank/basiq/users.ts';
import { getBank } from '#bank/statements/banks.ts';
import { listLatestDebits, listLatestPayouts, type Payment } from '#debits/overview.ts';
import { mailTable } from '#mailbox/routes.ts';
import { listMails } from '#mailbox/smtp.ts';
import { aud } from '#world/money.ts';
import type { World } from '#world/world.ts';
import { type Html, html, localTime, table } from './html.ts';
import { sendPage } from './layout.ts';

const shown = 25;

const crnNotes = html`<dl>
<dt><code>90000001</code></dt><dd>fails at the bank</dd>
<dt><code>90000002</code></dt><dd>stays pending for more than 25 seconds</dd>
<dt><code>90000003</code></dt><dd>has no accounts</dd>
<dt><code>90000004</code></dt><dd>answers 503</dd>
<dt><code>90000005</code></dt><dd>has an empty everyday account, which the bank still reports as $500: every debit is returned with code 6</dd>
<dt><code>90000006</code></dt><dd>has a statement full of edge cases: $0.00, US dollars, no class, equal purchases, days on which the clocks change</dd>
<dt><code>90000007</code></dt><dd>has accounts in the name of somebody else</dd></dl>`;

function customers({ db }: World): Html {
  const rows = users.list(db, {}, `order by created_at desc, id limit ${shown}`).map((user) => {
    const banks = listConnections(db, user.id).map((connection) => {
      const accounts = sharedAccountsOf(db, connection).map(({ account }) => account.name);
      return html`<div>${getBank(connection.institution).name}, CRN <code>${connection.crn}</code>, ${connection.status}<br><span class="quiet">${accounts.join(', ')}</span></div>`;
    });
    const consent = listConsents(db, user.id)[0]?.status ?? 'none';
    return html`<tr><td>${user.firstName} ${user.lastName}<br><span class="quiet">${user.email ?? ''}</span></td><td>${consent}</td><td>${banks}</td></tr>`;
  });
  return table(['Customer', 'Consent', 'Banks'], rows, 'Nobody has connected a bank yet.');
}

function payments(latest: Payment[], nothing: string): Html {
  const rows = latest.map(
    ({ ref, email, amount, description, state, createdAt, failureCode }) =>
      html`<tr><td>${localTime(Date.parse(createdAt ?? ''))}</td><td>${email}</td><td class="number">${aud(amount)}</td><td>${state}${failureCode === null ? '' : ` (${failureCode})`}</td><td>${description}<br><code>${ref}</code></td></tr>`,
  );
  return table(['Accepted', 'Whose account', 'Amount', 'State', 'Description'], rows, nothing);
}

/** Serves the page that explains the sandbox and its contents. */
export function overviewPage(app: FastifyInstance, world: World): void {
  const { db, clock } = world;
  app.get('/', async (_request, reply) => {
    const body = html`<h1>Sandbox</h1>
<p>The outside world for the product: a bank, a direct-debit provider and a mailbox. Its clock says <strong>${localTime(clock.now())}</strong>${
      clock.offsetMs() === 0 ? '' : ' (it has been moved)'
    }. Nothing here is real.</p>
<div class="card"><h2>Customers</h2>${customers(world)}</div>
<div class="card"><h2>Debits</h2>${payments(listLatestDebits(db, shown), 'No debits yet.')}<p><a href="/control/payments">All of them as JSON</a></p></div>
<div class="card"><h2>Payouts</h2>${payments(listLatestPayouts(db, shown), 'No payouts yet.')}<p><a href="/control/payouts">All of them as JSON</a></p></div>
<div class="card"><h2>Mail</h2>${mailTable(listMails(db).slice(0, shown))}<p><a href="/mail">Open the mailbox</a></p></div>
<div class="card"><h2>Signing in at the bank</h2><p>Any 8-digit CRN signs in, and the same CRN always finds the same accounts. Some are special:</p>${crnNotes}</div>
<div class="card"><h2>For programs</h2><p><code>/basiq</code> is the bank link, <code>/zepto</code> the debits, <code>/mail/messages?to=</code> the mailbox, and under <code>/control</code>
<a href="/control/clock">clock</a>, <a href="/control/faults">faults</a>, <a href="/control/options">options</a>, <a href="/control/webhooks">webhooks</a>, purchases, returns, consents, jobs, connections, accounts and reset.</p></div>`;
    return sendPage(reply, { title: 'Sandbox', body, isWide: true });
  });
}
