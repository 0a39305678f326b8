#!/usr/bin/env bash
# A balance assertion in two decimals is expected to hold to the cent: the account has 100.00, so 100.01 is refused.
# Guess before running: 100.01 is refused, and so is a transaction of 100.00 against 99.996.
# beancount 2.3.5 (Debian 12) passes both, and refuses only 100.02: it allows twice half of the last decimal, its end included.
# Source: this run; "Precision & Tolerances" of Beancount's documentation (a balance directive has twice the tolerance).
# Hurt: a treasurer who takes a clean bean-check for proof of the bank's balance; a cent that is missing every day is never seen.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; chmod 755 "$dir"; cd "$dir"
apt-get download -qq beancount=2.3.5-2 python3-beancount=2.3.5-2+b1 python3-dateutil python3-ply python3-six >/dev/null 2>&1
for package in *.deb; do dpkg -x "$package" .; done
check() { PYTHONPATH="$dir/usr/lib/python3/dist-packages" /usr/bin/python3 -m beancount.scripts.check "$1"; }
echo "beancount $(dpkg-deb -f beancount_*.deb Version)"
books() {
  printf '%s\n' '2026-01-01 open Assets:Bank AUD' '2026-01-01 open Income:Gifts AUD' '2026-07-01 * "Gifts"' \
    '  Assets:Bank  100.00 AUD' "  Income:Gifts  -$1 AUD" "2026-07-02 balance Assets:Bank $2 AUD" >"$3"
}
seen=''
for pair in '100.00 100.00' '100.00 100.01' '99.996 100.00' '100.00 100.02'; do
  read -r given asserted <<<"$pair"
  books "$given" "$asserted" books.beancount
  check books.beancount >said.txt 2>&1 && code=0 || code=$?
  echo "100.00 against $given, balance $asserted: exit $code $(grep -o 'Balance failed.*' said.txt || true)"
  seen="$seen$code"
done
[ "$seen" = 0001 ] || { echo 'behaviour has changed'; exit 1; }
