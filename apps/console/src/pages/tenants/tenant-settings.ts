import type { TenantContent } from '@sparechange/contract/console';
import { cents, formatCents } from '@sparechange/domain';

/** Kinds of settings, by how they are edited. */
type FieldKind = 'line' | 'text' | 'colour' | 'picture' | 'club' | 'day' | 'cents';

export interface Field {
  /** Such as `theme.primary`. */
  name: string;
  label: string;
  hint?: string;
  kind: FieldKind;
  isOptional?: true;
}

interface Group {
  title: string;
  lead: string;
  fields: Field[];
}

/** Every setting of a brand, in the editor's order. */
export const groups: Group[] = [
  {
    title: 'Colours',
    lead: 'We choose readable shades of text and edges for light and dark. A colour that leaves something unreadable is refused.',
    fields: [
      { name: 'theme.background', label: 'Brand', hint: 'The front page and cards', kind: 'colour' },
      { name: 'theme.primary', label: 'Buttons', hint: 'Main buttons and links', kind: 'colour' },
      { name: 'theme.secondary', label: 'Accent', hint: 'Amounts and second buttons', kind: 'colour' },
      { name: 'theme.switch', label: 'Switch', hint: 'Switches that are on', kind: 'colour' },
      { name: 'theme.body', label: 'Page', hint: 'Behind everything, by day', kind: 'colour' },
    ],
  },
  {
    title: 'Name and words',
    lead: 'As supporters read them on pages, in mails and on receipts.',
    fields: [
      { name: 'name', label: 'Name', kind: 'line' },
      { name: 'biline.primary', label: 'Tagline', hint: 'The heading of the front page', kind: 'line' },
      { name: 'biline.secondary', label: 'Second line', hint: 'Under the tagline', kind: 'line', isOptional: true },
      { name: 'about', label: 'About', hint: "One paragraph; without it, its club's", kind: 'text', isOptional: true },
    ],
  },
  {
    title: 'Logo and picture',
    lead: 'Logos are SVG files of shapes and words alone. They load with the first page, so 50 kB is the most.',
    fields: [
      { name: 'logoURL', label: 'Wide logo', hint: 'At the head of pages, in mails and on posters', kind: 'picture' },
      { name: 'logoURLDashboard', label: 'Square logo', hint: 'On the dashboard and as the icon', kind: 'picture' },
      {
        name: 'picture',
        label: 'Picture',
        hint: "16 to 9, on the front page; without it, its club's",
        kind: 'picture',
        isOptional: true,
      },
    ],
  },
  {
    title: 'Who receives',
    lead: 'Without either, supporters choose among all clubs.',
    fields: [
      { name: 'clubID', label: 'One club', hint: 'Everybody here gives to it', kind: 'club', isOptional: true },
      {
        name: 'parentClubId',
        label: 'Clubs of a league',
        hint: 'Supporters choose among the clubs below it',
        kind: 'club',
        isOptional: true,
      },
      { name: 'abn', label: 'ABN', hint: 'Of the organisation behind the brand', kind: 'line', isOptional: true },
    ],
  },
  {
    title: 'Campaign and debits',
    lead: 'A brand ends on a day and is never deleted: receipts and history stay.',
    fields: [
      {
        name: 'endsOn',
        label: 'Ends on',
        hint: 'From this day in Sydney nobody registers or is debited',
        kind: 'day',
        isOptional: true,
      },
      {
        name: 'minimumDebitCents',
        label: 'Smallest debit',
        hint: 'Less waits for the next debit; gifts are deductible from $2',
        kind: 'cents',
      },
    ],
  },
  {
    title: 'Own pages',
    lead: 'An https:// address, which is shown inside the app. Without one, ours.',
    fields: [
      { name: 'supportURL', label: 'Support', kind: 'line', isOptional: true },
      { name: 'termsURL', label: 'Terms', kind: 'line', isOptional: true },
      { name: 'directDebitTermsURL', label: 'Direct debit terms', kind: 'line', isOptional: true },
    ],
  },
  {
    title: 'For programs',
    lead: 'Open pages have to be reloaded when one of the first two changes.',
    fields: [
      { name: 'tenant', label: 'Identifier', hint: 'The address with underscores', kind: 'line' },
      { name: 'apikey', label: 'Public key', hint: 'Sent with each call; it is no secret', kind: 'line' },
      {
        name: 'branding.primary',
        label: 'Branding',
        hint: 'Part of the configuration; not used',
        kind: 'line',
      },
    ],
  },
];

const known = new Map(groups.flatMap(({ fields }) => fields.map((field) => [field.name, field])));

/** Names a setting as the editor does. */
export const labelOf = (name: string): string => known.get(name)?.label ?? name;

/** Returns a setting's text for the editor: amounts in dollars. */
export const shownSetting = (name: string, text: string): string =>
  known.get(name)?.kind === 'cents' && /^\d{1,15}$/.test(text) ? formatCents(cents(Number(text))) : text;

/** Returns a setting by its name. */
export function settingIn(content: unknown, name: string): unknown {
  let value = content;
  for (const part of name.split('.'))
    value = typeof value === 'object' && value !== null ? Reflect.get(value, part) : undefined;
  return value;
}

/** Returns settings with one replaced; undefined takes it out. */
export function withSetting(content: TenantContent, name: string, value: unknown): TenantContent {
  const [first = '', ...rest] = name.split('.');
  if (rest.length > 0) {
    const inner = (content[first] ?? {}) as TenantContent;
    return { ...content, [first]: withSetting(inner, rest.join('.'), value) };
  }
  const { [first]: _before, ...others } = content;
  return value === undefined ? others : { ...content, [first]: value };
}

const inWords = (value: unknown): string =>
  value === undefined ? 'nothing' : typeof value === 'string' ? value : JSON.stringify(value);

export interface Change {
  name: string;
  before: string;
  after: string;
}

/** Lists the settings of the editor that differ. */
export const changesBetween = (before: TenantContent, after: TenantContent): Change[] =>
  [...known.keys(), 'verify', 'confirmed', 'consented'].flatMap((name) => {
    const [one, other] = [inWords(settingIn(before, name)), inWords(settingIn(after, name))];
    return one === other ? [] : [{ name, before: one, after: other }];
  });

/** Returns a new brand's settings, in another one's look. */
export function settingsLike(template: TenantContent, key: string, name: string): TenantContent {
  const look = Object.fromEntries(
    ['theme', 'logoURL', 'logoURLDashboard', 'biline', 'branding'].map((each) => [each, template[each]]),
  );
  const random = crypto.getRandomValues(new Uint8Array(16));
  const apikey = `pk_${[...random].map((byte) => byte.toString(16).padStart(2, '0')).join('')}`;
  return { ...look, name, tenant: key.replaceAll('-', '_'), apikey, minimumDebitCents: 0 };
}
