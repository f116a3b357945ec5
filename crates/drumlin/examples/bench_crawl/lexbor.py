"""A crawl of everything that a seed leads to, by aiohttp on uvloop and lexbor's parser: `lexbor.py SEED AUTHORITY.pem`."""

import asyncio
import ssl
import sys
from urllib.parse import urldefrag, urljoin

import aiohttp
import uvloop
from selectolax.lexbor import LexborHTMLParser

AT_ONCE = 64
AT_ONCE_A_HOST = 8


def links_of(url, body):
    tree = LexborHTMLParser(body)
    base = tree.css_first("base[href]")
    if base is not None:
        url = urljoin(url, base.attributes["href"] or "")
    for node in tree.css("a[href], area[href]"):
        try:
            target = urldefrag(urljoin(url, (node.attributes["href"] or "").strip())).url
        except ValueError:
            continue
        if target.startswith(("http://", "https://")):
            yield target


async def visit(session, url, known, waiting):
    async with session.get(url) as response:
        if response.content_type != "text/html":
            return
        body = await response.read()
    for link in links_of(str(response.url), body):
        if link not in known:
            known.add(link)
            waiting.put_nowait(link)


async def work(session, known, waiting):
    while True:
        url = await waiting.get()
        try:
            await visit(session, url, known, waiting)
        except (aiohttp.ClientError, asyncio.TimeoutError, ValueError):
            pass
        waiting.task_done()


async def crawl(seed, authority):
    known, waiting = {seed}, asyncio.Queue()
    waiting.put_nowait(seed)
    connector = aiohttp.TCPConnector(
        limit=AT_ONCE, limit_per_host=AT_ONCE_A_HOST, ssl=ssl.create_default_context(cafile=authority)
    )
    jar = aiohttp.DummyCookieJar()
    async with aiohttp.ClientSession(connector=connector, cookie_jar=jar) as session:
        workers = [asyncio.create_task(work(session, known, waiting)) for _ in range(AT_ONCE)]
        await waiting.join()
        for worker in workers:
            worker.cancel()


uvloop.run(crawl(*sys.argv[1:]))
