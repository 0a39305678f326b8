import type { FastifyInstance } from 'fastify';
import { type Html, html, localTime, table } from '#pages/html.ts';
import { sendPage } from '#pages/layout.ts';
import type { World } from '#world/world.ts';
import { findMail, listMails, type Mail } from './smtp.ts';

interface Query {
  Querystring: { to?: string };
}

export const mailTable = (mails: Mail[]): Html =>
  table(
    ['Received', 'To', 'Subject'],
    mails.map(
      ({ id, recipient, subject, receivedAt }) =>
        html`<tr><td>${localTime(receivedAt)}</td><td>${recipient}</td><td><a href="/mail/${id}">${subject || '(no subject)'}</a></td></tr>`,
    ),
    'No mail yet.',
  );

export function mailboxRoutes(app: FastifyInstance, { db }: World): void {
  app.get<Query>('/mail/messages', async ({ query }) =>
    listMails(db, query.to).map(({ recipient, subject, text, html, receivedAt }) => ({
      to: recipient,
      subject,
      text,
      html,
      receivedAt: new Date(receivedAt).toISOString(),
    })),
  );

  app.get<Query>('/mail', async ({ query }, reply) => {
    const list = mailTable(listMails(db, query.to));
    const body = html`<p><a href="/">Sandbox</a></p><div class="card"><h1>Mail</h1>${list}</div>`;
    return sendPage(reply, { title: 'Mail', body, isWide: true });
  });

  app.get<{ Params: { id: string } }>('/mail/:id', async ({ params }, reply) => {
    const mail = findMail(db, Number(params.id));
    if (mail === undefined) return sendPage(reply, { title: 'No such mail', body: html`<h1>No such mail</h1>` }, 404);
    const plain = html`<pre>${mail.text}</pre>`;
    const content =
      mail.html === ''
        ? plain
        : html`<iframe title="Message" sandbox="allow-popups allow-popups-to-escape-sandbox allow-top-navigation-by-user-activation" srcdoc="${`<base target="_top">${mail.html}`}"></iframe><details><summary>Plain text</summary>${plain}</details>`;
    const body = html`<p><a href="/mail">Mail</a></p><div class="card"><h1>${mail.subject}</h1>
<dl><dt>To</dt><dd>${mail.recipient}</dd><dt>From</dt><dd>${mail.sender}</dd><dt>Received</dt><dd>${localTime(mail.receivedAt)}</dd></dl>${content}</div>`;
    return sendPage(reply, { title: mail.subject, body, isWide: true });
  });
}
