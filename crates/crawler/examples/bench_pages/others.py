"""Other libraries on the pages of standard input, one in base64 a line; one JSON object each on standard output."""

import base64
import json
import sys
import time

import trafilatura
from resiliparse.extract.html2text import extract_plain_text
from resiliparse.parse.encoding import bytes_to_str, detect_encoding
from resiliparse.parse.html import HTMLTree
from selectolax.lexbor import LexborHTMLParser

ROUNDS = 5


def lexbor_links_text(body):
    tree = LexborHTMLParser(body)
    links = [node.attributes.get("href") for node in tree.css("a[href]")]
    tree.strip_tags(["script", "style"])
    return links, tree.body.text() if tree.body else ""


def resiliparse_links_text(body):
    tree = HTMLTree.parse_from_bytes(body, detect_encoding(body))
    # A walk: its collections take time quadratic in their length.
    links = [node.getattr("href") for node in tree.document if node.tag == "a" and node.hasattr("href")]
    return links, extract_plain_text(tree, main_content=False, alt_texts=False)


def resiliparse_article(body):
    return extract_plain_text(bytes_to_str(body, detect_encoding(body)), main_content=True, alt_texts=False)


def trafilatura_article(body):
    return trafilatura.extract(body, include_comments=False)


pages = [base64.b64decode(line) for line in sys.stdin]
for work in [lexbor_links_text, resiliparse_links_text, resiliparse_article, trafilatura_article]:
    work(pages[0])  # what is loaded on first use is not counted
    times = []
    for _ in range(ROUNDS):
        before = time.process_time()
        for page in pages:
            work(page)
        times.append(time.process_time() - before)
    print(json.dumps({"name": work.__name__, "cpu_s": min(times)}), flush=True)
