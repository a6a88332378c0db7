#!/bin/sh
# Text on standard input -> WAV (16 kHz, mono, 16 bit) on standard output.
# Needs: apt-get install flite sox
# Use:   tts_flite.sh [VOICE] [wide|phone]     (default: slt wide; `phone` keeps 300-3400 Hz through 8 kHz)
set -eu
voice=${1:-slt}
band=${2:-wide}
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cat >"$folder/text"
flite -voice "$voice" -f "$folder/text" -o "$folder/raw.wav" >&2
# -R -D: no random dither, so the same text always gives the same bytes.
case $band in
wide) sox -R -D "$folder/raw.wav" -r 16000 -c 1 -b 16 "$folder/out.wav" ;;
phone)
    sox -R -D "$folder/raw.wav" -r 8000 -c 1 -b 16 "$folder/narrow.wav" sinc 300-3400
    sox -R -D "$folder/narrow.wav" -r 16000 -c 1 -b 16 "$folder/out.wav"
    ;;
*)
    echo "unknown band \`$band\`: wide or phone" >&2
    exit 2
    ;;
esac
cat "$folder/out.wav"
