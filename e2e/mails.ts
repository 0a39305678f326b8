import { sandbox } from './supporter.ts';

interface Mail {
  subject: string;
  text: string;
}

/** The newest mail to that address whose subject begins so. */
export async function lastMail(email: string, subject: string): Promise<Mail> {
  const answer = await fetch(`${sandbox()}/mail/messages?to=${encodeURIComponent(email)}`);
  const last = ((await answer.json()) as Mail[]).findLast((mail) => mail.subject.startsWith(subject));
  if (!last) throw new Error(`${email} has no mail "${subject}"`);
  return last;
}
