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
  ['two that draw each other', '<g id="a"><use href="#b"/></g><g id="b"><use href="#a"/></g>'],
])('%s would be drawn without end and are refused', (_what, inside) => {
  expect(problemsOfLogo(svg(inside), 'wide')).toEqual(['references repeat more than may be drawn']);
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
