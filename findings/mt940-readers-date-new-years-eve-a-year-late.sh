#!/usr/bin/env bash
# Field 61 of MT940 has a value date with its year and an entry date without one: 270101 1231 is booked on 31 December 2026.
# Guess before running: signs of reversals are wrong, the days right.
# mt940js 1.3.5 and @centrapay/swift-parser 1.0.1 (npm) have all signs right, and book that line on 31 December 2027.
# Source: this run; SWIFT category 9, MT940 field 61 (subfields 1 and 2).
# Hurt: who takes the day of booking from it: the last line of a year is 364 days ahead, outside every statement, and never matched.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
npm init -y >/dev/null; npm install --silent --no-audit --no-fund mt940js@1.3.5 @centrapay/swift-parser@1.0.1
cat >read.js <<'JS'
const lines = ['2607010701D20,00NTRFONE//1', '2607010701RD20,00NTRFONE//2', '2701011231C1,00NTRFTWO//3'];
const file = [':20:S1', ':25:062000/12345678', ':28C:1/1', ':60F:C260701AUD100,00', ...lines.map((line) => `:61:${line}`), ':62F:C270101AUD101,00', '-', ''].join('\r\n');
const readers = {
  mt940js: (text) => new (require('mt940js').Parser)().parse(text),
  '@centrapay/swift-parser': (data) => require('@centrapay/swift-parser').parse({ type: 'mt940', data }),
};
let isAsSeen = true;
for (const [name, read] of Object.entries(readers)) {
  console.log(name, require(`./node_modules/${name}/package.json`).version);
  const [{ transactions }] = read(file);
  const seen = transactions.map(({ amount, date, entryDate }) => [Number(amount), date.toISOString().slice(0, 10), entryDate.toISOString().slice(0, 10)].join(' '));
  for (const [at, line] of seen.entries()) console.log(`  ${lines[at]} -> ${line}`);
  isAsSeen &&= seen.join() === '-20 2026-07-01 2026-07-01,20 2026-07-01 2026-07-01,1 2027-01-01 2027-12-31';
}
process.exit(isAsSeen ? 0 : 1);
JS
node read.js || { echo 'behaviour has changed'; exit 1; }
