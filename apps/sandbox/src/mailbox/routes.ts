import type { FastifyInstance } from 'fastify';
import { html } from '#pages/html.ts';
import { sendPage } from '#pages/layout.ts';
import { localTime } from '#pages/local-time.ts';
import type { World } from '#world/world.ts';
import { findMail, listMails } from './mails.ts';

interface Query {
  Querystring: { to?: string };
}

export function mailboxRoutes(app: FastifyInstance, { db }: World): void {
  app.get<Query>('/mail/messages', async ({ query }) =>
    listMails(db, query.to).map(({ to, subject, text, html, receivedAt }) => ({
      to,
      subject,
      text,
      html,
      receivedAt: new Date(receivedAt).toISOString(),
    })),
  );

  app.get<Query>('/mail', async ({ query }, reply) => {
    const mails = listMails(db, query.to);
    const rows = mails.map(
      ({ id, to, subject, receivedAt }) =>
        html`<tr><td>${localTime(receivedAt)}</td><td>${to}</td><td><a href="/mail/${id}">${subject || '(no subject)'}</a></td></tr>`,
    );
    const list =
      mails.length === 0
        ? html`<p>No mail yet.</p>`
        : html`<div class="scroll"><table><thead><tr><th>Received</th><th>To</th><th>Subject</th></tr></thead><tbody>${rows}</tbody></table></div>`;
    const body = html`<p><a href="/">Sandbox</a></p><div class="card"><h1>Mail</h1>${list}</div>`;
    return sendPage(reply, { title: 'Mail', body, isWide: true });
  });

  app.get<{ Params: { id: string } }>('/mail/:id', async ({ params }, reply) => {
    const mail = findMail(db, Number(params.id));
    if (mail === undefined) return sendPage(reply, { title: 'No such mail', body: html`<h1>No such mail</h1>` }, 404);
    const content =
      mail.html === ''
        ? html`<pre>${mail.text}</pre>`
        : html`<iframe title="Message" sandbox="allow-popups allow-popups-to-escape-sandbox allow-top-navigation-by-user-activation" srcdoc="${`<base target="_top">${mail.html}`}"></iframe><details><summary>Plain text</summary><pre>${mail.text}</pre></details>`;
    const body = html`<p><a href="/mail">Mail</a></p><div class="card"><h1>${mail.subject}</h1>
<dl><dt>To</dt><dd>${mail.to}</dd><dt>From</dt><dd>${mail.from}</dd><dt>Received</dt><dd>${localTime(mail.receivedAt)}</dd></dl>${content}</div>`;
    return sendPage(reply, { title: mail.subject, body, isWide: true });
  });
}
