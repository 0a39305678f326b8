import { z } from 'zod';
import { ClubRequestForm } from './club-request-form.ts';
import { operation } from './operation.ts';
import { text } from './text.ts';

export const askToJoin = operation({
  name: 'askToJoin',
  method: 'POST',
  path: '/clubs/ask-to-join',
  access: 'open',
  summary:
    'Asks for a club to join, and mails its contact a link to confirm it. The answer is the same for any address.',
  input: ClubRequestForm,
  output: z.object({}),
});

export const confirmClubRequest = operation({
  name: 'confirmClubRequest',
  method: 'POST',
  path: '/clubs/confirm-request',
  access: 'open',
  summary: 'Confirms, by an emailed link, that a club asked to join. No sign-in is needed.',
  refusals: { 404: 'the link is not ours, or is older than a week' },
  input: z.object({ token: text(200).min(1).describe('of the mailed link') }),
  output: z.object({ club: z.string().describe('its name') }),
});
