# A certificate that was edited or damaged is not believed, and is written anew.
cp -r "$CASES/base/." . && probity certify 2> said | tee proved.txt
proved() { probity certify 2> said | cmp - proved.txt; grep -o '[0-9]* certificates from the cache' said; }; proved; ls .probity/certificates > file; wc -l < file; cp .probity/certificates/* whole.json
proved() { probity certify 2> said | cmp - proved.txt; grep -o '[0-9]* certificates from the cache' said; }; file=.probity/certificates/$(cat file); sed 's/"problems":\[\]/"problems":[{"pointer":"","code":"x","message":"x","help":"x"}]/' whole.json > edited.json; cmp -s whole.json edited.json; echo $?; for text in "$(cat edited.json)" '{' '' "$(sed 's/.*"found":\({.*}\).*/\1/' edited.json)"; do printf '%s' "$text" > $file; proved; cmp whole.json $file; done; truncate -s 67108864 $file; proved
# What is no file is no certificate: a fifo makes way, a folder stays.
proved() { probity certify 2> said | cmp - proved.txt; grep -o '[0-9]* certificates from the cache' said; }; file=.probity/certificates/$(cat file); rm $file; mkfifo $file; proved; proved; rm $file; mkdir $file; proved; ls .probity/certificates | cmp - file
# What was found clean is looked at again when it changes, and says the same with and without what is kept.
rm -r .probity; probity check --all --no-cache > told; echo $?; test -e .probity; echo $?
same() { probity check "$@" > kept.txt; echo $?; probity check --no-cache "$@" | cmp - kept.txt; sed 's/, [0-9]* calls in.*//' kept.txt; ls .probity/checked | wc -l; }; same --all; same --all; same
edit tasks/shop/counter/more_teapots.json '/"3",$/{N;s/.*/     "nine"/}'; same() { probity check > kept.txt; echo $?; probity check --no-cache | cmp - kept.txt; cat kept.txt; ls .probity/checked | wc -l; }; same; same
cp "$CASES/base/tasks/shop/counter/more_teapots.json" tasks/shop/counter; probity check; ls .probity/checked | wc -l
printf '\n// as before\n' >> scripts/shop/counter.rhai; probity check --all > told; echo $?; ls .probity/checked | wc -l
for file in .probity/checked/*; do echo '{"hash":"sha256:00","found":null}' > $file; done; probity check --all | sed 's/, [0-9]* calls in.*//'
