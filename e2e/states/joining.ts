import { askToJoin, confirmClubRequest } from '@sparechange/contract';
import { answers, hangs, refuses } from '../mock-api.ts';
import { fillIn, press, reads, type Step, shows, visitor } from './state.ts';

const club = {
  'Name of the club': 'Bay Choir',
  ABN: '51 824 753 556',
  Suburb: 'Bay View',
  'What is the money for?': 'Sheet music and a piano that keeps its tune',
  'Your name': 'Sam Song',
  Email: 'sam@choir.example',
};
const asks: Step[] = ['/join', fillIn(club), press('Ask to join')];
const confirms: Step[] = ['/join/a-token', press('Confirm the request')];
const wrongAbn = 'Please check the ABN: its digits do not add up';

/** The public pages of a club that asks to join, and of its contact's mailed link. */
export const joining = {
  join: {
    form: visitor('/join', shows('button', 'Ask to join')),
    empty: visitor('/join', press('Ask to join'), reads('Please enter the ABN')),
    malformed: visitor(
      '/join',
      fillIn({ ...club, ABN: '51 824 753 557', Email: 'sam' }),
      press('Ask to join'),
      reads(wrongAbn),
    ),
    submitting: visitor(hangs(/\/clubs\/ask-to-join$/), ...asks),
    failed: visitor(refuses(askToJoin), ...asks, shows('alert')),
    'refused by the server': visitor(
      refuses(askToJoin, 400, 'invalid-input', { abn: wrongAbn }),
      ...asks,
      reads(wrongAbn),
    ),
    sent: visitor(answers(askToJoin, {}), ...asks, shows('heading', 'Check your email')),
  },
  'confirm join': {
    asked: visitor('/join/a-token', shows('button', 'Confirm the request')),
    confirmed: visitor(
      answers(confirmClubRequest, { club: club['Name of the club'] }),
      ...confirms,
      reads('is with us'),
    ),
    'link too old': visitor('/join/a-token', press('Confirm the request'), reads('older than a week')),
    failed: visitor(refuses(confirmClubRequest), ...confirms, shows('alert')),
  },
};
