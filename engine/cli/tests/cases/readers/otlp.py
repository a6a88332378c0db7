import json, sys
from google.protobuf import json_format
from opentelemetry.proto.trace.v1.trace_pb2 import TracesData, Status
told, traces = [], set()
for line in open(sys.argv[1]):
    data = json_format.Parse(line, TracesData())
    spans = data.resource_spans[0].scope_spans[0].spans
    values = [{a.key: getattr(a.value, a.value.WhichOneof("value")) for a in s.attributes} for s in spans]
    agent = values[0]
    assert agent["gen_ai.operation.name"] == "invoke_agent" and agent["gen_ai.tool.definitions"]
    assert len({s.span_id for s in spans}) == len(spans) and len({s.trace_id for s in spans}) == 1
    assert all(s.parent_span_id == spans[0].span_id for s in spans[1:])
    traces.add(spans[0].trace_id)
    calls = [v for v in values if v["gen_ai.operation.name"] == "execute_tool"]
    failed = [s for s in spans if s.status.code == Status.STATUS_CODE_ERROR]
    assert len(failed) == sum("error.type" in v for v in calls)
    messages = json.loads(agent["gen_ai.input.messages"]) + json.loads(agent.get("gen_ai.output.messages", "[]"))
    messages = 1 + sum(m["role"] != "tool" for m in messages)
    told.append({"digest": agent["probity.digest"], "calls": len(calls), "messages": messages})
assert len(traces) == len(told)
print(json.dumps(told))
