import json, sys
from inspect_ai.log import read_eval_log, read_eval_log_sample_summaries
told = []
for path in sys.argv[1:]:
    log, header = read_eval_log(path), read_eval_log(path, header_only=True)
    assert log.status == "success" and len(read_eval_log_sample_summaries(path)) == len(log.samples)
    assert header.results.total_samples == len(log.samples)
    samples = []
    for s in log.samples:
        calls = sum(len(m.tool_calls or []) for m in s.messages if m.role == "assistant")
        models = [e for e in s.events if e.event == "model"]
        tools = [e for e in s.events if e.event == "tool"]
        assert all(e.tools for e in models) and len(tools) == calls
        assert not models or [m.text for m in models[-1].input] == [m.text for m in s.messages][:len(models[-1].input)]
        assert not models or models[-1].input
        assert [m.error is None for m in s.messages if m.role == "tool"] == [e.error is None for e in tools]
        samples.append({"digest": s.metadata["digest"], "calls": calls, "messages": len(s.messages)})
    told.append({"samples": samples, "scores": [sorted(s.scores) for s in log.samples],
        "refused": sum(m.role == "tool" and m.error is not None for s in log.samples for m in s.messages),
        "sr": {k: m.value for k, m in header.results.scores[0].metrics.items()}})
print(json.dumps(told))
