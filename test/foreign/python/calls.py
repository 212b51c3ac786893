"""Reads calls as lines of JSON, and answers each with a line."""

import json
import sys
from threading import Lock


def answer_calls(start):
    cancels = {}
    lock = Lock()

    for line in sys.stdin:
        call = json.loads(line)
        id = call["id"]
        if call.get("cancel"):
            cancels[id]()
            continue

        def answer(content, id=id):
            with lock:
                print(json.dumps({"id": id, **content}), flush=True)

        cancels[id] = start(call, answer)
