/**
 * The bank of a BSB by its first two or three digits, read on 30 November 2026: prefixes on which Stripe's Android SDK agrees
 * with findbankcodes.com up to 45, and with the older list of thebsbnumbers.com from 48 on. Names are those that the banks
 * trade under.
 */
const banks: Readonly<Record<string, string>> = {
  '01': 'ANZ',
  '03': 'Westpac',
  '06': 'Commonwealth Bank',
  '08': 'NAB',
  '09': 'Reserve Bank',
  '10': 'BankSA',
  '11': 'St.George',
  '12': 'Bank of Queensland',
  '14': 'Rabobank',
  '18': 'Macquarie',
  '19': 'Bank of Melbourne',
  '24': 'Citibank',
  '30': 'Bankwest',
  '31': 'Bank Australia',
  '325': 'Beyond Bank',
  '33': 'St.George',
  '34': 'HSBC',
  '35': 'Bank of China',
  '48': 'Suncorp Bank',
  '510': 'Citibank',
  '514': 'RACQ Bank',
  '55': 'Bank of Melbourne',
  '57': 'Australian Settlements',
  '630': 'Greater Bank',
  '632': 'Bank of us',
  '633': 'Bendigo Bank',
  '634': 'Uniting Financial Services',
  '637': 'Greater Bank',
  '638': 'Heritage Bank',
  '639': 'Bank of Queensland',
  '640': 'Hume Bank',
  '641': 'IMB Bank',
  '642': 'Australian Military Bank',
  '645': 'Auswide Bank',
  '647': 'IMB Bank',
  '650': 'Newcastle Permanent',
  '656': 'Auswide Bank',
  '657': 'Greater Bank',
  '659': 'G&C Mutual Bank',
  '664': 'Suncorp Bank',
  '676': 'Gateway Bank',
  '70': 'Indue',
  '724': 'MOVE Bank',
  '728': 'Summerland Bank',
  '73': 'Westpac',
  '76': 'Commonwealth Bank',
  '777': 'P&N Bank',
  '78': 'NAB',
  '80': 'Cuscal',
  '812': 'Teachers Mutual Bank',
  '813': 'The Capricornian',
  '814': 'Great Southern Bank',
  '815': 'Police Bank',
  '833': 'Defence Bank',
  '880': 'Heritage Bank',
  '882': 'Unity Bank',
  '923': 'ING',
  '932': 'Regional Australia Bank',
  '936': 'ING',
  '939': 'AMP Bank',
  '942': 'Bank of Sydney',
  '944': 'ME Bank',
  '951': 'BOQ Specialist',
};

const digitsOf = (bsb: string): string => bsb.replace(/\D/g, '');

/** Writes a BSB of six digits as banks do, 062-000; any other text stays as it is. */
export function formatBsb(bsb: string): string {
  const digits = digitsOf(bsb);
  return digits.length === 6 ? `${digits.slice(0, 3)}-${digits.slice(3)}` : bsb;
}

/** Returns the name of a BSB's bank; undefined for one that we do not know, which may well be right. */
export function bankOfBsb(bsb: string): string | undefined {
  const digits = digitsOf(bsb);
  return banks[digits.slice(0, 3)] ?? banks[digits.slice(0, 2)];
}

/** Says whose a typed BSB is, or that it should be checked; nothing before it has six digits. */
export function describeBsb(bsb: string): { bank: string } | { warning: string } | undefined {
  if (digitsOf(bsb).length !== 6) return undefined;
  const bank = bankOfBsb(bsb);
  return bank ? { bank } : { warning: 'We don’t know this BSB. Please check it.' };
}

/** Writes a BSB with its bank: "062-000 (Commonwealth Bank)". */
export const bsbInWords = (bsb: string): string => `${formatBsb(bsb)} (${bankOfBsb(bsb) ?? 'bank not known'})`;
