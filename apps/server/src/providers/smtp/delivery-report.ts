import PostalMime, { type Attachment } from 'postal-mime';
import { holdsMailAddress } from '#mail-address-in-text.ts';
import type { FailedDelivery } from '#ports/mailer.ts';
import { withoutSecrets } from '#providers/outgoing/without-secrets.ts';

const maxFailed = 10;
const longestReason = 2_000;
const longestAddress = 254;

const statusParts = ['message/delivery-status', 'message/global-delivery-status'];
const originalParts = ['message/rfc822', 'text/rfc822-headers', 'message/global', 'message/global-headers'];

/**
 * Reads the failures of a delivery report; none in any other message: a reply, an absence, a receipt, or a report of a
 * mail that is late or has arrived.
 */
export async function readFailedDeliveries(message: Uint8Array): Promise<FailedDelivery[]> {
  const { headers, attachments } = await parsed(message);
  const [type, ...others] = headers.filter(({ key }) => key === 'content-type').map(({ value }) => value);
  if (type === undefined || others.length > 0 || !isReport(type)) return [];
  const mailId = mailIdIn(textOf(attachments, originalParts));
  const [, ...recipients] = blocksOf(textOf(attachments, statusParts));
  if (mailId === undefined) return [];
  return recipients
    .filter((fields) => fields.get('action')?.toLowerCase() === 'failed')
    .slice(0, maxFailed)
    .flatMap((fields) => {
      const status = /^[245]\.\d{1,3}\.\d{1,3}(?!\S)/.exec(fields.get('status') ?? '')?.[0];
      const addresses = ['original-recipient', 'final-recipient'].flatMap((name) => addressIn(fields.get(name)) ?? []);
      if (status === undefined || addresses.length === 0) return [];
      const words = (fields.get('diagnostic-code') ?? '').slice(0, longestReason).replace(/\p{C}/gu, ' ');
      return [{ mailId, addresses: [...new Set(addresses)], status, reason: withoutSecrets(`${status} ${words}`) }];
    });
}

/** Treats a report that cannot be parsed as empty: it says nothing about an email. */
async function parsed(
  message: Uint8Array,
): Promise<Pick<Awaited<ReturnType<typeof PostalMime.parse>>, 'headers' | 'attachments'>> {
  try {
    return await PostalMime.parse(message, { forceRfc822Attachments: true, maxNestingDepth: 20 });
  } catch {
    return { headers: [], attachments: [] };
  }
}

function isReport(type: string): boolean {
  const [media = '', ...parameters] = type.toLowerCase().split(';');
  const report = parameters.map((parameter) => parameter.replace(/[\s"]/g, ''));
  return media.trim() === 'multipart/report' && report.includes('report-type=delivery-status');
}

function textOf(attachments: Attachment[], types: string[]): string {
  const content = attachments.find(({ mimeType }) => types.includes(mimeType))?.content ?? '';
  return typeof content === 'string' ? content : Buffer.from(new Uint8Array(content)).toString();
}

/** Reads blocks of fields with empty lines between them; the first of several fields of one name counts. */
function blocksOf(text: string): Map<string, string>[] {
  const blocks: string[][] = [[]];
  for (const line of text.split(/\r?\n/)) {
    const block = blocks.at(-1) ?? [];
    if (line.trim() !== '') block.push(line);
    else if (block.length > 0) blocks.push([]);
  }
  return blocks.map(fieldsOf);
}

/** Reads fields, which continue in lines beginning with a blank. */
function fieldsOf(lines: string[]): Map<string, string> {
  const fields = new Map<string, string[]>();
  let field: string[] = [];
  for (const line of lines) {
    if (/^[ \t]/.test(line)) field.push(line.trim());
    else {
      const [name = ''] = line.split(':', 1);
      field = [line.slice(name.length + 1).trim()];
      const key = name.trim().toLowerCase();
      if (!fields.has(key)) fields.set(key, field);
    }
  }
  return new Map([...fields].map(([name, parts]) => [name, parts.join(' ').trim()]));
}

function mailIdIn(headers: string): string | undefined {
  const [fields] = blocksOf(headers);
  return /^<([0-9a-f]{40})@[^\s<>@]{1,253}>$/.exec(fields?.get('message-id') ?? '')?.[1];
}

/** Reads `rfc822; joan@example.com`; undefined for an invalid address. */
function addressIn(field = ''): string | undefined {
  const address = field
    .slice(field.indexOf(';') + 1)
    .trim()
    .replace(/^<|>$/g, '');
  const isAddress = address.length <= longestAddress && holdsMailAddress(address) && !/[\s\p{C}]/u.test(address);
  return isAddress ? address : undefined;
}
