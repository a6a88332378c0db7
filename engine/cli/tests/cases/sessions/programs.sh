# Another program of ours, where it stands beside this one, gets what was asked, and its exit code is the command's.
ln "$(command -v probity)" probity && ./probity -q --root "$CASES/base" run --agent oracle --out kept > told
./probity conform rut a+file.jsonl
./probity show --agent oracle --level variant=ideal kept --failed --browse -q
for program in peers browse; do printf '#!/bin/sh\nprintf "%%s|" "$@"\necho\nexit 3\n' > probity-$program; chmod +x probity-$program; done
./probity conform rut a+file.jsonl
./probity show --agent oracle --level variant=ideal kept --failed --browse -q
