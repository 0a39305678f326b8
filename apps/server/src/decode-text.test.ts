import fc from 'fast-check';
import { expect, test } from 'vitest';
import { decodeText } from './decode-text.ts';

const words = 'Café Sørensen – O’Brien, 5 €';
const windows1252 = Buffer.from(words.replace('–', '\x96').replace('’', '\x92').replace('€', '\x80'), 'latin1');
const utf16 = (text: string) => Buffer.from(text, 'utf16le');
const bigEndian = (text: string) => utf16(text).swap16();

test.each([
  ['UTF-8', Buffer.from(words)],
  ['UTF-8 with a byte order mark', Buffer.from(`\uFEFF${words}`)],
  ['Windows-1252', windows1252],
  ['UTF-16 with a byte order mark', utf16(`\uFEFF${words}`)],
  ['UTF-16, the high byte first', bigEndian(`\uFEFF${words}`)],
  ['UTF-16 without a byte order mark', utf16(words)],
])('a CSV in %s says the same', (_name, bytes) => expect(decodeText(bytes)).toBe(words));

test.each(['ISO-8859-1', 'iso-8859-1', 'windows-1252', 'Latin1'])('XML declared as %s is read as that', (name) => {
  const head = `<?xml version="1.0" encoding="${name}" standalone='yes'?>\r\n<a>`;
  const bytes = Buffer.concat([Buffer.from(head), windows1252, Buffer.from('</a>')]);
  expect(decodeText(bytes)).toBe(`${head}${words}</a>`);
});

test.each([
  ['UTF-8 by default', Buffer.from(`<a>${words}</a>`)],
  ['declared UTF-8', Buffer.from(`<?xml version="1.0" encoding='utf-8'?><a>${words}</a>`)],
  ['UTF-16', utf16(`\uFEFF<?xml version="1.0" encoding="UTF-16"?><a>${words}</a>`)],
  ['UTF-16, the high byte first', bigEndian(`\uFEFF<?xml version="1.0" encoding="UTF-16"?><a>${words}</a>`)],
  ['UTF-16 without a byte order mark', utf16(`<?xml version="1.0" encoding="UTF-16"?><a>${words}</a>`)],
  ['UTF-8 that says it is UTF-16', Buffer.from(`<?xml version="1.0" encoding="UTF-16"?><a>${words}</a>`)],
  [
    'UTF-8 whose mark is older than its declaration',
    Buffer.from(`\uFEFF<?xml version="1.0" encoding="ISO-8859-1"?><a>${words}</a>`),
  ],
])('XML in %s keeps its letters', (_name, bytes) => expect(decodeText(bytes)).toContain(`<a>${words}</a>`));

test.each([
  [Buffer.concat([Buffer.from('<?xml version="1.0" encoding="UTF-8"?><a>'), windows1252]), 'The file should be UTF-8'],
  [Buffer.concat([Buffer.from('<a>'), windows1252]), 'Export it again, or save it as UTF-8'],
  [Buffer.concat([Buffer.from('\uFEFFa,b\n'), windows1252]), 'The file should be UTF-8'],
  [Buffer.from('<?xml version="1.0" encoding="EBCDIC-CP-US"?><a/>'), 'its encoding is ebcdic-cp-us, which cannot'],
  [utf16('\uFEFFa').subarray(0, 3), 'The file should be UTF-16LE'],
])("bytes that do not match the file's encoding are refused", (bytes, words) =>
  expect(() => decodeText(bytes)).toThrow(words),
);

test('any text in any of the encodings is read as itself', () => {
  const letters = fc.string({ unit: 'grapheme' }).map((text) => `d${text.replaceAll('\0', '')}`);
  fc.assert(
    fc.property(letters, (text) => {
      for (const bytes of [Buffer.from(text), utf16(`\uFEFF${text}`), bigEndian(`\uFEFF${text}`)])
        expect(decodeText(bytes)).toBe(text);
    }),
  );
  const western = fc.string({ unit: fc.integer({ min: 0xa0, max: 0xff }).map((code) => String.fromCharCode(code)) });
  fc.assert(
    fc.property(western, (text) => {
      const bytes = Buffer.from(`é ${text}`, 'latin1');
      expect(decodeText(Buffer.concat([bytes, Buffer.from([0xe9, 0x20])]))).toBe(`é ${text}é `);
    }),
  );
});
