"""Other extractors on the pages of standard input, one JSON string a line; one JSON object each on standard output."""

import json
import sys
import time

import trafilatura
from resiliparse.extract.html2text import extract_plain_text

EXTRACTORS = {
    "trafilatura": lambda html: trafilatura.extract(html, include_comments=False),
    "trafilatura_precise": lambda html: trafilatura.extract(html, include_comments=False, favor_precision=True),
    "resiliparse": lambda html: extract_plain_text(html, main_content=True, alt_texts=False),
}

ROUNDS = 5

pages = [json.loads(line) for line in sys.stdin]
for name, extract in EXTRACTORS.items():
    extract(pages[0])  # what is loaded on first use is not counted
    times = []
    for _ in range(ROUNDS):
        before = time.process_time()
        texts = [extract(page) or "" for page in pages]
        times.append(time.process_time() - before)
    print(json.dumps({"name": name, "cpu_s": min(times), "texts": texts}), flush=True)
