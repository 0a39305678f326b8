import type { FastifyReply } from 'fastify';
import { type Html, html, trusted } from './html.ts';

const style = trusted(`
:root { color-scheme: light; font: 400 1rem/1.55 system-ui, "Segoe UI", Roboto, sans-serif; color: #17242b; background: #eef3f4; }
* { box-sizing: border-box; }
body { margin: 0; }
main { max-width: 30rem; margin: 0 auto; padding: 2.5rem 1.25rem 4rem; }
main.wide { max-width: 68rem; }
.card { background: #fff; border-radius: 1rem; padding: 1.75rem; box-shadow: 0 1px 2px #17242b14, 0 8px 24px #17242b0d; margin-bottom: 1.25rem; }
h1 { font-size: 1.5rem; line-height: 1.25; margin: 0 0 1rem; letter-spacing: -.01em; }
h2 { font-size: 1.0625rem; margin: 0 0 .75rem; }
p { margin: 0 0 1rem; }
.brand { font-weight: 650; color: #0c5c63; margin-bottom: 1rem; display: flex; gap: .5rem; align-items: center; }
.brand::before { content: ""; width: .75rem; height: .75rem; border-radius: 50%; background: #0c7a83; }
.hint { margin: .5rem 0 0; }
.quiet { color: #4a5b63; font-size: .9375rem; }
form { display: grid; gap: 1rem; margin: 0; }
label { font-weight: 600; display: block; margin-bottom: .375rem; }
input[type=text] { width: 100%; font: inherit; font-size: 1.125rem; letter-spacing: .04em; padding: .75rem .875rem; border: 1.5px solid #71838b; border-radius: .625rem; background: #fff; color: inherit; font-variant-numeric: tabular-nums; }
input[aria-invalid=true] { border-color: #a3121f; }
button, a.button { font: inherit; font-weight: 600; min-height: 2.875rem; padding: .625rem 1.125rem; border-radius: .625rem; border: 1.5px solid #0c5c63; background: #0c5c63; color: #fff; cursor: pointer; text-align: center; text-decoration: none; display: inline-block; }
button:hover, a.button:hover { background: #084349; }
button.plain { background: #fff; color: #0c5c63; }
button.plain:hover { background: #eef6f6; }
button.danger { background: #fff; color: #a3121f; border-color: #a3121f; }
button.danger:hover { background: #fdf1f2; }
:focus-visible { outline: 3px solid #1769c2; outline-offset: 2px; }
.choices { display: grid; gap: .75rem; }
.choices button { background: #fff; color: #17242b; border-color: #b8c6cb; text-align: left; padding: .875rem 1.125rem; }
.choices button:hover { border-color: #0c5c63; background: #f5fafa; }
.buttons { display: flex; flex-wrap: wrap; gap: .75rem; }
.buttons button { flex: 1 1 8rem; }
fieldset { border: 0; padding: 0; margin: 0; display: grid; gap: .25rem; }
legend { font-weight: 600; padding: 0; margin-bottom: .25rem; }
.tick { display: flex; gap: .75rem; align-items: center; min-height: 2.75rem; font-weight: 500; margin: 0; }
.tick input { width: 1.25rem; height: 1.25rem; accent-color: #0c5c63; flex: none; }
.tick small { color: #4a5b63; font-weight: 400; display: block; }
.phone { background: #f2f6f7; border-radius: .75rem; padding: .875rem 1rem; margin-bottom: 1rem; }
.phone output { font-size: 1.375rem; font-weight: 650; letter-spacing: .12em; font-variant-numeric: tabular-nums; }
.error { color: #a3121f; font-weight: 600; margin: .5rem 0 0; }
table { border-collapse: collapse; width: 100%; font-variant-numeric: tabular-nums; font-size: .9375rem; }
th, td { text-align: left; padding: .5rem .75rem .5rem 0; border-bottom: 1px solid #e3eaec; vertical-align: top; }
.scroll { overflow-x: auto; }
.number { text-align: right; }
a { color: #0c5c63; }
code { background: #f2f6f7; padding: .1rem .3rem; border-radius: .25rem; font-size: .875em; }
iframe { width: 100%; height: 32rem; border: 1px solid #e3eaec; border-radius: .625rem; background: #fff; }
pre { white-space: pre-wrap; overflow-wrap: anywhere; }
dl { display: grid; grid-template-columns: max-content 1fr; gap: .25rem 1rem; margin: 0 0 1rem; }
dt { color: #4a5b63; }
dd { margin: 0; }
`);

interface Page {
  title: string;
  body: Html;
  isWide?: boolean;
}

const document = ({ title, body, isWide = false }: Page): string =>
  html`<!doctype html>
<html lang="en-AU">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<link rel="icon" href="data:,">
<style>${style}</style>
</head>
<body><main${isWide ? trusted(' class="wide"') : ''}>${body}</main></body>
</html>`.markup;

export const sendPage = (reply: FastifyReply, page: Page, status = 200): FastifyReply =>
  reply
    .status(status)
    .header('content-type', 'text/html; charset=utf-8')
    .header('cache-control', 'no-store')
    .send(document(page));
