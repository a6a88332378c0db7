"""Findings of an audit, one a line, without where their messages stand, which is each form's own."""
import json
import re
import sys

audited = json.load(sys.stdin)
if audited["summary"]["unread"]["count"]:
    print(audited["summary"]["unread"])
print(*sorted({file["found"]["form"] for file in audited["summary"]["files"]}), file=sys.stderr)
for episode in sorted(audited["episodes"], key=lambda episode: episode["id"]):
    for found in episode["findings"]:
        text = re.sub(r"(?<!\S)message \S+", "message N", found["text"])
        place = "{step} {start}..{end}".format(**{key: found.get(key) for key in ("step", "start", "end")})
        print(episode["id"].removesuffix("/1"), found["code"], found["verdict"], place, text)
