"""Prints the seconds that protego needs to parse all files in a JSON Lines file, and to decide all their URLs."""
import json
import sys
import time

from protego import Protego

with open(sys.argv[1], encoding="utf-8") as lines:
    sites = [json.loads(line) for line in lines]
agent = sys.argv[2]
parse = decide = float("inf")
for _ in range(2):
    start = time.perf_counter()
    policies = [Protego.parse(site["robots"]) for site in sites]
    parse = min(parse, time.perf_counter() - start)
    start = time.perf_counter()
    for site, policy in zip(sites, policies):
        for url in site["urls"]:
            policy.can_fetch(url, agent)
    decide = min(decide, time.perf_counter() - start)
print(parse, decide)
