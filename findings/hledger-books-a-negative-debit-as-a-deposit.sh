#!/usr/bin/env bash
# ING Australia writes the Debit column with its minus: "-12.50". One expects amount-out to be money out with or without it.
# Guess before running: money out, as a debit column holds nothing else.
# hledger 1.25 (Debian 12) negates the minus: a purchase of $12.50 raises the balance by $12.50, exit 0.
# Source: this run; ING's column as its customers' exports show it. Hurt: anybody who maps Credit and Debit as the manual's example does.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; chmod 755 "$dir"; cd "$dir"
apt-get download -qq hledger=1.25-2+b5 >/dev/null 2>&1 && dpkg -x hledger_*.deb .
hledger() { "$dir/usr/bin/hledger" "$@"; }
hledger --version
printf '%s\n' '01/12/2026,Opening,100.00,' '02/12/2026,Purchase,,-12.50' >bank.csv
printf '%s\n' 'fields date, description, amount-in, amount-out' 'date-format %d/%m/%Y' 'account1 assets:bank' 'currency AUD' >bank.rules
seen=$(hledger -f bank.csv --rules-file bank.rules balance assets -O csv)
echo "$seen"
grep -q 'AUD112.50' <<<"$seen" || { echo 'behaviour has changed'; exit 1; }
