import { sandbox } from './supporter.ts';

interface Mail {
  subject: string;
  text: string;
}

/** Returns all mails to that address, oldest first. */
export async function mailsTo(email: string): Promise<Mail[]> {
  const answer = await fetch(`${sandbox()}/mail/messages?to=${encodeURIComponent(email)}`);
  return (await answer.json()) as Mail[];
}

/** Returns the newest mail to that address whose subject begins like this. */
export async function lastMail(email: string, subject: string): Promise<Mail> {
  const last = (await mailsTo(email)).findLast((mail) => mail.subject.startsWith(subject));
  if (!last) throw new Error(`${email} has no mail "${subject}"`);
  return last;
}
