import { expect, test } from 'vitest';
import { largestLogoBytes, problemsOfLogo } from './check-logo.ts';

const svg = (inside: string, attributes = 'viewBox="0 0 240 48"') =>
  `<svg xmlns="http://www.w3.org/2000/svg" ${attributes}>${inside}</svg>`;

test('shapes, gradients of its own and words are a logo', () => {
  const gradient = '<defs><linearGradient id="a"><stop offset="0"/></linearGradient></defs><rect fill="url(#a)"/>';
  expect(problemsOfLogo(`<?xml version="1.0"?>\n<!-- drawn by hand -->${svg(gradient)}`, 'wide')).toEqual([]);
  expect(problemsOfLogo(svg('<title>Fish &amp; chips</title><use href="#a"/>', 'viewBox="0 0 96 96"'), 'mark')).toEqual(
    [],
  );
});

test.each([
  ['<script>alert(1)</script>', '<script> is not allowed'],
  ['<foreignObject><p/></foreignObject>', '<foreignObject> is not allowed'],
  ['<image href="#a"/>', '<image> is not allowed'],
  ['<rect onload="alert(1)"/>', 'onload runs a script'],
  ['<use xlink:href="https://elsewhere.example/a.svg#b"/>', 'xlink:href refers to https://elsewhere.example/a.svg#b'],
  ['<use href="javascript:alert(1)"/>', 'href refers to javascript:alert(1)'],
  ['<rect fill="url(https://elsewhere.example/a)"/>', 'fill refers to url(https://elsewhere.example/a)'],
  [`<rect fill='url("data:image/png;base64,AA")'/>`, 'fill refers to url("data:image/png;base64,AA")'],
  ['<rect style="fill: red"/>', 'style may load from elsewhere; use attributes'],
  ['<rect fill="u&#114;l(https://elsewhere.example/a)"/>', 'fill refers to url(https://elsewhere.example/a)'],
  ['<rect fill="u\\72l(https://elsewhere.example/a)"/>', 'fill has a backslash, which may hide what CSS reads'],
  ['<rect mask="image-set(\'/a\' 1x)"/>', 'mask calls image-set()'],
  ['<rect fill="URL(https://elsewhere.example/a)"/>', 'fill refers to URL(https://elsewhere.example/a)'],
  ['<title>&own;</title>', 'entities of its own'],
  ['<g><rect></g></rect>', 'not a plain SVG'],
  ['<rect fill="red" fill="blue"/>', 'not a plain SVG'],
  ['<?xml-stylesheet href="#a"?>', 'not a plain SVG'],
  ['<rect fill=red/>', 'not a plain SVG'],
  ['<![CDATA[<script/>]]>', 'not a plain SVG'],
])('%s is refused', (inside, problem) => {
  expect(problemsOfLogo(svg(inside), 'wide')).toContain(problem);
});

test('what is no SVG, or too much of one, is refused', () => {
  expect(problemsOfLogo('\u0089PNG', 'wide')).toEqual(['not a plain SVG']);
  expect(problemsOfLogo(`<!DOCTYPE svg [<!ENTITY a "b">]>${svg('')}`, 'wide')).toEqual(['not a plain SVG']);
  const [problem] = problemsOfLogo(svg(`<path d="${'M0 0'.repeat(largestLogoBytes / 4)}"/>`), 'wide');
  expect(problem).toMatch(/bytes, more than 50000/);
});

/** Each part draws the next one ten times. */
const nested = (draw: (id: string) => string) =>
  [1, 2, 3, 4, 5, 6].map((part) => `<g id="p${part}">${draw(`p${part + 1}`).repeat(10)}</g>`).join('');

test.each([
  ['uses of uses', nested((id) => `<use href="#${id}"/>`)],
  ['masks of masks', nested((id) => `<rect mask="url(#${id})"/>`)],
  ['clipped paths of clipped paths', nested((id) => `<rect clip-path="url('#${id}')"/>`)],
  ['a use of itself', '<g id="a"><use href="#a"/></g>'],
  ['a gradient that takes itself over', '<linearGradient id="a" href="#a"/>'],
  ['a chain of uses', Array.from({ length: 900 }, (_, at) => `<g id="a${at}"><use href="#a${at + 1}"/></g>`).join('')],
  ['two that draw each other', '<g id="a"><use href="#b"/></g><g id="b"><use href="#a"/></g>'],
])('%s would be drawn without end and are refused', (_what, inside) => {
  expect(problemsOfLogo(svg(inside), 'wide')).toEqual(['references repeat more than may be drawn']);
});

const enlarged = (times: number, inside: string) => `<g transform="scale(${times})">${inside}</g>`;

