"""The HTTP interface of ClickHouse in front of chdb, which is its engine in this process.

Serves one client of tests on loopback: prints its port, and ends when stdin does. Arguments: the folder with chdb, an
empty folder for data, and USER and PASSWORD if requests must state them.
"""

import base64
import email
import gzip
import os
import re
import sys
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qsl, urlsplit

sys.path.insert(0, sys.argv[1])
from chdb.session import Session  # noqa: E402

session = Session(sys.argv[2] + os.environ.get('CONFIG', ''))
login = ':'.join(sys.argv[3:5]) if len(sys.argv) > 4 else None
engine = threading.Lock()
# What a session must not keep, and what is about HTTP alone.
IGNORED = {'query', 'database', 'query_id', 'default_format', 'compress', 'decompress', 'session_id', 'readonly',
           'wait_end_of_query', 'enable_http_compression', 'send_progress_in_http_headers', 'role'}


def run(query, data, fields):
    session.query('USE ' + fields.get('database', 'default'))
    params = {}
    for name, value in fields.items():
        if name.startswith('param_'):
            params[name[len('param_'):]] = value
        elif name not in IGNORED:
            session.query("SET %s = '%s'" % (name, value))
    found = re.search(r'\s+FORMAT\s+(\w+)\s*;?\s*$', query)
    if data:
        return session.query(query + '\n' + data)
    if not found or re.match(r'\s*INSERT', query):
        return session.query(query, params=params)
    return session.query(query[:found.start()], found.group(1), params=params)


class Front(BaseHTTPRequestHandler):
    protocol_version = 'HTTP/1.1'

    def log_message(self, *_):
        pass

    def answer(self, status, body, headers=()):
        self.send_response(status)
        self.send_header('Content-Length', str(len(body)))
        for name, value in headers:
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(body)

    def do_GET(self):
        self.answer(200, b'Ok.\n')

    def do_POST(self):
        fields = dict(parse_qsl(urlsplit(self.path).query, keep_blank_values=True, strict_parsing=False))
        body = self.rfile.read(int(self.headers.get('Content-Length') or 0)) if 'Content-Length' in self.headers \
            else self.chunks()
        if self.headers.get('Content-Encoding') == 'gzip':
            body = gzip.decompress(body)
        stated = self.headers.get('Authorization', 'Basic ZGVmYXVsdDo=')
        if login is not None and base64.b64decode(stated.split(' ')[-1]).decode() != login:
            return self.fail(516, 'Code: 516. DB::Exception: Authentication failed. (AUTHENTICATION_FAILED)', 403)
        kind = self.headers.get('Content-Type') or ''
        data = ''
        if kind.startswith('multipart/form-data'):
            message = email.message_from_bytes(b'Content-Type: ' + kind.encode() + b'\r\n\r\n' + body)
            for part in message.get_payload():
                name = part.get_param('name', header='content-disposition')
                fields[name] = part.get_payload(decode=True).decode()
            query = fields['query']
        elif 'query' in fields:
            query, data = fields['query'], body.decode()
        else:
            query = body.decode()
        try:
            with engine:
                result = run(query, data, fields)
                answer = result.bytes() if result is not None else b''
        except Exception as error:
            text = str(error)
            code = re.match(r'Code: (\d+)', text)
            return self.fail(int(code.group(1)) if code else 1, text, 500)
        self.answer(200, answer, [('Content-Type', 'text/plain; charset=UTF-8')])

    def fail(self, code, text, status):
        self.answer(status, text.encode(), [('X-ClickHouse-Exception-Code', str(code))])

    def chunks(self):
        body = b''
        while True:
            size = int(self.rfile.readline().split(b';')[0], 16)
            body += self.rfile.read(size)
            self.rfile.readline()
            if size == 0:
                return body


server = ThreadingHTTPServer(('127.0.0.1', int(os.environ.get('PORT', '0'))), Front)
server.daemon_threads = True
threading.Thread(target=server.serve_forever, daemon=True).start()
print(server.server_address[1], flush=True)
sys.stdin.read()
os._exit(0)
