import { accountName } from '@sparechange/contract/console';
import { becsReasons, formatCents, historyDate, isoDate, type ReturnCode, sydneyDateTime } from '@sparechange/domain';
import type { DocumentBlock, DocumentBrand, PrintedDocument } from '#documents/document.ts';
import type { Dossier } from './read-dossier.ts';

/** "debit_returned" as "Debit returned". */
const inWords = (code: string): string => `${code.slice(0, 1).toUpperCase()}${code.slice(1).replaceAll('_', ' ')}`;
const at = (instant: Date | null): string => (instant ? sydneyDateTime(instant) : 'not yet');

/** Lays out a dossier. `jsonHash` is the SHA-256 of the same dossier as JSON, in hex. */
export function dossierDocument(dossier: Dossier, brand: DocumentBrand, jsonHash: string): PrintedDocument {
  const { debit, supporter, club, issuer, madeAt, leftOut } = dossier;
  return {
    title: 'Dossier of a debit',
    subtitle: `${debit.reference}, taken from ${supporter.name}`,
    brand,
    figure: { label: debit.kind === 'donation' ? 'One-off donation' : 'Debit', value: formatCents(debit.amountCents) },
    madeAt,
    foot: `Dossier ${debit.reference}  ·  ${issuer}  ·  ${sydneyDateTime(madeAt)}`,
    blocks: [
      {
        kind: 'facts',
        facts: [
          ['Payer', supporter.name],
          ['Email', supporter.email],
          ['For', club?.name ?? 'no club'],
          ['Account', debit.account ?? 'not known'],
          ['Made by', `${issuer}, ${sydneyDateTime(madeAt)}`],
        ],
      },
      { kind: 'small', text: 'All times are Sydney time.' },
      ...outcomeOf(dossier),
      ...requestOf(dossier),
      ...noticesOf(dossier),
      ...bankLinesOf(dossier),
      ...refundsOf(dossier),
      ...actsOf(dossier),
      ...leftOut.map((text) => ({ kind: 'note' as const, text: `Left out: ${text}` })),
      {
        kind: 'small',
        text: `The file dossier.json says the same for programs; its SHA-256 is ${jsonHash}. CHECK.txt says how to check both signatures.`,
      },
    ],
  };
}

function outcomeOf({ debit, ledger }: Dossier): DocumentBlock[] {
  const { plannedAt, submittedAt, outcomeAt, state, returnCode, failure } = debit;
  const why =
    returnCode === null ? failure : `code ${returnCode}, ${becsReasons[returnCode as ReturnCode] ?? 'unknown'}`;
  return [
    { kind: 'heading', text: 'History' },
    {
      kind: 'facts',
      facts: [
        ['Planned', at(plannedAt)],
        ['Sent', at(submittedAt)],
        [`Now ${state}`, outcomeAt ? `${at(outcomeAt)}${why ? `: ${why}` : ''}` : 'no outcome yet'],
        ['Provider’s reference', debit.providerReference ?? 'none'],
        ...(debit.savingsCents
          ? [['Of it, for savings', formatCents(debit.savingsCents)] satisfies [string, string]]
          : []),
      ],
    },
    ...table(
      [{ head: 'Booked', width: 76 }, { head: 'Step', width: 120 }, { head: 'Account' }, { head: 'Amount' }],
      ledger.map(({ bookedOn, transfer, account, cents }) => [
        historyDate(isoDate(bookedOn)),
        inWords(transfer),
        accountName(account),
        formatCents(cents),
      ]),
    ),
  ];
}

function requestOf({ request }: Dossier): DocumentBlock[] {
  const { agreedAt, ip, userAgent, payerName, account, ceilingCents, termsVersion, cancelledAt, text, textSha256 } =
    request;
  return [
    { kind: 'heading', text: 'The direct debit request' },
    {
      kind: 'facts',
      facts: [
        ['Agreed to', at(agreedAt)],
        ['From the address', ip],
        ['In the browser', userAgent],
        ['As', payerName],
        ['For the account', account],
        ['At most', `${formatCents(ceilingCents)} a debit`],
        ['Cancelled', cancelledAt ? at(cancelledAt) : 'no'],
        ['Version', termsVersion],
      ],
    },
    {
      kind: 'small',
      text: textSha256 ? `The SHA-256 of its words is ${textSha256}.` : 'Its words were not kept then.',
    },
    ...(text ?? '').split('\n').flatMap((line) => (line === '' ? [] : [{ kind: 'small' as const, text: line }])),
  ];
}

const becameOf = ({ sentAt, givenUpAt, failure }: Dossier['notices'][number]): string => {
  if (sentAt) return `Sent ${at(sentAt)}`;
  return givenUpAt ? `Not delivered: ${failure ?? 'no reason given'}` : 'Waits to be sent';
};

function noticesOf({ notices }: Dossier): DocumentBlock[] {
  return section(
    'Notices by email',
    'None.',
    [{ head: 'Notice' }, { head: 'Queued', width: 130 }, { head: 'Status', width: 160 }],
    notices.map((notice) => [inWords(notice.about), at(notice.queuedAt), becameOf(notice)]),
  );
}

function bankLinesOf({ bankLines, debit }: Dossier): DocumentBlock[] {
  const none = debit.kind === 'donation' ? 'None: the payer asked for this amount.' : 'None is kept any more.';
  const columns = [{ head: 'Day' }, { head: 'Purchase' }, { head: 'Counted' }];
  const rows = bankLines.map(({ day, purchaseCents, countedCents }) => [
    historyDate(day),
    formatCents(purchaseCents),
    formatCents(countedCents),
  ]);
  const lines = section('Bank lines that made it', none, columns, rows);
  return rows.length === 0
    ? lines
    : [...lines, { kind: 'small', text: 'Merchants are not named here: the payer sees them in the history.' }];
}

function refundsOf({ related }: Dossier): DocumentBlock[] {
  return section(
    'Refunds and repeats',
    'None.',
    [{ head: 'Payment' }, { head: 'Planned', width: 130 }, { head: 'State', width: 70 }, { head: 'Amount' }],
    related.map(({ relation, reference, plannedAt, state, amountCents }) => [
      `${inWords(relation)} ${reference}`,
      at(plannedAt),
      state,
      formatCents(amountCents),
    ]),
  );
}

function actsOf({ acts }: Dossier): DocumentBlock[] {
  return section(
    'Who acted',
    'No one: scheduled run.',
    [{ head: 'When', width: 130 }, { head: 'What' }, { head: 'Who', width: 110 }],
    acts.map(({ at: when, action, actor, by, because }) => [
      at(when),
      [inWords(action), because].filter(Boolean).join(': '),
      by ?? actor,
    ]),
  );
}

type Columns = { head: string; width?: number }[];

const table = (columns: Columns, rows: string[][]): DocumentBlock[] =>
  rows.length === 0 ? [] : [{ kind: 'table', columns, rows, total: [] }];

const section = (title: string, none: string, columns: Columns, rows: string[][]): DocumentBlock[] => [
  { kind: 'heading', text: title },
  ...(rows.length === 0 ? [{ kind: 'text' as const, text: none }] : table(columns, rows)),
];
