#!/usr/bin/env bash
# QIF does not say whether the day or the month comes first. Read in the wrong order, 13/07/2026 is expected to be refused.
# Guess before running: an invalid date is reported for every day after the twelfth, so that the mistake is seen.
# qif2json 0.4.0 (npm), read with dateFormat 'us', takes a month 13 for January of the year after: 13/07/2026 is 7 January 2027, the 31st in 2028.
# Source: this run; the Quicken Interchange Format names no order of day and month.
# Hurt: who sets the wrong order for an Australian bank's file: nothing fails, and the lines are spread over three years.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
npm init -y >/dev/null; npm install --silent --no-audit --no-fund qif2json@0.4.0
cat >read.js <<'JS'
const qif = require('qif2json');
console.log('qif2json', require('qif2json/package.json').version);
const days = ['01/07/2026', '12/07/2026', '13/07/2026', '31/07/2026'];
const file = `!Type:Bank\n${days.map((day) => `D${day}\nT-5.00\nPCLUB\n^`).join('\n')}\n`;
const read = (dateFormat) => qif.parse(file, { dateFormat }).transactions.map(({ date }) => date.slice(0, 10));
const [asOurs, asTheirs] = [read(undefined), read('us')];
for (const [at, day] of days.entries()) console.log(`${day} -> ${asOurs[at]}, as 'us' ${asTheirs[at]}`);
process.exit(asOurs[2] === '2026-07-13' && asTheirs[2] === '2027-01-07' ? 0 : 1);
JS
node read.js || { echo 'behaviour has changed'; exit 1; }
