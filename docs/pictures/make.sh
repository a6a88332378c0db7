#!/usr/bin/env bash
# Takes the pictures of the README from runs of its own: a report, a failed episode, and the comment of a gate.
# It needs chromium (with a font that has ❌), and npx for the Markdown; pngquant makes them smaller; give the program as first argument, `probity` is the default:
#   docs/pictures/make.sh target/release/probity
set -euo pipefail
cd "$(dirname "$0")/../.."
probity=$(command -v "${1:-probity}")
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

# picture NAME WIDTH HEIGHT ADDRESS
picture() {
  chromium --headless --no-sandbox --disable-gpu --hide-scrollbars --virtual-time-budget=8000 \
    --window-size="$2,$3" --screenshot="docs/pictures/$1.png" "file://$4" 2>/dev/null
  if command -v pngquant >/dev/null; then pngquant --force --ext .png 64 "docs/pictures/$1.png"; fi
}

some=(--env travel_hospitality/front_desk --env finance/bank)
"$probity" --quiet run "${some[@]}" --agent oracle --agent fault:wrong_value@mild --agent fault:no_consent \
  --as oracle --as mistaken --as hasty --out "$folder/run" >"$folder/table.txt"
picture report 1280 820 "$folder/run/report.html"
picture episode 1280 900 "$folder/run/report.html#/episode/mistaken/ideal/0/travel_hospitality/front_desk/late_move"

"$probity" --quiet run "${some[@]}" --agent oracle --as desk --out "$folder/base" >"$folder/table.txt"
"$probity" --quiet run "${some[@]}" --agent coin:80 --as desk --out "$folder/new" >"$folder/table.txt"
"$probity" --quiet compare "$folder/base" "$folder/new" --gate=docs/gate.toml --markdown "$folder/gate.md" >"$folder/gate.txt" || true
{
  echo '<!doctype html><meta charset="utf-8"><style>body { font: 15px/1.5 system-ui, sans-serif; margin: 1.5rem; color: #1f2328; }'
  echo 'table { border-collapse: collapse; } th, td { border: 1px solid #d0d7de; padding: 0.3rem 0.8rem; }'
  echo 'code { background: #eff1f3; border-radius: 4px; padding: 0.1em 0.3em; }</style>'
  npx --yes marked@15 --gfm -i "$folder/gate.md"
} >"$folder/gate.html"
picture gate 1000 720 "$folder/gate.html"
ls -l docs/pictures
