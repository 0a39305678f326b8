#!/usr/bin/env bash
# One expects `hledger check` to hold a bank's balance column, given as the field "balance", against its lines.
# Guess before running: exit 1 with "balance assertion".
# hledger 1.25 (Debian 12) exits 0 on a column that is $90 wrong; only what `print` writes, read again, is refused.
# Source: this run. Hurt: whoever takes the exit code of `check` for proof that no line of an export is missing.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; chmod 755 "$dir"; cd "$dir"
apt-get download -qq hledger=1.25-2+b5 >/dev/null 2>&1 && dpkg -x hledger_*.deb .
hledger() { "$dir/usr/bin/hledger" "$@"; }
hledger --version
printf '%s\n' '01/12/2026,10.00,Deposit,10.00' '02/12/2026,5.00,Deposit,105.00' >bank.csv
printf '%s\n' 'fields date, amount, description, balance' 'date-format %d/%m/%Y' 'account1 assets:bank' 'currency AUD' >bank.rules
hledger -f bank.csv --rules-file bank.rules check && direct=0 || direct=$?
hledger -f bank.csv --rules-file bank.rules print >again.journal
hledger -f again.journal check 2>error.txt && again=0 || again=$?
head -1 error.txt
echo "check of the CSV: exit $direct; check of what it prints: exit $again"
[ "$direct" = 0 ] && [ "$again" = 1 ] || { echo 'behaviour has changed'; exit 1; }
