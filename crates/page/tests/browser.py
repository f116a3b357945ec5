"""Says which links headless Chromium finds in documents, with scripts off.

Reads JSON lines {"url": "http://HOST.test/PATH", "type": Content-Type, "body": base64} and prints, for each, the distinct
targets of `document.links` on the web, without fragments, as one JSON line. All names lead to a server on loopback that
has these documents and answers 204 to everything else, so that nothing is loaded from elsewhere and no document is left.
"""

import base64
import json
import sys
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from urllib.parse import urlsplit

from selenium import webdriver

LINKS = """
    const links = [...document.links].filter((link) => /^https?:$/.test(link.protocol));
    return [location.href, [...new Set(links.map((link) => link.href.split("#")[0]))]];
"""

documents = [json.loads(line) for line in sys.stdin]
by_host = {urlsplit(document["url"]).hostname: document for document in documents}


class Server(BaseHTTPRequestHandler):
    def do_GET(self):
        document = by_host.get(self.headers["Host"])
        if document and self.headers.get("Sec-Fetch-Dest", "document") == "document" and self.is_first(document):
            body = base64.b64decode(document["body"])
            self.send_response(200)
            self.send_header("Content-Type", document["type"])
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)
        else:
            self.send_response(204)
            self.end_headers()

    def is_first(self, document):
        """Refreshes go nowhere, even to the same address."""
        return not document.pop("was_sent", False) and document.setdefault("was_sent", True)

    def log_message(self, *_):
        pass


def browser(port):
    options = webdriver.ChromeOptions()
    for flag in [
        "headless", "no-sandbox", "disable-gpu", "no-first-run", "disable-background-networking",
        "disable-component-update", "disable-sync", "disable-quic", "disable-dev-shm-usage", "disable-extensions",
        "disable-features=HttpsUpgrades,HttpsFirstBalancedModeAutoEnable,OptimizationHints",
        "blink-settings=scriptEnabled=false,imagesEnabled=false",
        f"host-resolver-rules=MAP * 127.0.0.1:{port}",
    ]:
        options.add_argument(f"--{flag}")
    options.page_load_strategy = "eager"
    options.binary_location = "/usr/bin/chromium"
    return webdriver.Chrome(options=options, service=webdriver.ChromeService("/usr/bin/chromedriver"))


server = ThreadingHTTPServer(("127.0.0.1", 0), Server)
Thread(target=server.serve_forever, daemon=True).start()
driver = browser(server.server_port)
try:
    for document in documents:
        driver.get(document["url"])
        at, links = driver.execute_script(LINKS)
        assert at == document["url"], f"{at} is not {document['url']}"
        print(json.dumps(sorted(links)), flush=True)
finally:
    driver.quit()
