# A bad line is heard.
cp -r "$REPO/mm-tau" . && probity hear 'My number is 555-123-2002, order W5918442.' --noise off
probity hear 'My number is 555-123-2002, order W5918442.' --seed 7 --noise strong
probity hear 'My number is 555-123-2002, order W5918442.' --noise strong --json | sed '/"words"/,$d'
probity hear hello --tts cat --asr cat --noise mild
probity hear hello --tts cat --asr cat
# An episode tells who called what and what was heard.
probity -q run --suite mm-tau --agent oracle --agent reckless --level channel=voice --level persona=hard --level exposure=p1 --set noise=strong --limit 1 --out run > told; probity show run --agent oracle
probity run --suite mm-tau --agent recless
# What the user says can go through programs.
printf "printf 'RIFF\\\\0\\\\0\\\\0\\\\0WAVEfmt \\\\020\\\\0\\\\0\\\\0\\\\001\\\\0\\\\001\\\\0\\\\350\\\\003\\\\0\\\\0\\\\0\\\\0\\\\0\\\\0\\\\001\\\\0\\\\010\\\\0data\\\\377\\\\377\\\\377\\\\377'; cat" > tts; for heard in 'clear|tail -c +45' "deaf|tail -c +45 | sed 's/five/nine/g'"; do out=${heard%%|*}; probity -q run --suite mm-tau --agent oracle --level channel=voice --level persona=none --level exposure=p0 --limit 2 --tts "$(cat tts)" --asr "${heard#*|}" --out $out > told; probity -q replay $out; for metric in sr ues; do sed -n '/"overall"/,$p' $out/report.json | grep -m 1 -A 14 "\"$metric\"" | grep -m 1 '"value"'; done; done
probity run --suite mm-tau --agent oracle --set noise=spoken
probity run --suite mm-tau --agent oracle --set noise=strong --tts cat --asr cat
probity run --suite mm-tau --agent oracle --limit 1 --level channel=voice --tts false --asr cat --out broken > told
