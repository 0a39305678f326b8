export interface ReportParts {
  mailId: string;
  to: string;
  finalTo?: string;
  /** Type of the report, and of its parts. */
  media?: string;
  type?: string;
  status?: string;
  original?: string;
  action?: string;
  code?: string;
  words?: string;
  /** Fields of further recipients. */
  others?: string[][];
  lineEnd?: string;
}

/** Writes a report as Postfix does when an email of ours cannot be delivered. */
export function aReport(parts: ReportParts): string {
  const { mailId, to, finalTo = to, media = 'multipart/report', type = 'delivery-status', others = [] } = parts;
  const { status = 'message/delivery-status', original = 'message/rfc822', action = 'failed', code = '5.1.1' } = parts;
  const words = `smtp; 550 5.1.1 <${finalTo}>:\r\n    Recipient address rejected: User unknown in local recipient table`;
  return [
    'From: MAILER-DAEMON@mail.example (Mail Delivery System)',
    'Subject: Undelivered Mail Returned to Sender',
    'To: bounces@giving.example',
    'Auto-Submitted: auto-replied',
    'MIME-Version: 1.0',
    `Content-Type: ${media}; report-type=${type};`,
    '	boundary="4C1E2.1/mail.example"',
    'Content-Transfer-Encoding: 8bit',
    '',
    'This is a MIME-encapsulated message.',
    '',
    '--4C1E2.1/mail.example',
    'Content-Description: Notification',
    'Content-Type: text/plain; charset=us-ascii',
    '',
    `<${finalTo}>: your message could not be delivered.`,
    '',
    '--4C1E2.1/mail.example',
    'Content-Description: Delivery report',
    `Content-Type: ${status}`,
    '',
    'Reporting-MTA: dns; mail.example',
    'X-Postfix-Queue-ID: 4C1E2',
    '',
    `Final-Recipient: rfc822; ${finalTo}`,
    `Original-Recipient: rfc822;${to}`,
    `Action: ${action}`,
    `Status: ${code}`,
    'Remote-MTA: dns; mx.example',
    `Diagnostic-Code: ${parts.words ?? words}`,
    ...others.flatMap((fields) => ['', ...fields]),
    '',
    '--4C1E2.1/mail.example',
    'Content-Description: Undelivered Message',
    `Content-Type: ${original}`,
    '',
    'From: Sparechange <hello@giving.example>',
    `To: ${to}`,
    `Message-ID: <${mailId}@giving.example>`,
    'Subject: Hello',
    'Content-Type: text/plain',
    '',
    'Text',
    '',
    '--4C1E2.1/mail.example--',
    '',
  ]
    .join('\r\n')
    .replaceAll('\r\n', parts.lineEnd ?? '\r\n');
}