test.each([
  ['<rect width="24001" height="1"/>', 'width has numbers beyond 100 times the view box'],
  ['<path d="M0 0L1e9 2"/>', 'd has numbers beyond 100 times the view box'],
  ['<path d="M0 0h-1e400"/>', 'd has numbers beyond 100 times the view box'],
  ['<circle r="5" stroke="#000" stroke-width="99999"/>', 'stroke-width has numbers beyond 100 times the view box'],
  ['<text font-size="100000">A</text>', 'font-size has numbers beyond 100 times the view box'],
  ['<rect transform="translate(90000 0)"/>', 'transform has numbers beyond 100 times the view box'],
  ['<path d="M0 0h240" stroke-dasharray=".01 .01"/>', 'stroke-dasharray has dashes too short to see'],
  ['<symbol viewBox="0 0 .1 .1"/>', 'a view box inside the drawing is too small'],
  [enlarged(20, enlarged(20, '<rect/>')), 'transformations enlarge more than 100 times, or leave nothing'],
  [
    `${enlarged(20, '<use href="#a"/>')}<g id="a">${enlarged(20, '<rect/>')}</g>`,
    'transformations enlarge more than 100 times, or leave nothing',
  ],
  ['<rect transform="matrix(1 2 2 4 0 0)"/>', 'transformations enlarge more than 100 times, or leave nothing'],
  ['<rect transform="skewX(89.9)"/>', 'transformations enlarge more than 100 times, or leave nothing'],
  [`${'<g>'.repeat(60)}${'</g>'.repeat(60)}`, 'elements lie more than 50 deep in one another'],
])('out of proportion and refused: %s', (inside, problem) => {
  expect(problemsOfLogo(svg(inside), 'wide')).toEqual([problem]);
});

test.each(['0 0 0.5 0.1', '0 0 50000 10000', '0 0 1e300 2e299'])('a view box of %s is refused', (box) => {
  expect(problemsOfLogo(svg('', `viewBox="${box}"`), 'wide')).toEqual(['a view box has sides of 1 to 10000']);
});

test('a drawing as programs export it is within the bounds', () => {
  const traced =
    '<g transform="translate(0,48) scale(0.1,-0.1)" fill="#123e99"><path d="M1200 300c-40 12 9e-3 .5-7.25 1z"/></g>';
  const dashed = '<path id="Layer_1000000" d="M0 0h240" stroke="#1e9" stroke-width="2" stroke-dasharray="4 2"/>';
  const turned = '<path transform="rotate(-45 20 20) matrix(.7 .7 -.7 .7 3 4)" d="M0 0h2"/>';
  expect(problemsOfLogo(svg(traced + dashed + turned), 'wide')).toEqual([]);
});

test('a shape is repeated, also inside what clips others, as programs export it', () => {
  const clip = '<rect id="a" width="9"/><clipPath id="b"><use xlink:href="#a"/></clipPath>';
  const inside = `${clip}<g clip-path="url(#b)"><use href="#a"/></g>`;
  const attributes = 'xmlns:xlink="http://www.w3.org/1999/xlink" viewBox="0 0 240 48"';
  expect(problemsOfLogo(svg(inside, attributes), 'wide')).toEqual([]);
  expect(problemsOfLogo(svg(`${clip}<use xlink:href="#%61"/>`, attributes), 'wide')).toEqual([
    'xlink:href refers to #%61',
  ]);
});

test('a logo has the shape of its place', () => {
  expect(problemsOfLogo(svg('', 'viewBox="0 0 96 96"'), 'wide')).toEqual([
    '96 × 96 is not 2 to 8 times as wide as high',
  ]);
  expect(problemsOfLogo(svg(''), 'mark')).toEqual(['240 × 48 is not square']);
  expect(problemsOfLogo(svg('', 'width="240" height="48"'), 'wide')).toEqual([
    'no viewBox, so it cannot be drawn at the size of its place',
  ]);
});

test('comments that are opened again and again are refused, within the size of a logo', () => {
  const opened = svg('<!--'.repeat(12_000));
  expect(opened.length).toBeLessThan(largestLogoBytes);
  expect(problemsOfLogo(opened, 'wide')).toEqual(['not a plain SVG']);
});

test.each([
  ['letters', 'x'.repeat(45_000)],
  ['functions that do not end', 'scale('.repeat(7_000)],
  ['digits', '9'.repeat(45_000)],
  ['blanks', `url(${' '.repeat(45_000)}`],
])('many %s in an attribute cost no more than their length', (_what, value) => {
  const before = process.cpuUsage();
  problemsOfLogo(svg(`<rect transform="${value}" d="${value.slice(0, 2_000)}"/>`), 'wide');
  expect(process.cpuUsage(before).user).toBeLessThan(400_000);
});

test('parts inside one another that refer to one another are measured once', () => {
  const parts = Array.from({ length: 1_200 }, (_, at) => `<g id="a${at}" mask="url(#a${at})">`);
  const before = process.cpuUsage();
  expect(problemsOfLogo(svg(`${parts.join('')}${'</g>'.repeat(1_200)}`), 'wide')).toEqual([
    'elements lie more than 50 deep in one another',
  ]);
  expect(process.cpuUsage(before).user).toBeLessThan(1_000_000);
});
