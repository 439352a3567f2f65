# One user of redis-py's Lock, driven by redis-py-lock.test.ts.
# Usage: redis-py-lock.py PORT RENEWAL. A JSON array a line in: an operation and its arguments; a JSON value a line out.

import json
import sys

import redis
from redis.exceptions import LockError

PORT, RENEWAL = int(sys.argv[1]), sys.argv[2]
client = redis.Redis(port=PORT)
held = {}


def acquire(key, lease_ms):
    """The number of the lock, or None if somebody else has it."""
    lock = client.lock(key, timeout=lease_ms / 1000, blocking=False)
    if not lock.acquire():
        return None
    held[len(held)] = lock
    return len(held) - 1


def renew(number, lease_ms):
    """By each of the three ways that the library has."""
    lock = held[number]
    try:
        if RENEWAL == "reacquire":
            lock.timeout = lease_ms / 1000
            return lock.reacquire()
        if RENEWAL == "replace":
            return lock.extend(lease_ms / 1000, replace_ttl=True)
        left_ms = max(client.pttl(lock.name), 0)
        return lock.extend((lease_ms - left_ms) / 1000)
    except LockError:  # also what a lock that is not owned any more raises
        return False


def release(number):
    try:
        held[number].release()
        return True
    except LockError:
        return False


OPERATIONS = {"acquire": acquire, "renew": renew, "release": release}

for line in sys.stdin:
    operation, *arguments = json.loads(line)
    print(json.dumps(OPERATIONS[operation](*arguments)), flush=True)
