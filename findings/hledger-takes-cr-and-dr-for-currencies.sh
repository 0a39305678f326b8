#!/usr/bin/env bash
# One expects a bank's "12.50 CR" and "3.00 DR" to be a deposit and a withdrawal, or to be refused as "12.50-" is.
# Guess before running: an error that names the line.
# hledger 1.25 (Debian 12) books 12.50 of a currency CR and 3.00 of a currency DR, both as money in, exit 0.
# Source: this run. Hurt: a treasurer whose bank writes CR and DR; the total shows two odd currencies and no error.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; chmod 755 "$dir"; cd "$dir"
apt-get download -qq hledger=1.25-2+b5 >/dev/null 2>&1 && dpkg -x hledger_*.deb .
hledger() { "$dir/usr/bin/hledger" "$@"; }
hledger --version
printf '%s\n' '01/12/2026,12.50 CR,Payout' '02/12/2026,3.00 DR,Fee' >bank.csv
printf '%s\n' 'fields date, amount, description' 'date-format %d/%m/%Y' 'account1 assets:bank' >bank.rules
seen=$(hledger -f bank.csv --rules-file bank.rules balance --layout=bare -O csv assets)
echo "$seen"
grep -q '"CR","12.50"' <<<"$seen" && grep -q '"DR","3.00"' <<<"$seen" || { echo 'behaviour has changed'; exit 1; }
