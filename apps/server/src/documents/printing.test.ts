import { expect, test } from 'vitest';
import type { PrintedDocument } from './document.ts';
import { printBeside } from './printing.ts';

const document = (changes: Partial<PrintedDocument> = {}): PrintedDocument => ({
  title: 'Receipt',
  subtitle: 'October 2026',
  brand: { name: 'Rovers', logo: undefined, accent: '#17696b' },
  figure: { label: 'Total', value: '$4.30' },
  blocks: [{ kind: 'text', text: 'Thank you' }],
  foot: 'Rovers',
  madeAt: new Date(0),
  ...changes,
});

test('a document that cannot be printed fails alone, and equal ones give the same bytes', async () => {
  const broken = document({ blocks: undefined as never });
  const [first, refused, second] = await Promise.allSettled([document(), broken, document()].map(printBeside));
  expect(refused).toMatchObject({ status: 'rejected', reason: { name: 'TypeError' } });
  expect(first).toMatchObject({ status: 'fulfilled' });
  expect(second).toEqual(first);
});

test('those for whom there is no room to wait are refused', async () => {
  const answers = await Promise.allSettled(Array.from({ length: 60 }, () => printBeside(document())));
  const refused = answers.filter(({ status }) => status === 'rejected');
  expect(refused.length).toBeGreaterThan(20);
  expect(refused[0]).toMatchObject({ reason: { code: 'unavailable' } });
  await expect(printBeside(document())).resolves.toBeInstanceOf(Uint8Array);
});
