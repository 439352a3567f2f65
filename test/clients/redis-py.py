# The stories of stories.ts as a Python application would write them, run by redis-py.test.ts.
# Usage: redis-py.py PORT PASSWORD. Prints the name of each story that went well; a failure ends with a traceback.

import sys
import time

import redis

PORT, PASSWORD = int(sys.argv[1]), sys.argv[2]
EVERY_BYTE = bytes(range(256))


def connect(**options):
    return redis.Redis(port=PORT, password=PASSWORD, **options)


def equal(found, expected):
    if found != expected:
        raise AssertionError(f"{found!r} is not {expected!r}")


def logs_in(a, _):
    worker = connect(db=3, client_name="worker-1")
    worker.set("k", "v")
    info = worker.execute_command("CLIENT", "INFO")
    info = info if isinstance(info, dict) else dict(p.split("=", 1) for p in info.decode().split())
    equal((info["name"], info["db"], info["user"]), ("worker-1", "3", "default"))
    equal(a.exists("k"), 0)
    try:
        redis.Redis(port=PORT, password="wrong").ping()
    except redis.RedisError as error:  # an AuthenticationError in later versions
        equal("WRONGPASS" in str(error) or "invalid username" in str(error), True)
        return
    raise AssertionError("a wrong password was let in")


def hands_a_lock_over(a, b):
    equal(a.set("lock", "token-a", nx=True, px=30000), True)
    equal(b.set("lock", "token-b", nx=True, px=30000), None)
    equal(b.execute_command("GOBLIN.CAEXPIRE", "lock", "token-b", 60000), 0)
    equal(a.execute_command("GOBLIN.CAEXPIRE", "lock", "token-a", 60000), 1)
    equal(30000 < b.pttl("lock") <= 60000, True)
    equal(b.execute_command("GOBLIN.CAD", "lock", "token-b"), 0)
    equal(a.execute_command("GOBLIN.CAD", "lock", "token-a"), 1)
    equal(b.set("lock", "token-b", nx=True, px=30000), True)
    equal(b.execute_command("DELEX", "lock", "IFEQ", "token-b"), 1)


def reads_and_writes_any_bytes(a, b):
    equal(a.set(b"\xff", EVERY_BYTE, nx=True), True)
    equal(a.set(b"\xfe", "second", nx=True), True)
    equal(b.get(b"\xff"), EVERY_BYTE)
    equal(b.execute_command("GOBLIN.CAD", b"\xff", EVERY_BYTE), 1)
    equal(b.get(b"\xfe"), b"second")


def runs_transactions(a, b):
    with a.pipeline() as pipe:
        pipe.watch("k")
        pipe.multi()
        equal(pipe.set("k", "first").get("k").execute(), [True, b"first"])
        pipe.watch("k")
        b.set("k", "other")
        pipe.multi()
        pipe.set("k", "second")
        try:
            pipe.execute()
        except redis.WatchError:
            equal(a.get("k"), b"other")
            return
    raise AssertionError("EXEC ran though a watched key was touched")


def receives_what_others_publish(a, b):
    subscriber = a.pubsub(ignore_subscribe_messages=True)
    subscriber.subscribe("news")
    subscriber.psubscribe("ne?s")
    while b.pubsub_numpat() == 0:
        time.sleep(0.01)
    equal(b.publish("news", "hello"), 2)
    received = []
    while len(received) < 2:
        message = subscriber.get_message(timeout=5)
        if message is not None:
            received.append((message["type"], message["data"]))
    equal(received, [("message", b"hello"), ("pmessage", b"hello")])
    subscriber.close()


def finds_all_keys(a, _):
    keys = {b"lock:%d" % i for i in range(1000)}
    a.mset({key: "v" for key in keys} | {"other": "v"})
    equal(set(a.scan_iter(match="lock:*", count=50)), keys)


def gives_errors_as_errors(a, _):
    try:
        a.execute_command("NOSUCH")
    except redis.ResponseError as error:
        equal("unknown command" in str(error), True)
        equal(a.ping(), True)
        return
    raise AssertionError("an unknown command was answered")


def describes_commands(a, _):
    equal(a.command_count() > 100, True)
    equal(a.command()["get"]["arity"], 2)
    equal(a.info()["loading"], 0)
    equal(a.client_list()[0]["user"], "default")
    equal(a.config_get("requirepass"), {"requirepass": PASSWORD})


def comes_back(a, _):
    """Told on standard input that the server has been restarted."""
    equal(a.set("k", "before", nx=True), True)
    print("restart", flush=True)
    sys.stdin.readline()
    equal(a.set("k", "after", nx=True), True)


STORIES = [
    logs_in,
    hands_a_lock_over,
    reads_and_writes_any_bytes,
    runs_transactions,
    receives_what_others_publish,
    finds_all_keys,
    gives_errors_as_errors,
    describes_commands,
    comes_back,
]

for story in STORIES:
    connect().flushall()
    # An idle connection may have been cut: as an application would, try once more then.
    story(connect(retry_on_timeout=True), connect())
    print(story.__name__, flush=True)
