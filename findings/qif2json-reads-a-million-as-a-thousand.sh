#!/usr/bin/env bash
# Quicken writes amounts in QIF with commas between thousands: T1,234,567.50. One expects 1234567.5 or a refusal.
# Guess before running: commas are dropped, as T1,234.50 gives 1234.5.
# qif2json 0.4.0 (npm) drops the first comma alone and reads up to the second: 1,234,567.50 is 1234. A split's $1,234.50 is 1.
# Source: this run; amounts of the Quicken Interchange Format (fields T and $).
# Hurt: a treasurer's large transfer becomes a thousand dollars, and the parts of a split no longer add up; nothing fails.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
npm init -y >/dev/null; npm install --silent --no-audit --no-fund qif2json@0.4.0
cat >read.js <<'JS'
const qif = require('qif2json');
console.log('qif2json', require('qif2json/package.json').version);
const file = '!Type:Bank\nD01/07/2026\nT1,234.50\nSGifts\n$1,234.50\n^\nD02/07/2026\nT1,234,567.50\n^\n';
const [one, two] = qif.parse(file).transactions;
console.log(`1,234.50 -> ${one.amount}, its only part ${one.division[0].amount}; 1,234,567.50 -> ${two.amount}`);
process.exit(one.amount === 1234.5 && one.division[0].amount === 1 && two.amount === 1234 ? 0 : 1);
JS
node read.js || { echo 'behaviour has changed'; exit 1; }
