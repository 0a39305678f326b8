import { problemsOfLogo } from '#tenants/check-logo.ts';
import type { PrintedDocument } from './document.ts';
import { writePdf } from './typst.ts';

/** Renders an A4 PDF; equal documents give equal bytes. */
export function printDocument({ madeAt, ...document }: PrintedDocument): Uint8Array {
  const { logo, ...brand } = document.brand;
  const isTrusted = logo !== undefined && problemsOfLogo(logo, 'wide').length === 0;
  return writePdf({
    program: 'document',
    words: { ...document, brand, madeAt: partsOf(madeAt) },
    pictures: { logo: isTrusted ? logo : undefined },
  });
}

/** Returns an instant's parts in UTC. */
const partsOf = (at: Date) => ({
  year: at.getUTCFullYear(),
  month: at.getUTCMonth() + 1,
  day: at.getUTCDate(),
  hour: at.getUTCHours(),
  minute: at.getUTCMinutes(),
  second: at.getUTCSeconds(),
});

const blank: PrintedDocument = {
  title: 'Logo',
  subtitle: '',
  brand: { name: 'Logo', logo: undefined, accent: '#ffffff' },
  figure: { label: '', value: '' },
  blocks: [],
  foot: '',
  madeAt: new Date(0),
};

/** Renders a page with nothing but a logo, to test that it prints. */
export const printLogo = (svg: string): Uint8Array => {
  const { madeAt, ...words } = blank;
  return writePdf({ program: 'document', words: { ...words, madeAt: partsOf(madeAt) }, pictures: { logo: svg } });
};
