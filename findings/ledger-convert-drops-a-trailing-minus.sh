#!/usr/bin/env bash
# One expects "12.50-", as mainframes of banks write money out, to be -12.50 or an error.
# Guess before running: an error, as hledger gives one.
# ledger 3.3.0 (Debian 12), `convert`: +12.50 with exit 0, the minus is gone. "(4.00)" however ends the run.
# Source: this run. Hurt: a bookkeeper whose bank puts the sign last; each withdrawal comes in as a deposit.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; chmod 755 "$dir"; cd "$dir"
apt-get download -qq ledger=3.3.0-3 libboost-filesystem1.74.0 libboost-iostreams1.74.0 libboost-regex1.74.0 libboost-system1.74.0 \
  libboost-date-time1.74.0 libmpfr6 libgmp10 libedit2 libicu72 libgpgme11 libgpgmepp6 libbsd0 libmd0 libassuan0 libpython3.11 libboost-python1.74.0 >/dev/null 2>&1
for package in *.deb; do dpkg -x "$package" .; done
export LD_LIBRARY_PATH="$dir/usr/lib/x86_64-linux-gnu:$dir/lib/x86_64-linux-gnu"
ledger() { "$dir/usr/bin/ledger" --input-date-format '%d/%m/%Y' -f empty.dat "$@"; }
ledger --version | head -1
: >empty.dat
printf '%s\n' 'date,payee,amount' '01/12/2026,Deposit,12.50' '02/12/2026,Withdrawal,12.50-' >bank.csv
seen=$(ledger convert bank.csv --account Assets:Bank)
echo "$seen"
printf '%s\n' 'date,payee,amount' '03/12/2026,Withdrawal,(4.00)' >brackets.csv
ledger convert brackets.csv --account Assets:Bank && brackets=0 || brackets=$?
echo "brackets: exit $brackets"
[ "$(grep -c 'Expenses:Unknown  *12.50\?$' <<<"$seen")" = 2 ] && [ "$brackets" = 1 ] || { echo 'behaviour has changed'; exit 1; }
