import type { Db } from '#db/connect.ts';
import { queueMail } from '#features/core/outbox/outbox-repository.ts';
import type { Clock } from '#ports/clock.ts';
import type { IdLink } from '#secrets/signed-links.ts';

export type LinkPurpose = 'invitation' | 'recovery' | 'sign_in';

export interface OperatorLink {
  id: string;
  operatorId: string;
  purpose: LinkPurpose;
}

const minutesOf: Record<LinkPurpose, number> = { invitation: 7 * 24 * 60, recovery: 24 * 60, sign_in: 15 };

/** Creates a link and queues its email; returns its id. */
export async function mailLink(tx: Db, clock: Clock, operatorId: string, purpose: LinkPurpose): Promise<string> {
  const id = await makeLink(tx, operatorId, purpose);
  const facts = { kind: 'operator_link', linkId: id, operatorId } as const;
  const mail = { recipient: 'operator' as const, supporterId: null, key: `operator link ${id}`, facts };
  await queueMail(tx, { ...mail, at: clock.now(), isUrgent: true });
  return id;
}

/** Creates a link in place of earlier ones. A sign-in link, which anybody may request, replaces no other kind. */
export async function makeLink(tx: Db, operatorId: string, purpose: LinkPurpose): Promise<string> {
  await tx`
    delete from operator_links
    where expires_at < now() or (operator_id = ${operatorId} and ${purpose} <> 'sign_in')`;
  const [link] = await tx<{ id: string }[]>`
    insert into operator_links (operator_id, purpose, expires_at)
    values (${operatorId}, ${purpose}, now() + make_interval(mins => ${minutesOf[purpose]})) returning id`;
  return link?.id ?? '';
}

/** Finds a link that was not opened yet. */
export async function findLink(db: Db, id: string): Promise<OperatorLink | undefined> {
  const [link] = await db<OperatorLink[]>`
    select id, operator_id as "operatorId", purpose from operator_links where id = ${id} and expires_at > now()`;
  return link;
}

/** Uses up a link and returns its person; undefined if it is forged, was opened or has expired. */
export async function openLink(tx: Db, links: IdLink, token: string): Promise<OperatorLink | undefined> {
  const id = links.read(token);
  if (!id) return undefined;
  const [link] = await tx<OperatorLink[]>`
    delete from operator_links where id = ${id} and expires_at > now()
    returning id, operator_id as "operatorId", purpose`;
  return link;
}

export async function forgetLinks(tx: Db, operatorId: string): Promise<void> {
  await tx`delete from operator_links where operator_id = ${operatorId}`;
}

/** Page that opens a link; browsers send the part after # to no server and in no referrer. */
export function linkAddress(consoleUrl: URL, links: IdLink, linkId: string): URL {
  const address = new URL(`${consoleUrl.href}/link`);
  address.hash = links.token(linkId);
  return address;
}
