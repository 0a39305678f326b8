import { isAbn, parseWholeDollars } from '@sparechange/domain';
import { isReservedSlug } from '@sparechange/domain/reserved-slugs';
import { z } from 'zod';
import { text } from './text.ts';

interface Naming {
  /** Names it in a sentence, such as "the goal". */
  words: string;
  /** Column in the database and heading in a spreadsheet. */
  column: string;
  /** Maximum length as typed. */
  max: number;
}

interface Schemas {
  /** Reads a field of a form or a cell of a spreadsheet; an empty or missing one is none. */
  typed: z.ZodType;
  /** Checks a value before it is saved; null is none. */
  given: z.ZodType;
  /** Describes the value in answers. */
  stored: z.ZodType;
}

type Facts = Record<string, Naming & Schemas>;
type Text = z.ZodType<string, string>;

/** Declares a text that every club has. */
const required = (naming: Naming, check: Text) => {
  const given = text(naming.max).trim().pipe(check);
  return { ...naming, typed: given, given, stored: z.string() };
};

const emptyAsNone = (max: number) =>
  text(max)
    .trim()
    .transform((typed) => typed || null);

/** Declares a text that a club may lack. */
const optional = (naming: Naming, check: Text = z.string()) => ({
  ...naming,
  typed: emptyAsNone(naming.max).pipe(check.nullable()).optional(),
  given: text(naming.max).trim().min(1).pipe(check).nullable().optional(),
  stored: z.string().nullable(),
});

/** Declares a whole number that a club may lack, read from text by `read`. */
const optionalNumber = (naming: Naming, read: (typed: string) => number | undefined, check: z.ZodInt) => ({
  ...naming,
  typed: emptyAsNone(naming.max).pipe(z.string().transform(read).pipe(check).nullable()).optional(),
  given: check.nullable().optional(),
  stored: z.int().nullable(),
});

const slug = z
  .string()
  .regex(/^[a-z0-9-]{2,80}$/, 'Please use 2 to 80 of a-z, 0-9 and hyphens')
  .refine((given) => !isReservedSlug(given), 'That is an address of the product');

const abn = z
  .string()
  .overwrite((given) => given.replace(/\s/g, ''))
  .regex(/^\d{11}$/, { error: 'An ABN has eleven digits, the first of them 1 to 9', abort: true })
  .refine(isAbn, 'The check digits of the ABN are wrong');

const email = z.string().toLowerCase().pipe(z.email('Please enter an email address'));

const wholeDollars = z
  .int('Please enter whole dollars')
  .min(1, 'Please enter whole dollars')
  .max(999_999_999, 'Please enter at most $999,999,999');

const identity = {
  name: required({ words: 'the name', column: 'name', max: 120 }, z.string().min(1, 'Please enter a name')),
  slug: required({ words: 'the link', column: 'slug', max: 80 }, slug),
  parentId: {
    ...optional(
      { words: 'the club it is under', column: 'parent_id', max: 36 },
      z.uuid('A parent is given by its id').toLowerCase(),
    ),
    stored: z.uuid().nullable(),
  },
  abn: optional({ words: 'the ABN', column: 'abn', max: 20 }, abn),
};

const confidential = {
  contactEmail: optional({ words: 'the contact', column: 'contact_email', max: 254 }, email),
};

/** The facts that programs may change. */
export const pageFacts = {
  about: optional({ words: 'the paragraph', column: 'about', max: 600 }),
  suburb: optional({ words: 'the suburb', column: 'suburb', max: 60 }),
  sport: optional({ words: 'the sport or cause', column: 'sport', max: 60 }),
  goalDollars: optionalNumber({ words: 'the goal', column: 'goal_dollars', max: 14 }, parseWholeDollars, wholeDollars),
};

const drawings = {
  logo: optional(
    { words: 'the logo', column: 'logo', max: 120 },
    z.string().regex(/^[\w-]+\.svg$/, 'Please choose an SVG file'),
  ),
  picture: optional(
    { words: 'the picture', column: 'picture', max: 120 },
    z.string().regex(/^[\w-]+\.(svg|webp|jpg|png)$/, 'Please choose an SVG, WebP, JPG or PNG file'),
  ),
};

/** The facts that programs see. */
export const programFacts = { ...identity, ...pageFacts };

/** The facts that everybody may see. */
export const publicFacts = { ...identity, ...pageFacts, ...drawings };

/** Every fact of a club's form. The contract, the import, edits and records are derived from it. */
export const clubFacts = { ...identity, ...confidential, ...pageFacts, ...drawings };

/** The values of facts in answers and records. */
export type FactsOf<These extends Facts> = { [Fact in keyof These]: z.output<These[Fact]['stored']> };

/** Returns one of the schemas of each fact. */
export function shapeOf<These extends Facts, Key extends keyof Schemas>(
  facts: These,
  key: Key,
): { [Fact in keyof These]: These[Fact][Key] };
export function shapeOf(facts: Facts, key: keyof Schemas) {
  return Object.fromEntries(Object.entries(facts).map(([fact, schemas]) => [fact, schemas[key]]));
}

/** A club's facts to be saved; those left out stay. */
export const ClubFacts = z.object(shapeOf(clubFacts, 'given'));
export type ClubFacts = z.input<typeof ClubFacts>;

/** The address at which a club with a contact is emailed. */
export const ContactEmail = text(clubFacts.contactEmail.max).trim().pipe(email);
