import { createHash } from 'node:crypto';
import { type SignInMail, signInMailKey, type TakenMail } from './outbox-repository.ts';

/** Returns the Message-ID, equal for every attempt, so that an email sent again after a crash is recognised. */
export const mailIdOf = ({
  recipient,
  supporterId,
  key,
}: Pick<TakenMail, 'recipient' | 'supporterId' | 'key'>): string =>
  createHash('sha256')
    .update(`${supporterId ?? recipient} ${key}`)
    .digest('hex')
    .slice(0, 40);

/** Returns the Message-ID of an email sent by the identity service, by which it is found once recorded. */
export const signInMailId = (mail: Pick<SignInMail, 'supporterId' | 'kind' | 'id'>): string =>
  mailIdOf({ recipient: 'supporter', supporterId: mail.supporterId, key: signInMailKey(mail) });
