import json, sys
from harbor.models.trajectories import Trajectory
told = []
for path in sys.argv[1:]:
    for line in open(path):
        t = Trajectory(**json.loads(line))
        assert t.agent.tool_definitions and t.steps[0].source == "system"
        calls = [c for s in t.steps for c in s.tool_calls or []]
        told.append({"digest": t.extra["digest"], "calls": len(calls), "messages": len(t.steps)})
print(json.dumps(told))
