"""Serves chat completions of models that answer as NAME says, at the URL that it prints: `model.py NAME`."""
import http.server
import json
import socketserver
import sys


def contradicts(model, question):
    """Calls every first turn a contradiction, and every other nothing."""
    turns = json.loads(question)["user_turns"]
    return {"turns": [["contradictory_constraints"] if turn == 0 else [] for turn in range(turns)]}


def confirms(model, question):
    """Finds that a message of the agent asked for a confirmation that was due where it holds the model's own name."""
    about = question.partition("===== the message to label =====")[2]
    if not about:
        counts = {"tasks_identified": 1, "tasks_succeeded": 1}
        return counts | dict.fromkeys(("tasks_with_agent_understanding_errors", "tasks_with_agent_understanding_errors_succeeded"), 0)
    if "which is the user's" in about:
        return {"user_effort": 0}
    labels = {"critical_field_accuracy": 1, "message_necessity": 1}
    labels |= {f"confirmation_{what}": int(model in about) for what in ("required", "asked", "true_positives")}
    labels |= {f"clarification_{what}": 0 for what in ("required", "asked", "true_positives")}
    return labels | {f"error_{what}": 0 for what in ("committed", "identified", "recovered")}


def includes(model, question):
    """Holds a reply included: `yes` every one, and any other those that have an even number of bytes."""
    is_included = model == "yes" or len(json.loads(question)["reply_b"].encode()) % 2 == 0
    return "<result>Included</result>" if is_included else "<result>Not Included</result>"


class Provider(http.server.BaseHTTPRequestHandler):
    def do_POST(self):
        asked = json.loads(self.rfile.read(int(self.headers["content-length"])))
        model, question = asked["model"], asked["messages"][1]["content"]
        # One says nothing that can be read.
        words = "Who can say." if model == "mute" else globals()[sys.argv[1]](model, question)
        words = words if isinstance(words, str) else json.dumps(words)
        said = json.dumps({"choices": [{"message": {"role": "assistant", "content": words}}]}).encode()
        self.send_response(200)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(len(said)))
        try:
            self.end_headers()
            self.wfile.write(said)
        except ConnectionError:
            pass

    def log_message(self, *_):
        pass


class Server(http.server.ThreadingHTTPServer):
    request_queue_size = 128

    def server_bind(self):
        # Without asking for this machine's name, which may take long.
        socketserver.TCPServer.server_bind(self)
        self.server_name, self.server_port = self.server_address


server = Server(("127.0.0.1", 0), Provider)
print(f"http://127.0.0.1:{server.server_port}/v1", flush=True)
server.serve_forever()
