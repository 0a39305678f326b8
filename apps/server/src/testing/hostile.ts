import fc from 'fast-check';

/** Values on which a database, parser or log may choke. */
const nasty = fc.constantFrom<unknown>(
  ...[
    '\0',
    'a\0b',
    '\ud800',
    'x\udfff',
    '\ufeff',
    '\u202e',
    '\u{1f4a9}'.repeat(300),
    'é'.repeat(5_000),
    'x'.repeat(60_000),
  ],
  ...[
    "' or 1=1--",
    '"; drop table clubs; --',
    '%00',
    '../../etc/passwd',
    '#{7*7}',
    '{{7*7}}',
    '<script>',
    '\r\nx: y',
    '\u2028',
  ],
  ...[
    'null',
    'undefined',
    'NaN',
    '__proto__',
    'constructor',
    'toString',
    '0',
    '-1',
    '1e400',
    '00000000-0000-0000-0000-000000000000',
  ],
  ...[null, true, false, 0, -1, 0.1, 1e21, 1e308, -1e308, 2 ** 53, 2 ** 31, 2 ** 63, 0.001, 250.001, 5e-324],
  ...[
    [],
    [[]],
    {},
    { length: 1 },
    { toString: 1 },
    { valueOf: 1 },
    { $ne: null },
    [null],
    Array(200).fill({ accountId: 1 }),
  ],
);

export const anything = fc.oneof(
  { weight: 4, arbitrary: nasty },
  { weight: 2, arbitrary: fc.string({ unit: 'binary', maxLength: 40 }) },
  { weight: 1, arbitrary: fc.uuid() },
  { weight: 1, arbitrary: fc.emailAddress() },
  { weight: 1, arbitrary: fc.double() },
  { weight: 1, arbitrary: fc.jsonValue({ maxDepth: 4 }) },
  {
    weight: 1,
    arbitrary: fc.integer({ min: 10, max: 2_000 }).map((depth) => JSON.parse('['.repeat(depth) + ']'.repeat(depth))),
  },
);

/** A part of a value replaced, omitted, repeated or added. */
export interface Change {
  /** Chooses the part, by number among all of them. */
  at: number;
  how: 'replace' | 'remove' | 'repeat' | 'add';
  value: unknown;
}

export const change: fc.Arbitrary<Change> = fc.record({
  at: fc.nat(30),
  how: fc.constantFrom('replace', 'remove', 'repeat', 'add'),
  value: anything,
});

/** The value with the change made to it. */
export function changed(value: unknown, { at, how, value: other }: Change): unknown {
  let count = 0;
  const visit = (part: unknown): unknown => {
    const isHere = count++ === at;
    if (isHere && how === 'replace') return other;
    if (isHere && how === 'remove') return undefined;
    if (isHere && how === 'repeat') return [part, part];
    if (Array.isArray(part)) return part.map(visit);
    if (typeof part !== 'object' || part === null) return part;
    const inside = Object.entries(part).map(([name, inner]) => [name, visit(inner)]);
    return Object.fromEntries(
      isHere && how === 'add' ? [...inside, [JSON.stringify(other).slice(0, 50), other]] : inside,
    );
  };
  return visit(value);
}

/** Header bytes that Node's HTTP parser lets through to us. */
export const headerText = fc
  .array(fc.oneof(fc.integer({ min: 0x20, max: 0x7e }), fc.integer({ min: 0x80, max: 0xff })), { maxLength: 60 })
  .map((codes) => String.fromCharCode(...codes).trim());
